// warplens: block=1024, shared=40000
extern "C" __global__ void smooth(const float* x, float* out, int n) {
  extern __shared__ float tile[];  // blockDim.x + 16
  int first = blockIdx.x * blockDim.x - 8;
  for (int k = threadIdx.x; k < blockDim.x + 16; k += blockDim.x)
    tile[k] = first + k >= 0 && first + k < n ? x[first + k] : 0.0f;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 17; ++k) sum += tile[threadIdx.x + k];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sum / 17;
}
