__device__ int scale(int x) {
  int y = x * 3;
  int z = y + 1;
  return z;
}
__device__ __forceinline__ int shift(int x) {
  int y = x + 7;
  int z = y * y;
  return z;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = in[x];
  int z = scale(y);
  int first = shift(x);
  int second = shift(z);
  {
    int y = second - first;
    z += y;
    out[x] = y;
  }
  out[x] += z + y;
}
