// warplens: in=int32[64] formula(100 + i), out=int32[64] zero, block=64, grid=1
extern "C" __global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  // place 1
  tile[i] = in[i];
  // place 2
  int other = tile[63 - i];
  // place 3
  out[i] = other;
  // place 4
}
