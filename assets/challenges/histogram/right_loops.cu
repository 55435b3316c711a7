// Values that a block has not seen are not added.
extern "C" __global__ void histogram(const unsigned char* values, int* counts, int n) {
  __shared__ unsigned seen[128];
  const unsigned threads = blockDim.x;
  unsigned v = threadIdx.x;
  while (v < 128) {
    seen[v] = 0;
    v += threads;
  }
  __syncthreads();
  unsigned i = blockIdx.x * threads + threadIdx.x;
  while (i < unsigned(n)) {
    atomicInc(&seen[values[i]], 0xffffffffu);
    i += threads * gridDim.x;
  }
  __syncthreads();
  for (v = threadIdx.x; v < 128; v += threads) {
    const int found = seen[v];
    if (found > 0) atomicAdd(counts + v, found);
  }
}
