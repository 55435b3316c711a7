__kernel void invert(__global const uchar* in, __global uchar* out, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;

  int pixel = y * width + x;
  for (int channel = 0; channel < 3; ++channel) out[3 * pixel + channel] = 255 - in[3 * pixel + channel];
}
