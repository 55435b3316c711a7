// The library as programs find it: its symbols, and the ordinary way from context to result.
#include <gmock/gmock.h>

#include <cstring>

#include "tests/cuda/stand_in/driver/library.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

class DriverCalls : public DriverTest {};

TEST(DriverSymbols, AllOfTheTableAreThereAndNothingElse) {
#define DRIVER_CALL(name, version, entry) EXPECT_NE(symbol(#entry), nullptr) << #entry;
#define DRIVER_OTHER_NAME(name, version, entry, same) EXPECT_NE(symbol(#entry), nullptr) << #entry;
#define DRIVER_REFUSED(name, version, entry, topic) EXPECT_NE(symbol(#entry), nullptr) << #entry;
#include "cuda/stand_in/driver/api.def"
  for (const char* hidden : {"ZSTD_decompress", "LZ4_decompress_safe", "warplens_refuse"})
    EXPECT_EQ(symbol(hidden), nullptr) << hidden;
}

TEST(DriverSymbols, BeforeInitNothingWorks) {
  int count = 0;
  EXPECT_EQ(CALL(cuDeviceGetCount)(&count), CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(CALL(cuInit)(1), CUDA_ERROR_INVALID_VALUE);
}

TEST(DriverDevice, IsTheOneThatTheLauncherNames) {
  set_variable("WARPLENS_PROGRAM_DEVICE", "h200");
  FINE(CALL(cuInit)(0));
  char name[64];
  FINE(CALL(cuDeviceGetName)(name, sizeof name, 0));
  EXPECT_STREQ(name, "NVIDIA H200");
  int value = 0;
  FINE(CALL(cuDeviceGetAttribute)(&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  EXPECT_EQ(value, 132);
  FINE(CALL(cuDeviceGetAttribute)(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  EXPECT_EQ(value, 9);
  size_t bytes = 0;
  FINE(CALL(cuDeviceTotalMem_v2)(&bytes, 0));
  EXPECT_EQ(bytes, 150754820096u);
  EXPECT_EQ(CALL(cuDeviceGetName)(name, sizeof name, 1), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(DriverCalls, AKernelRuns) {
  CUdeviceptr p = upload(std::vector<uint32_t>(1000, 41));
  unsigned n = 999;
  FINE(launch(load(kernel("add", add_one), "add"), 8, 128, {&p, &n}));
  const auto values = download<uint32_t>(p, 1000);
  EXPECT_THAT(std::vector(values.begin(), values.begin() + 999), Each(42u));
  EXPECT_EQ(values[999], 41u);
}

TEST_F(DriverCalls, TheFirstLaunchIsRefusedForItsRegistersToo) {
  // A hundred values at once.
  std::string loads, stores;
  for (int i = 0; i < 100; ++i) {
    loads += "ld.volatile.global.u32 %v" + std::to_string(i) + ", [%p+" + std::to_string(4 * i) + "];\n";
    stores =
        "st.volatile.global.u32 [%p+" + std::to_string(4 * i) + "], %v" + std::to_string(i) + ";\n" + stores;
  }
  const std::string text = kernel("many", ".reg .b32 %v<100>;\n" + loads + stores);
  int registers = 0;
  FINE(CALL(cuFuncGetAttribute)(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, load(text, "many")));
  if (registers < 100) GTEST_SKIP() << "NVIDIA's assembler is not on this machine";
  CUdeviceptr p = upload(std::vector<uint32_t>(100));
  uint32_t n = 0;
  EXPECT_EQ(launch(load(text, "many"), 1, 1024, {&p, &n}), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  FINE(launch(load(text, "many"), 1, 512, {&p, &n}));
}

TEST_F(DriverCalls, ParametersAsOneBuffer) {
  struct {
    CUdeviceptr p;
    unsigned n;
  } parameters{upload(std::vector<uint32_t>(4, 1)), 4};
  size_t size = 12;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  FINE(CALL(cuLaunchKernel)(load(kernel("add", add_one), "add"), 1, 1, 1, 4, 1, 1, 0, nullptr, nullptr,
                            extra));
  EXPECT_THAT(download<uint32_t>(parameters.p, 4), Each(2u));
}

TEST_F(DriverCalls, ModulesHaveVariablesOfTheirOwn) {
  const std::string body =
      "mov.u64 %a, counter;\nld.global.u32 %x, [%a];\nadd.u32 %x, %x, 1;\nst.global.u32 [%a], %x;\n"
      "ld.const.u32 %y, [weight];\nst.global.u32 [%p], %y;";
  std::vector<CUmodule> modules(3);
  for (unsigned m = 0; m < 3; ++m) {
    const std::string text = kernel("count", body,
                                    ".visible .global .u32 counter = " + std::to_string(10 * m) +
                                        ";\n.const .u32 weight = " + std::to_string(m + 5) + ";");
    FINE(CALL(cuModuleLoadData)(&modules[m], text.c_str()));
  }
  CUdeviceptr p = upload(std::vector<uint32_t>{0});
  unsigned n = 0;
  for (unsigned m = 0; m < 3; ++m) {
    CUfunction function = nullptr;
    FINE(CALL(cuModuleGetFunction)(&function, modules[m], "count"));
    FINE(launch(function, 1, 1, {&p, &n}));
    EXPECT_EQ(download<uint32_t>(p, 1)[0], m + 5);
    CUdeviceptr counter = 0;
    size_t bytes = 0;
    FINE(CALL(cuModuleGetGlobal_v2)(&counter, &bytes, modules[m], "counter"));
    EXPECT_EQ(bytes, 4u);
    EXPECT_EQ(download<uint32_t>(counter, 1)[0], 10 * m + 1);
  }
  EXPECT_EQ(CALL(cuModuleGetGlobal_v2)(nullptr, nullptr, modules[0], "nobody"), CUDA_ERROR_NOT_FOUND);
}

TEST_F(DriverCalls, PinnedAndManagedMemoryAreTheSameOnBothSides) {
  void* pinned = nullptr;
  FINE(CALL(cuMemHostAlloc)(&pinned, 400, CU_MEMHOSTALLOC_DEVICEMAP));
  CUdeviceptr managed = 0, mapped = 0;
  FINE(CALL(cuMemAllocManaged)(&managed, 400, CU_MEM_ATTACH_GLOBAL));
  FINE(CALL(cuMemHostGetDevicePointer_v2)(&mapped, pinned, 0));
  const CUfunction add = load(kernel("add", add_one), "add");
  for (CUdeviceptr p : {managed, mapped}) {
    auto* host = reinterpret_cast<uint32_t*>(p);
    std::fill_n(host, 100, 6u);
    unsigned n = 100;
    FINE(launch(add, 1, 128, {&p, &n}));
    FINE(CALL(cuCtxSynchronize)());
    EXPECT_THAT(std::vector(host, host + 100), Each(7u));
  }
  std::vector<uint32_t> own(100, 1);
  FINE(CALL(cuMemHostRegister_v2)(own.data(), 400, CU_MEMHOSTREGISTER_DEVICEMAP));
  EXPECT_EQ(CALL(cuMemHostRegister_v2)(own.data(), 400, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CUdeviceptr p = reinterpret_cast<uintptr_t>(own.data());
  unsigned n = 100;
  FINE(launch(add, 1, 128, {&p, &n}));
  EXPECT_THAT(own, Each(2u));
  FINE(CALL(cuMemHostUnregister)(own.data()));
  FINE(CALL(cuMemFreeHost)(pinned));
  FINE(CALL(cuMemFree_v2)(managed));
}

TEST_F(DriverCalls, RowsAreCopied) {
  CUdeviceptr p = 0;
  size_t pitch = 0;
  FINE(CALL(cuMemAllocPitch_v2)(&p, &pitch, 12, 3, 4));
  EXPECT_EQ(pitch % 512, 0u);
  const std::vector<uint32_t> from{1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<uint32_t> to(9);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from.data();
  copy.srcPitch = 12;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = p;
  copy.dstPitch = pitch;
  copy.WidthInBytes = 12;
  copy.Height = 3;
  FINE(CALL(cuMemcpy2D_v2)(&copy));
  EXPECT_THAT(download<uint32_t>(p + pitch, 3), ElementsAre(4, 5, 6));
  copy.Height = 4;
  EXPECT_EQ(CALL(cuMemcpy2D_v2)(&copy), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverCalls, ByNameAndVersion) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult result{};
  FINE(CALL(cuGetProcAddress_v2)("cuCtxCreate", &found, 13050, 0, &result));
  EXPECT_EQ(found, symbol("cuCtxCreate_v4"));
  FINE(CALL(cuGetProcAddress_v2)("cuCtxCreate", &found, 11030, 0, &result));
  EXPECT_EQ(found, symbol("cuCtxCreate_v2"));
  FINE(CALL(cuGetProcAddress_v2)("cuMemcpyHtoD", &found, 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
                                 &result));
  EXPECT_EQ(found, symbol("cuMemcpyHtoD_v2_ptds"));
  // The status is returned only to callers that request it.
  FINE(CALL(cuGetProcAddress_v2)("cuMemAllocAsync", &found, 8000, 0, &result));
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(result, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  FINE(CALL(cuGetProcAddress_v2)("cuNobody", &found, 13050, 0, &result));
  EXPECT_EQ(CALL(cuGetProcAddress)("cuNobody", &found, 13050, 0), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(result, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

TEST_F(DriverCalls, WhatIsNotProvidedSaysSoOnce) {
  testing::internal::CaptureStderr();
  CUgraphConditionalHandle handle{};
  const auto create = [&] { return CALL(cuGraphConditionalHandleCreate)(&handle, nullptr, context, 0, 0); };
  EXPECT_EQ(create(), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(create(), CUDA_ERROR_NOT_SUPPORTED);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("cuGraphConditionalHandleCreate is not provided"));
  EXPECT_EQ(said.find("cuGraphConditional"), said.rfind("cuGraphConditional"));
}

TEST_F(DriverCalls, EventsTellModelledTime) {
  CUdeviceptr p = upload(std::vector<uint32_t>(1 << 20, 0));
  unsigned n = 1 << 20;
  const CUfunction add = load(kernel("add", add_one), "add");
  CUevent begin = nullptr, one = nullptr, three = nullptr;
  for (CUevent* event : {&begin, &one, &three}) FINE(CALL(cuEventCreate)(event, 0));
  FINE(CALL(cuEventRecord)(begin, nullptr));
  FINE(launch(add, 4096, 256, {&p, &n}));
  FINE(CALL(cuEventRecord)(one, nullptr));
  for (int i = 0; i < 2; ++i) FINE(launch(add, 4096, 256, {&p, &n}));
  FINE(CALL(cuEventRecord)(three, nullptr));
  float first = 0, second = 0, back = 0;
  FINE(CALL(cuEventElapsedTime)(&first, begin, one));
  FINE(CALL(cuEventElapsedTime)(&second, one, three));
  FINE(CALL(cuEventElapsedTime)(&back, one, begin));
  EXPECT_GT(first, 0);
  EXPECT_NEAR(second, 2 * first, 1e-4);
  EXPECT_FLOAT_EQ(back, -first);
  // 8 MiB move over a bus of 360 GB/s at best.
  EXPECT_GT(first, 0.0232);
  EXPECT_LT(first, 0.2);
}

TEST_F(DriverCalls, WorkOnTwoStreamsOverlaps) {
  CUstream streams[2];
  for (CUstream& stream : streams) FINE(CALL(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  CUdeviceptr p = upload(std::vector<uint32_t>(1 << 18, 0));
  unsigned n = 1 << 18;
  const CUfunction add = load(kernel("add", add_one), "add");
  CUevent begin[2], end[2];
  for (int s = 0; s < 2; ++s) {
    FINE(CALL(cuEventCreate)(&begin[s], 0));
    FINE(CALL(cuEventCreate)(&end[s], 0));
    FINE(CALL(cuEventRecord)(begin[s], streams[s]));
    void* arguments[] = {&p, &n};
    FINE(CALL(cuLaunchKernel)(add, 1024, 1, 1, 256, 1, 1, 0, streams[s], arguments, nullptr));
    FINE(CALL(cuEventRecord)(end[s], streams[s]));
  }
  float one = 0, apart = 0;
  FINE(CALL(cuEventElapsedTime)(&one, begin[0], end[0]));
  FINE(CALL(cuEventElapsedTime)(&apart, begin[0], begin[1]));
  EXPECT_GT(one, 0);
  EXPECT_FLOAT_EQ(apart, 0);
  FINE(CALL(cuStreamWaitEvent)(streams[0], end[1], 0));
  CUstream gone = streams[0];
  FINE(CALL(cuStreamDestroy_v2)(gone));
  EXPECT_EQ(CALL(cuStreamSynchronize)(gone), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverCalls, AttributesOfAFunction) {
  const std::string shared = ".shared .align 4 .b8 tile[40];\n";
  const CUfunction function =
      load(kernel("with", "mov.u64 %a, tile;\nst.global.u64 [%p], %a;", shared), "with");
  int value = 0;
  FINE(CALL(cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
  EXPECT_EQ(value, 40);
  FINE(CALL(cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  EXPECT_EQ(value, 1024);
  EXPECT_EQ(CALL(cuFuncSetAttribute)(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 99 * 1024),
            CUDA_ERROR_INVALID_VALUE);
  FINE(CALL(cuFuncSetAttribute)(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 98 * 1024));
  CUdeviceptr p = upload(std::vector<uint64_t>{0});
  unsigned n = 0;
  FINE(launch(function, 1, 1, {&p, &n}, 98 * 1024));
  int blocks = 0;
  FINE(CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, function, 256, 0));
  EXPECT_EQ(blocks, 6);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
