// The picture is an array here. These functions do what the texture unit does: they take the four pixels around a
// place and mix them by their distance in 256ths. Outside the picture there is 0.
int in_256ths(float place) {
  float whole = floor(place * 256.f);
  return (int)whole - 128 + (place * 256.f - whole >= .5f);
}

int pixel(__global const uchar* picture, int x, int y, int channel, int width, int height) {
  if (x < 0 || y < 0 || x >= width || y >= height) return 0;
  return picture[4 * (y * width + x) + channel];
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

__kernel void rotate_texture(__global const uchar* picture, __global uchar* out, int width, int height,
                             float cosine, float sine) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;

  float middle_x = width * .5f, middle_y = height * .5f;
  float right = (x + .5f) - middle_x, down = (y + .5f) - middle_y;
  float from_x = fma(cosine, right, fma(sine, down, middle_x));
  float from_y = fma(cosine, down, fma(-sine, right, middle_y));
  for (int channel = 0; channel < 4; ++channel)
    out[4 * (y * width + x) + channel] =
        fma(fetch(picture, from_x, from_y, channel, width, height), 255.f, .5f);
}
