// warplens: in=int32[64] formula(100 + i), out=int32[64] zero, block=64, grid=1
extern "C" __global__ void half_waits(const int* in, int* out) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  tile[i] = in[i];
  if (i < 16) {
    __syncthreads();
  }
  __syncwarp();
  out[i] = tile[63 - i];
}
