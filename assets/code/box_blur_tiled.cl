#define BLOCK 16  // the work-group must be 16 x 16
#define MOST 8    // largest radius

__kernel void box_blur_tiled(__global const uchar* in, __global uchar* out, int width, int height, int radius) {
  __local uchar tile[BLOCK + 2 * MOST][3 * (BLOCK + 2 * MOST)];
  int tx = get_local_id(0), ty = get_local_id(1);
  int left = (int)get_group_id(0) * BLOCK - radius;  // the picture's pixel at tile[0][0]
  int top = (int)get_group_id(1) * BLOCK - radius;
  int side = BLOCK + 2 * radius;

  // More pixels than work-items: each work-item fetches every 256th.
  for (int i = ty * BLOCK + tx; i < side * side; i += BLOCK * BLOCK) {
    int row = min(max(top + i / side, 0), height - 1);
    int column = min(max(left + i % side, 0), width - 1);
    for (int channel = 0; channel < 3; ++channel)
      tile[i / side][3 * (i % side) + channel] = in[3 * (row * width + column) + channel];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;

  int count = (2 * radius + 1) * (2 * radius + 1);
  for (int channel = 0; channel < 3; ++channel) {
    int sum = 0;
    for (int dy = 0; dy <= 2 * radius; ++dy)
      for (int dx = 0; dx <= 2 * radius; ++dx) sum += tile[ty + dy][3 * (tx + dx) + channel];
    out[3 * (y * width + x) + channel] = (uchar)((sum + count / 2) / count);  // rounded
  }
}
