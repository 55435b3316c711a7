__kernel void grayscale(__global const uchar* rgb, __global uchar* gray, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;
  int pixel = y * width + x;
  float r = rgb[3 * pixel + 0];
  float g = rgb[3 * pixel + 1];
  float b = rgb[3 * pixel + 2];
  gray[pixel] = (uchar)(fma(.114f, b, fma(.587f, g, .299f * r)) + .5f);
}
