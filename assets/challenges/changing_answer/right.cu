// Two arrays in turn: no thread writes what another still reads, so one barrier a pass is enough.
extern "C" __global__ void widen(const int* x, int* out, int n, int passes) {
  __shared__ int tiles[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int best = i < n ? x[i] : 0;
  tiles[0][t] = best;
  __syncthreads();
  for (int pass = 0; pass < passes; ++pass) {
    const int* from = tiles[pass % 2];
    int* to = tiles[(pass + 1) % 2];
    if (t + 1 < blockDim.x && i + 1 < n) best = max(best, from[t + 1]);
    to[t] = best;
    __syncthreads();
  }
  if (i < n) out[i] = best;
}
