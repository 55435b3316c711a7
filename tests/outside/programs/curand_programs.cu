// cuRAND's device functions. Compiled when the test runs: their tables make a megabyte of PTX.
#include <curand_kernel.h>

extern "C" __global__ void curand_philox(float* out, unsigned long long seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, i, 0, &state);
  float4 v = curand_uniform4(&state);
  out[4 * i] = v.x;
  out[4 * i + 1] = v.y;
  out[4 * i + 2] = v.z;
  out[4 * i + 3] = v.w;
}

extern "C" __global__ void curand_xorwow(unsigned* out, unsigned long long seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state;
  curand_init(seed + i, 0, 0, &state);
  for (int k = 0; k < 8; ++k) out[8 * i + k] = curand(&state);
}

extern "C" __global__ void curand_normal(float* out, unsigned long long seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStateMRG32k3a state;
  curand_init(seed, i, 0, &state);
  out[i] = curand_normal(&state);
}
