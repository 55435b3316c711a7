// A kernel is given the address of a function of the host.
#include <cstdio>

__host__ __device__ float twice(float v) { return 2 * v; }

__global__ void apply(float (*f)(float), float* v) { v[threadIdx.x] = f(v[threadIdx.x]); }

int main() {
  float* d_v;
  cudaMalloc(&d_v, 32 * sizeof(float));
  cudaMemset(d_v, 0, 32 * sizeof(float));
  apply<<<1, 32>>>(twice, d_v);  // mark: launch
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
