// Device code in several files: functions, variables and kernels of other files, statics of one name, an
// archive.
#include <cuda_runtime.h>

#include "../expect.h"
#include "parts.h"

extern __device__ int shared_counter;
extern __constant__ float factor;
static __device__ int own = 10;
static __global__ void local_kernel(int* to) { *to += own; }
__global__ void use_parts(float* to) {
  *to = scaled(*to) * factor + from_archive(1.0f);
  atomicAdd(&shared_counter, 1);
}

int main() {
  float *memory = nullptr, host = 3.0f;
  EXPECT_OK(cudaMalloc(&memory, 4));
  EXPECT_OK(cudaMemcpy(memory, &host, 4, cudaMemcpyHostToDevice));
  set_factor(2.0f);
  use_parts<<<1, 1>>>(memory);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaMemcpy(&host, memory, 4, cudaMemcpyDeviceToHost));
  EXPECT(host == 3.0f * 10.0f * 2.0f + 101.0f);
  EXPECT(counter_of_part() == 8);
  int *number = nullptr, value = 1;
  EXPECT_OK(cudaMalloc(&number, 4));
  EXPECT_OK(cudaMemcpy(number, &value, 4, cudaMemcpyHostToDevice));
  local_kernel<<<1, 1>>>(number);
  launch_local_of_part(number);
  EXPECT_OK(cudaMemcpy(&value, number, 4, cudaMemcpyDeviceToHost));
  EXPECT(value == 1 + 10 + 200);
  return result();
}
