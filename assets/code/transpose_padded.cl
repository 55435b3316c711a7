#define TILE 32  // the work-group must be 32 x 32

__kernel void transpose_padded(__global const float* in, __global float* out, int width, int height) {
  __local float values[TILE][TILE + 1];  // one more column: a column of the tile lies in 32 banks
  int tx = get_local_id(0), ty = get_local_id(1);
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < width && y < height) values[ty][tx] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);

  int out_x = get_group_id(1) * TILE + tx;  // where the tile lies on the other side of the diagonal
  int out_y = get_group_id(0) * TILE + ty;
  if (out_x < height && out_y < width) out[out_y * height + out_x] = values[tx][ty];
}
