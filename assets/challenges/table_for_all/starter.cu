// warplens: block=64, grid=500
extern "C" __global__ void translate(const int* x, const int* table, int* out, int n, int words) {
  __shared__ int own[2048];
  for (int k = threadIdx.x; k < words; k += blockDim.x) own[k] = table[k];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = own[x[i] % words];
}
