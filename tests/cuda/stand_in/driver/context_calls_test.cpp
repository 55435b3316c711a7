// Contexts, streams, events, modules and errors: the calls around the work.
#include <gmock/gmock.h>

#include <cstring>

#include "tests/cuda/stand_in/driver/library.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::HasSubstr;

class DriverContextCalls : public DriverTest {};

TEST_F(DriverContextCalls, ContextsAreAStack) {
  CUcontext got = nullptr;
  CUdevice device = -1;
  FINE(CALL(cuCtxGetDevice)(&device));
  EXPECT_EQ(device, 0);
  FINE(CALL(cuCtxPushCurrent_v2)(context));
  FINE(CALL(cuCtxPopCurrent_v2)(&got));
  EXPECT_EQ(got, context);
  FINE(CALL(cuCtxPopCurrent_v2)(&got));
  EXPECT_EQ(got, context);
  EXPECT_EQ(CALL(cuCtxGetDevice)(&device), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(CALL(cuCtxPopCurrent_v2)(&got), CUDA_ERROR_INVALID_CONTEXT);
  FINE(CALL(cuCtxPushCurrent_v2)(context));
  unsigned version = 0;
  FINE(CALL(cuCtxGetApiVersion)(context, &version));
  EXPECT_GE(version, 3010u);
  size_t bytes = 0;
  FINE(CALL(cuCtxSetLimit)(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20));
  FINE(CALL(cuCtxGetLimit)(&bytes, CU_LIMIT_PRINTF_FIFO_SIZE));
  EXPECT_EQ(bytes, size_t{1} << 20);
  int least = 0, greatest = 0;
  FINE(CALL(cuCtxGetStreamPriorityRange)(&least, &greatest));
  EXPECT_GE(least, greatest);
}

TEST_F(DriverContextCalls, StreamsKeepTheirAttributes) {
  CUstream stream = nullptr, other = nullptr;
  FINE(CALL(cuStreamCreateWithPriority)(&stream, CU_STREAM_DEFAULT, -2));
  FINE(CALL(cuStreamCreate)(&other, CU_STREAM_DEFAULT));
  CUstreamAttrValue value{};
  FINE(CALL(cuStreamGetAttribute)(stream, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
  EXPECT_EQ(value.priority, -2);
  value.priority = -1;
  FINE(CALL(cuStreamSetAttribute)(stream, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
  value = {};
  value.syncPolicy = CU_SYNC_POLICY_YIELD;
  FINE(CALL(cuStreamSetAttribute)(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  FINE(CALL(cuStreamCopyAttributes)(other, stream));
  for (CUstream each : {stream, other}) {
    int priority = 0;
    FINE(CALL(cuStreamGetPriority)(each, &priority));
    EXPECT_EQ(priority, -1);
    FINE(CALL(cuStreamGetAttribute)(each, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    EXPECT_EQ(value.priority, -1);
    FINE(CALL(cuStreamGetAttribute)(each, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    EXPECT_EQ(value.syncPolicy, CU_SYNC_POLICY_YIELD);
  }
}

TEST_F(DriverContextCalls, StreamsTellWhatTheyAre) {
  CUstream stream = nullptr;
  int least = 0, greatest = 0, priority = 0;
  FINE(CALL(cuCtxGetStreamPriorityRange)(&least, &greatest));
  FINE(CALL(cuStreamCreateWithPriority)(&stream, CU_STREAM_NON_BLOCKING, greatest));
  FINE(CALL(cuStreamGetPriority)(stream, &priority));
  EXPECT_EQ(priority, greatest);
  unsigned flags = 0;
  FINE(CALL(cuStreamGetFlags)(stream, &flags));
  EXPECT_EQ(flags, unsigned{CU_STREAM_NON_BLOCKING});
  CUcontext of = nullptr;
  FINE(CALL(cuStreamGetCtx)(stream, &of));
  EXPECT_EQ(of, context);
  FINE(CALL(cuStreamQuery)(stream));
  int called = 0;
  FINE(CALL(cuStreamAddCallback)(
      stream, [](CUstream, CUresult, void* data) { ++*static_cast<int*>(data); }, &called, 0));
  FINE(CALL(cuLaunchHostFunc)(
      stream, [](void* data) { ++*static_cast<int*>(data); }, &called));
  FINE(CALL(cuStreamSynchronize)(stream));
  EXPECT_EQ(called, 2);
  FINE(CALL(cuStreamDestroy_v2)(stream));
}

TEST_F(DriverContextCalls, EventsAreThereOnceRecorded) {
  CUevent first = nullptr, second = nullptr;
  FINE(CALL(cuEventCreate)(&first, 0));
  FINE(CALL(cuEventCreate)(&second, 0));
  float ms = -1;
  EXPECT_NE(CALL(cuEventElapsedTime)(&ms, first, second), CUDA_SUCCESS);
  FINE(CALL(cuEventRecordWithFlags)(first, nullptr, 0));
  CUdeviceptr p = upload(std::vector<uint32_t>(1000, 41));
  FINE(CALL(cuEventRecord)(second, nullptr));
  FINE(CALL(cuEventQuery)(second));
  FINE(CALL(cuEventSynchronize)(second));
  FINE(CALL(cuEventElapsedTime)(&ms, first, second));
  EXPECT_GT(ms, 0);
  FINE(CALL(cuEventDestroy_v2)(first));
  FINE(CALL(cuEventDestroy_v2)(second));
  FINE(CALL(cuMemFree_v2)(p));
}

TEST_F(DriverContextCalls, ErrorsHaveNamesAndSentences) {
  const char* text = nullptr;
  FINE(CALL(cuGetErrorName)(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  FINE(CALL(cuGetErrorString)(CUDA_ERROR_OUT_OF_MEMORY, &text));
  EXPECT_THAT(text, HasSubstr("memory"));
  EXPECT_EQ(CALL(cuGetErrorName)(static_cast<CUresult>(98765), &text), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverContextCalls, FunctionsTellTheirParameters) {
  CUmodule module = nullptr;
  const std::string ptx = kernel("add", add_one);
  FINE(CALL(cuModuleLoadDataEx)(&module, ptx.c_str(), 0, nullptr, nullptr));
  unsigned count = 0;
  FINE(CALL(cuModuleGetFunctionCount)(&count, module));
  EXPECT_EQ(count, 1u);
  CUfunction function = nullptr;
  FINE(CALL(cuModuleEnumerateFunctions)(&function, 1, module));
  const char* name = nullptr;
  FINE(CALL(cuFuncGetName)(&name, function));
  EXPECT_STREQ(name, "add");
  size_t offset = 0, bytes = 0;
  FINE(CALL(cuFuncGetParamInfo)(function, 1, &offset, &bytes));
  EXPECT_EQ(offset, 8u);
  EXPECT_EQ(bytes, 4u);
  EXPECT_EQ(CALL(cuFuncGetParamInfo)(function, 2, &offset, &bytes), CUDA_ERROR_INVALID_VALUE);
  CUmodule of = nullptr;
  FINE(CALL(cuFuncGetModule)(&of, function));
  EXPECT_EQ(of, module);
  int blocks = 0, least = 0, size = 0;
  FINE(CALL(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(&blocks, function, 128, 0, 0));
  EXPECT_GT(blocks, 0);
  FINE(CALL(cuOccupancyMaxPotentialBlockSize)(&least, &size, function, nullptr, 0, 0));
  EXPECT_GT(least, 0);
  EXPECT_EQ(size % 32, 0);
}

TEST_F(DriverContextCalls, LaunchesByConfiguration) {
  CUdeviceptr p = upload(std::vector<uint32_t>(64, 41));
  unsigned n = 64;
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 64;
  config.blockDimY = config.blockDimZ = 1;
  void* arguments[] = {&p, &n};
  FINE(CALL(cuLaunchKernelEx)(&config, load(kernel("add", add_one), "add"), arguments, nullptr));
  EXPECT_THAT(download<uint32_t>(p, 64), testing::Each(42u));
  CUlaunchAttribute cluster{};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim = {2, 1, 1};
  config.attrs = &cluster;
  config.numAttrs = 1;
  EXPECT_EQ(CALL(cuLaunchKernelEx)(&config, load(kernel("add", add_one), "add"), arguments, nullptr),
            CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(DriverContextCalls, ProcAddressesAreFoundByNameAndVersion) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult how{};
  FINE(CALL(cuGetProcAddress_v2)("cuMemAlloc", &found, 12000, 0, &how));
  EXPECT_EQ(found, symbol("cuMemAlloc_v2"));
  EXPECT_EQ(how, CU_GET_PROC_ADDRESS_SUCCESS);
  EXPECT_NE(CALL(cuGetProcAddress)("cuNoSuchCall", &found, 12000, 0), CUDA_SUCCESS);
  int version = 0;
  FINE(CALL(cuDriverGetVersion)(&version));
  EXPECT_GE(version, 12000);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
