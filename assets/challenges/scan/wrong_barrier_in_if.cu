// Threads at the left do not reach the first barrier of a round.
extern "C" __global__ void scan(const int* x, int* out, int n) {
  __shared__ int sums[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int away = 1; away < blockDim.x; away *= 2) {
    if (t >= away) {
      int left = sums[t - away];
      __syncthreads();
      sums[t] += left;
    }
    __syncthreads();
  }
  if (i < n) out[i] = sums[t];
}
