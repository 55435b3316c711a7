// The first thread reads the element before the first one, by an unsigned index.
#include <cstdio>

__global__ void shift(float* v, unsigned n) {
  unsigned i = threadIdx.x;
  if (i < n) v[i] = v[i - 1];  // mark: access
}

int main() {
  float* v;
  cudaMalloc(&v, 32 * sizeof(float));
  shift<<<1, 32>>>(v, 32);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
