// warplens: block=256, shared=1024
extern "C" __global__ void turn(const float* in, float* out, int n, int turns) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  float mine = i < n ? in[i] : 0;
  for (int k = 0; k < turns; ++k) {
    tile[t] = mine;
    __syncthreads();
    mine += 0.5f * tile[t ^ 1];
    __syncthreads();
  }
  if (i < n) out[i] = mine;
}
