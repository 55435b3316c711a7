// Launches that are put together a call at a time, as before CUDA 4 and by PyCUDA.
#include <gmock/gmock.h>

#include "tests/cuda/stand_in/driver/library.h"

// CUDA's header calls them deprecated, and that is what is tested.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace warplens::test {
namespace THIS_FILE {

using testing::Each;

class DriverOldLaunch : public DriverTest {};

TEST_F(DriverOldLaunch, RunsWithItsParts) {
  CUdeviceptr p = upload(std::vector<uint32_t>(200, 41));
  CUfunction add = load(kernel("add", add_one), "add");
  FINE(CALL(cuFuncSetBlockShape)(add, 32, 1, 1));
  FINE(CALL(cuFuncSetSharedSize)(add, 64));
  FINE(CALL(cuParamSetSize)(add, 12));
  FINE(CALL(cuParamSetv)(add, 0, &p, sizeof p));
  FINE(CALL(cuParamSeti)(add, 8, 100));
  FINE(CALL(cuLaunchGrid)(add, 2, 2));  // 128 threads
  FINE(CALL(cuCtxSynchronize)());
  auto values = download<uint32_t>(p, 200);
  EXPECT_THAT(std::vector(values.begin(), values.begin() + 64), Each(43u));
  EXPECT_THAT(std::vector(values.begin() + 100, values.end()), Each(41u));
  // The parts stay for the next launch, and a launch of one block is the first of them.
  FINE(CALL(cuLaunch)(add));
  CUstream stream = nullptr;
  FINE(CALL(cuStreamCreate)(&stream, 0));
  FINE(CALL(cuLaunchGridAsync)(add, 1, 1, stream));
  FINE(CALL(cuStreamSynchronize)(stream));
  values = download<uint32_t>(p, 200);
  EXPECT_THAT(std::vector(values.begin(), values.begin() + 32), Each(45u));
  EXPECT_EQ(values[32], 43u);
}

TEST_F(DriverOldLaunch, RefusesWhatDoesNotFit) {
  CUfunction add = load(kernel("add", add_one), "add");
  uint64_t value = 0;
  EXPECT_EQ(CALL(cuFuncSetBlockShape)(add, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuFuncSetBlockShape)(nullptr, 1, 1, 1), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(CALL(cuParamSetv)(add, 8, &value, 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuParamSetv)(add, -4, &value, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuParamSetv)(add, 0, nullptr, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuParamSetf)(add, 0x7fffffff, 1.f), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuParamSetSize)(add, 4096), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuParamSetTexRef)(add, CU_PARAM_TR_DEFAULT, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuLaunchGrid)(add, 0, 1), CUDA_ERROR_INVALID_VALUE);
  FINE(CALL(cuFuncSetBlockShape)(add, 2048, 1, 1));
  EXPECT_EQ(CALL(cuLaunch)(add), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
