// Fills issue slots with work that is for nothing.
extern "C" __global__ void follow(const int* next, int* out, int n, int hops) {
  int first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += threads) {
    int at = i;
    for (int k = 0; k < hops; ++k) {
      at = next[at];
      float busy = at;
      for (int j = 0; j < 40; ++j) busy = busy * 0.5f + 1;
      if (busy == -1) at = 0;
    }
    out[i] = at;
  }
}
