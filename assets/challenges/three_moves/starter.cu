// warplens: block=96, shared=100, grid=20
extern "C" __global__ void total(const int* x, int* sum, int n) {
  extern __shared__ int tree[];  // blockDim.x
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tree[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) tree[threadIdx.x] += tree[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, tree[0]);
}
