// 0 is a number like any other.
extern "C" __global__ void spans(const int* x, int* span, int n) {
  __shared__ int high[256], low[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  high[t] = low[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) {
      high[t] = max(high[t], high[t + half]);
      low[t] = min(low[t], low[t + half]);
    }
    __syncthreads();
  }
  if (t == 0) span[blockIdx.x] = high[0] - low[0];
}
