// warplens: out=float32[n] zero, n=16896, loops=1024, chains=1, block=128, grid=ceil(n/block_x)
#define NEXT(x) x = 0.5f * x + 1

extern "C" __global__ void chains(float* out, int n, int loops, int chains) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = i, b = i + 1, c = i + 2, d = i + 3;
  if (chains == 1) {
#pragma unroll 16
    for (int k = 0; k < loops; ++k) { NEXT(a); NEXT(a); NEXT(a); NEXT(a); }
  } else if (chains == 2) {
#pragma unroll 16
    for (int k = 0; k < loops; ++k) { NEXT(a); NEXT(b); NEXT(a); NEXT(b); }
  } else {
#pragma unroll 16
    for (int k = 0; k < loops; ++k) { NEXT(a); NEXT(b); NEXT(c); NEXT(d); }
  }
  out[i] = a + b + c + d;
}
