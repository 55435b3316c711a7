// A lambda of the device, passed to a kernel.
#include <cstdio>

template <typename Function>
__global__ void sum(Function term, int n, float* result) {
  float total = 0;
  for (int i = 0; i < n; ++i) total += term(i);
  *result = total;
}

int main() {
  float* result = nullptr;
  cudaMallocManaged(&result, sizeof(float));
  float factor = 2.0f;
  sum<<<1, 1>>>([=] __device__(int) { return factor * 3; }, 1000, result);
  cudaDeviceSynchronize();
  printf("%g\n", *result);
  cudaFree(result);
}
