// Right: each warp has its own counters, which are added to the result one by one.
extern "C" __global__ void histogram(const unsigned char* values, int* counts, int n) {
  __shared__ int mine[32][128];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int v = lane; v < 128; v += 32) mine[warp][v] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[warp][values[i]], 1);
  __syncthreads();
  for (int v = lane; v < 128; v += 32) atomicAdd(&counts[v], mine[warp][v]);
}
