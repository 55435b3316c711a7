// warplens: out=int32[n] zero, sorted=0 in 0..1, n=1024, block=256, grid=ceil(n/256)
// Each thread gets 0 to 310 iterations. Not sorted: neighbours get different numbers of them.
extern "C" __global__ void work(int* out, int sorted, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  int iterations = 10 * (sorted ? i / 32 % 32 : i % 32);
  int value = i;
#pragma unroll 1
  for (int k = 0; k < iterations; ++k) value = 3 * value + 1;
  out[i] = value;
}
