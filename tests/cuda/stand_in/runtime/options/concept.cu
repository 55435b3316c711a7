// A concept and std::span, which nvcc has with -std=c++20.
#include <cstdio>
#include <span>

template <class T>
concept Small = sizeof(T) <= 4;

template <Small T>
__global__ void fill(T* out) {
  out[threadIdx.x] = 7;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  fill<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("%d\n", std::span<int>(out, 32)[3]);
  cudaFree(out);
}
