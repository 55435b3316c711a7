// The built libcuda.so.1, loaded as a program would: CALL(cuMemAlloc_v2)(…).
#pragma once

#include "cuda/stand_in/driver/api.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warplens::test {

// The address of a symbol; null if it is not exported.
void* symbol(const char* name);

// Whether it is the relay to another driver (relay/).
bool is_relayed();
std::string library_path();

#define CALL(name) reinterpret_cast<decltype(&(name))>(::warplens::test::symbol(#name))
#define FINE(call) ASSERT_EQ(call, CUDA_SUCCESS)

// Must be called before the first use of the library in this process.
void set_variable(const char* name, const std::string& value);

// A current context, and helpers that many tests need.
class DriverTest : public ::testing::Test {
 public:
  void SetUp() override { begin(); }
  void begin();
  CUfunction load(const std::string& ptx, const char* entry);
  CUresult launch(CUfunction function, unsigned blocks, unsigned threads, std::vector<void*> arguments,
                  unsigned shared = 0);
  template <class T>
  CUdeviceptr upload(const std::vector<T>& values) {
    CUdeviceptr address = 0;
    EXPECT_EQ(CALL(cuMemAlloc_v2)(&address, values.size() * sizeof(T)), CUDA_SUCCESS);
    EXPECT_EQ(CALL(cuMemcpyHtoD_v2)(address, values.data(), values.size() * sizeof(T)), CUDA_SUCCESS);
    return address;
  }
  template <class T>
  std::vector<T> download(CUdeviceptr address, size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(CALL(cuMemcpyDtoH_v2)(values.data(), address, count * sizeof(T)), CUDA_SUCCESS);
    return values;
  }
  CUcontext context = nullptr;
};

// Kernels in PTX. `body` can use the parameters p (b64) and n (b32) in %p and %n, the thread's index in %i
// and four times the index in %o.
std::string kernel(const std::string& name, const std::string& body, const std::string& in_front = {});
extern const char* const add_one;  // p[i] += 1 for i < n

}  // namespace warplens::test
