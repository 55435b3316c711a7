// warplens: in=int32[n] index, out=int32[n] zero, n=1024, block=256, grid=ceil(n/256)
extern "C" __global__ void borrow(const int* in, int* out, int n) {
  extern __shared__ int tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n) out[i] = tile[blockDim.x - 1 - threadIdx.x];
}
