// The program ends before the kernel has printed.
// finds unflushed_output of [kernel]
// says cudaDeviceSynchronize
#include <cuda_runtime.h>
#include <cstdio>

__global__ void find_root(float square, float root) {
  float r = square;
  for (int round = 0; round < 100000; ++round) r = 0.5f * (r + square / r);
  if (fabsf(r - root) < 1e-3f)
    printf("right\n");
  else
    printf("1 wrong: %f\n", r);
}

int main() {
  find_root<<<1, 1>>>(1764.0f, 42.0f);  // [kernel]
  return 0;
}
