__kernel void grayscale_row_on_x(__global const uchar* rgb, __global uchar* gray, int width, int height) {
  int row = get_global_id(0);  // x counts rows: neighbouring lanes are a whole row apart
  int column = get_global_id(1);
  if (row >= height || column >= width) return;

  int pixel = row * width + column;
  float r = rgb[3 * pixel + 0];
  float g = rgb[3 * pixel + 1];
  float b = rgb[3 * pixel + 2];
  gray[pixel] = (uchar)(fma(.114f, b, fma(.587f, g, .299f * r)) + .5f);
}
