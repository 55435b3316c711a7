// Calls before main() and while the program exits, from objects of the host.
#include <cuda_runtime.h>

#include <cstdlib>

#include "expect.h"

__global__ void set(int* to, int value) { *to = value; }

struct AtBothEnds {
  int* memory = nullptr;
  AtBothEnds() {
    EXPECT_OK(cudaMalloc(&memory, 4));
    set<<<1, 1>>>(memory, 3);
    EXPECT_OK(cudaGetLastError());
  }
  ~AtBothEnds() {
    int value = 0;
    EXPECT_OK(cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost));
    EXPECT(value == 4);
    EXPECT_OK(cudaFree(memory));
    if (result() != 0) std::_Exit(1);
  }
};
AtBothEnds object;

int main() {
  int value = 0;
  EXPECT_OK(cudaMemcpy(&value, object.memory, 4, cudaMemcpyDeviceToHost));
  EXPECT(value == 3);
  set<<<1, 1>>>(object.memory, 4);
  EXPECT_OK(cudaDeviceSynchronize());
  return 0;
}
