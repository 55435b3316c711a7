// Right; but a block begins to load one element too early, so each warp touches one sector more.
extern "C" __global__ void bend(const int* x, int* out, int n) {
  __shared__ int tile[258];
  const int begin = int(blockIdx.x * blockDim.x) - 1;
  for (int k = threadIdx.x; k < int(blockDim.x) + 2; k += blockDim.x) {
    int value = 0;
    if (begin + k >= 0 && begin + k < n) value = x[begin + k];
    tile[k] = value;
  }
  __syncthreads();
  const int i = begin + 1 + int(threadIdx.x);
  if (i >= n) return;
  const int* here = tile + threadIdx.x + 1;
  out[i] = (here[1] - here[0]) - (here[0] - here[-1]);
}
