#define TILE 16  // the work-group must be 16 x 16

__kernel void matmul_tiled(__global const float* a, __global const float* b, __global float* c, int m, int n, int k) {
  __local float a_tile[TILE][TILE];
  __local float b_tile[TILE][TILE];
  int tx = get_local_id(0), ty = get_local_id(1);
  int column = get_group_id(0) * TILE + tx;
  int row = get_group_id(1) * TILE + ty;
  float sum = 0.f;
  for (int start = 0; start < k; start += TILE) {
    a_tile[ty][tx] = row < m && start + tx < k ? a[row * k + start + tx] : 0.f;
    b_tile[ty][tx] = start + ty < k && column < n ? b[(start + ty) * n + column] : 0.f;
    barrier(CLK_LOCAL_MEM_FENCE);  // both tiles are filled
    for (int i = 0; i < TILE; ++i) sum = fma(a_tile[ty][i], b_tile[i][tx], sum);
    barrier(CLK_LOCAL_MEM_FENCE);  // no work-item needs them any more
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
