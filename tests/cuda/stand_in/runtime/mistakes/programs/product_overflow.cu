// A product of 32 bits becomes negative in the third block.
#include <cstdio>

__global__ void mark(float* v, int row) {
  int i = (blockIdx.x + 2) * row;
  v[i] = 1;  // mark: access
}

int main() {
  float* v;
  cudaMalloc(&v, 4000);
  mark<<<1, 1>>>(v, 1 << 30);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
