extern "C" __global__ void bend(const int* x, int* out, int n) {
  __shared__ int tile[258];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  tile[t + 1] = i < n ? x[i] : 0;
  if (t < 2) {  // two threads of warp 0 load both ends
    int place = t * (blockDim.x + 1);
    int from = int(blockIdx.x * blockDim.x) - 1 + place;
    tile[place] = from >= 0 && from < n ? x[from] : 0;
  }
  __syncthreads();
  if (i < n) out[i] = tile[t] - 2 * tile[t + 1] + tile[t + 2];
}
