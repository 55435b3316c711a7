extern "C" __global__ void scan(const int* x, int* out, int n) {
  __shared__ int rows[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int sum = i < n ? x[i] : 0;
  rows[0][t] = sum;
  __syncthreads();
  int from = 0;
  for (int away = 1; away < blockDim.x; away *= 2) {
    if (t >= away) sum += rows[from][t - away];
    from = 1 - from;
    rows[from][t] = sum;
    __syncthreads();
  }
  if (i < n) out[i] = sum;
}
