// An index of 32 bits is too small for an array of 3 GiB.
#include <cstdio>

__global__ void mark(char* v, int row) {
  int i = blockIdx.x * row + threadIdx.x;
  v[i] = 1;  // mark: access
}

int main() {
  char* v;
  cudaMalloc(&v, size_t(3) << 30);
  mark<<<3, 32>>>(v, 1 << 30);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
