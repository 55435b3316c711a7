// printf of kernels does not know %zu.
#include <cstdio>

__global__ void say(size_t n) { printf("n is %zu of %d\n", n, 7); }  // mark: kernel

int main() {
  say<<<1, 1>>>(5);
  cudaDeviceSynchronize();
}
