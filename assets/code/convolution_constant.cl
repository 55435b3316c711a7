__kernel void convolution_constant(__global const uchar* in, __global uchar* out, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;

  float sum = 0.f;
  for (int dy = 0; dy < 5; ++dy) {
    int row = min(max(y + dy - 2, 0), height - 1);
    for (int dx = 0; dx < 5; ++dx) {
      int column = min(max(x + dx - 2, 0), width - 1);
      sum = fma(weights[5 * dy + dx], (float)in[row * width + column], sum);
    }
  }
  out[y * width + x] = (uchar)(min(max(sum, 0.f), 255.f) + .5f);
}
