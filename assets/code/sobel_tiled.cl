#define BLOCK 16  // the work-group must be 16 x 16
#define SIDE (BLOCK + 2)

__kernel void sobel_tiled(__global const uchar* in, __global uchar* out, int width, int height) {
  __local uchar tile[SIDE][SIDE];
  int tx = get_local_id(0), ty = get_local_id(1);
  for (int i = ty * BLOCK + tx; i < SIDE * SIDE; i += BLOCK * BLOCK) {
    int row = min(max((int)get_group_id(1) * BLOCK - 1 + i / SIDE, 0), height - 1);
    int column = min(max((int)get_group_id(0) * BLOCK - 1 + i % SIDE, 0), width - 1);
    tile[i / SIDE][i % SIDE] = in[row * width + column];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;

  __local const uchar* above = &tile[ty][tx];  // the tile begins one pixel to the left and above
  __local const uchar* here = above + SIDE;
  __local const uchar* below = here + SIDE;
  int across = above[2] + 2 * here[2] + below[2] - above[0] - 2 * here[0] - below[0];
  int down = below[0] + 2 * below[1] + below[2] - above[0] - 2 * above[1] - above[2];
  out[y * width + x] = (uchar)min(sqrt((float)(across * across + down * down)), 255.f);
}
