#include "cuda/device/driver/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "cuda/device/driver/error.h"

namespace warplens::cuda {
namespace THIS_FILE {

using testing::HasSubstr;

CUresult CUDAAPI nothing() { return CUDA_SUCCESS; }
CUresult CUDAAPI start(unsigned) { return CUDA_SUCCESS; }
CUresult CUDAAPI start_without_device(unsigned) { return CUDA_ERROR_NO_DEVICE; }
CUresult CUDAAPI start_badly(unsigned) { return CUDA_ERROR_SYSTEM_DRIVER_MISMATCH; }
CUresult CUDAAPI version_12_4(int* version) {
  *version = 12040;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI words(CUresult, const char** text) {
  *text = "what the driver says";
  return CUDA_SUCCESS;
}

template <class Function>
void* pointer(Function* function) {
  return reinterpret_cast<void*>(function);
}

// A driver that has everything but what is named.
std::function<void*(const char*, int)> driver_without(const std::string& lacking,
                                                      CUresult(CUDAAPI* init)(unsigned) = start) {
  return [=](const char* name, int) -> void* {
    const std::string wanted = name;
    if (wanted == lacking) return nullptr;
    if (wanted == "cuInit") return pointer(init);
    if (wanted == "cuDriverGetVersion") return pointer(version_12_4);
    if (wanted == "cuGetErrorString") return pointer(words);
    return pointer(nothing);
  };
}

TEST(Driver, GetsEveryEntryInTheVersionThatItWasWrittenFor) {
  std::map<std::string, int> asked;
  const auto driver = make_driver([&](const char* name, int version) {
    asked[name] = version;
    return driver_without("")(name, version);
  });
  ASSERT_TRUE(driver.ok());
  EXPECT_EQ(driver->version, 12040);
  EXPECT_EQ(version_text(driver->version), "12.4");
  EXPECT_EQ(asked.at("cuMemAlloc"), 3020);
  EXPECT_EQ(asked.at("cuCtxCreate"), 3020);
  EXPECT_EQ(asked.at("cuLaunchKernel"), 4000);
}

TEST(Driver, SaysWhatAnOldOneLacks) {
  const auto driver = make_driver(driver_without("cuLaunchCooperativeKernel"));
  ASSERT_FALSE(driver.ok());
  EXPECT_EQ(driver.error().kind, ErrorKind::missing);
  EXPECT_THAT(driver.error().message, HasSubstr("lacks cuLaunchCooperativeKernel"));
}

TEST(Driver, DoesWithoutWhatIsOptional) {
  const auto driver = make_driver(driver_without("cuFuncGetParamInfo"));
  ASSERT_TRUE(driver.ok());
  EXPECT_EQ(driver->cuFuncGetParamInfo, nullptr);
}

TEST(Driver, SaysThatThereIsNoDevice) {
  const auto driver = make_driver(driver_without("", start_without_device));
  ASSERT_FALSE(driver.ok());
  EXPECT_EQ(driver.error().kind, ErrorKind::missing);
  EXPECT_THAT(driver.error().message, HasSubstr("finds no GPU"));
}

TEST(Driver, SaysWhyItDoesNotStart) {
  const auto driver = make_driver(driver_without("", start_badly));
  ASSERT_FALSE(driver.ok());
  EXPECT_THAT(driver.error().message, HasSubstr("cudaErrorSystemDriverMismatch (what the driver says)"));
}

TEST(Driver, IsLeftAloneWhereTheEnvironmentSaysSo) {
  setenv("WARPLENS_CUDA_DRIVER", "none", 1);
  const auto none = load_driver();
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::missing);
  setenv("WARPLENS_CUDA_DRIVER", "/no/such/library.so", 1);
  const auto wrong = load_driver();
  unsetenv("WARPLENS_CUDA_DRIVER");
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().message, HasSubstr("/no/such/library.so"));
}

TEST(Errors, HaveTheRuntimesNames) {
  const Driver driver;
  EXPECT_EQ(runtime_name(driver, CUDA_ERROR_ILLEGAL_ADDRESS), "cudaErrorIllegalAddress");
  EXPECT_EQ(runtime_name(driver, CUDA_ERROR_OUT_OF_MEMORY), "cudaErrorMemoryAllocation");
  EXPECT_EQ(runtime_name(driver, static_cast<CUresult>(12345)), "CUDA error 12345");
  EXPECT_EQ(error_of(driver, CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "Loading").kind, ErrorKind::refused);
  EXPECT_EQ(error_of(driver, CUDA_ERROR_OUT_OF_MEMORY, "Allocating x").message,
            "Allocating x: cudaErrorMemoryAllocation");
}

TEST(Errors, ThatAContextDoesNotSurvive) {
  EXPECT_TRUE(is_sticky(CUDA_ERROR_ILLEGAL_ADDRESS));
  EXPECT_TRUE(is_sticky(CUDA_ERROR_LAUNCH_FAILED));
  EXPECT_FALSE(is_sticky(CUDA_ERROR_OUT_OF_MEMORY));
  EXPECT_FALSE(is_sticky(CUDA_ERROR_INVALID_VALUE));
}

}  // namespace THIS_FILE
}  // namespace warplens::cuda
