// A right program that prints the letters %zu.
#include <cstdio>

__global__ void say(size_t n) { printf("write %llu for %%zu\n", static_cast<unsigned long long>(n)); }

int main() {
  say<<<1, 1>>>(5);
  cudaDeviceSynchronize();
}
