// What a mistake of a kernel gives: the code of CUDA, at which call, and that it stays. Each is a process of
// its own, for it ends the context.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <string>

#include "expect.h"

__global__ void write_to(int* to) { to[threadIdx.x] = 1; }
__global__ void trap() { __trap(); }
__global__ void claim(int a) { assert(a == 2); }

void expect_fault(cudaError_t code) {
  // A launch returns before its kernel runs.
  EXPECT_CODE(cudaGetLastError(), cudaSuccess);
  EXPECT_CODE(cudaDeviceSynchronize(), code);
  EXPECT_CODE(cudaPeekAtLastError(), code);
  int* more = nullptr;
  EXPECT_CODE(cudaMalloc(&more, 4), code);
  EXPECT_CODE(cudaDeviceSynchronize(), code);
  EXPECT_CODE(cudaGetLastError(), code);
}

int run_case(const char* which) {
  int* memory = nullptr;
  EXPECT_OK(cudaMalloc(&memory, 64));
  if (std::strcmp(which, "null") == 0) {
    write_to<<<1, 1>>>(nullptr);
    expect_fault(cudaErrorIllegalAddress);
  } else if (std::strcmp(which, "misaligned") == 0) {
    write_to<<<1, 1>>>(reinterpret_cast<int*>(reinterpret_cast<char*>(memory) + 1));
    expect_fault(cudaErrorMisalignedAddress);
  } else if (std::strcmp(which, "trap") == 0) {
    trap<<<1, 1>>>();
    expect_fault(cudaErrorLaunchFailure);
  } else if (std::strcmp(which, "assert") == 0) {
    claim<<<1, 1>>>(1);
    expect_fault(cudaErrorAssert);
  } else {
    return 2;
  }
  return result();
}

int main(int count, char** words) {
  if (count > 1) return run_case(words[1]);
  for (const char* which : {"null", "misaligned", "trap", "assert"}) {
    const std::string command = std::string(words[0]) + " " + which + " 2>/dev/null";
    const int ended = std::system(command.c_str());
    if (ended != 0) std::printf("%s\n", which);
    EXPECT(ended == 0);
  }
  return result();
}
