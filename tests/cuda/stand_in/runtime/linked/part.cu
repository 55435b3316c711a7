#include "parts.h"

__device__ int shared_counter = 7;
__constant__ float factor;
static __device__ int own = 200;
static __global__ void local_kernel(int* to) { *to += own; }

__device__ float scaled(float x) { return x * 10.0f; }
void set_factor(float value) { cudaMemcpyToSymbol(factor, &value, sizeof value); }
int counter_of_part() {
  int value = 0;
  cudaMemcpyFromSymbol(&value, shared_counter, sizeof value);
  return value;
}
void launch_local_of_part(int* to) { local_kernel<<<1, 1>>>(to); }
