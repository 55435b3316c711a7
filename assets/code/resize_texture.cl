// The picture is an array here. These functions do what the texture unit does: they take the four pixels around a
// place, mix them by their distance in 256ths, and repeat the edge beyond it.
int in_256ths(float place) {
  float whole = floor(place * 256.f);
  return (int)whole - 128 + (place * 256.f - whole >= .5f);
}

int pixel(__global const uchar* picture, int x, int y, int channel, int width, int height) {
  return picture[4 * (clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)) + channel];
}

float fetch(__global const uchar* picture, float x, float y, int channel, int width, int height) {
  int across = in_256ths(x), down = in_256ths(y);
  int column = across >> 8, row = down >> 8, a = across & 255, b = down & 255;
  int both = (a * b + 128) >> 8;
  int mixed = (256 - a - b + both) * pixel(picture, column, row, channel, width, height) +
              (a - both) * pixel(picture, column + 1, row, channel, width, height) +
              (b - both) * pixel(picture, column, row + 1, channel, width, height) +
              both * pixel(picture, column + 1, row + 1, channel, width, height);
  return (float)((mixed * 257 + 128) >> 8) / 65535.f;  // 0 to 1
}

__kernel void resize_texture(__global const uchar* picture, __global uchar* out, int width, int height,
                             int new_width, int new_height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= new_width || y >= new_height) return;

  // The middle of the new pixel, in pixels of the old picture.
  float from_x = (x + .5f) * ((float)width / (float)new_width);
  float from_y = (y + .5f) * ((float)height / (float)new_height);
  for (int channel = 0; channel < 4; ++channel)
    out[4 * (y * new_width + x) + channel] =
        fma(fetch(picture, from_x, from_y, channel, width, height), 255.f, .5f);
}
