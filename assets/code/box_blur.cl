__kernel void box_blur(__global const uchar* in, __global uchar* out, int width, int height, int radius) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;

  int count = (2 * radius + 1) * (2 * radius + 1);
  for (int channel = 0; channel < 3; ++channel) {
    int sum = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
      int row = min(max(y + dy, 0), height - 1);
      for (int dx = -radius; dx <= radius; ++dx) {
        int column = min(max(x + dx, 0), width - 1);
        sum += in[3 * (row * width + column) + channel];
      }
    }
    out[3 * (y * width + x) + channel] = (uchar)((sum + count / 2) / count);  // rounded
  }
}
