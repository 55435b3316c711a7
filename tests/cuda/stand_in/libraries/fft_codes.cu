// nvcc: -lcufft
// The codes of misuse, and a fault.
#include "fft.h"

int main() {
  cufftHandle plan = 12345;
  size_t bytes = 0;
  int version = 0, major = 0, minor = 0, patch = 0;
  EXPECT_FFT_OK(cufftGetVersion(&version));
  EXPECT_FFT_OK(cufftGetProperty(MAJOR_VERSION, &major));
  EXPECT_FFT_OK(cufftGetProperty(MINOR_VERSION, &minor));
  EXPECT_FFT_OK(cufftGetProperty(PATCH_LEVEL, &patch));
  EXPECT((major == 11 || major == 12) && version == major * 1000 + minor * 100 + patch);

  OnDevice<cufftComplex> all(64);
  EXPECT_FFT(cufftExecC2C(plan, all.at, all.at, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  EXPECT_FFT(cufftDestroy(plan), CUFFT_INVALID_PLAN);
  EXPECT_FFT(cufftSetStream(plan, nullptr), CUFFT_INVALID_PLAN);
  EXPECT_FFT(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes), CUFFT_INVALID_PLAN);
  EXPECT_FFT(cufftPlan1d(&plan, 0, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  EXPECT_FFT(cufftPlan1d(&plan, 8, CUFFT_C2C, 0), CUFFT_INVALID_SIZE);
  EXPECT_FFT(cufftPlan1d(&plan, -8, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  int n[] = {2, 2, 2, 2};
  EXPECT(cufftPlanMany(&plan, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) != CUFFT_SUCCESS);
  EXPECT(cufftPlanMany(&plan, 0, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) != CUFFT_SUCCESS);

  EXPECT_FFT_OK(cufftPlan1d(&plan, 64, CUFFT_C2C, 1));
  EXPECT_FFT(cufftExecC2C(plan, all.at, all.at, 7), CUFFT_INVALID_VALUE);
  EXPECT_FFT(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes), CUFFT_INVALID_PLAN);
  // NVIDIA's library has given the work to the device when it returns; ours has done it.
  auto* outside = reinterpret_cast<cufftComplex*>(uintptr_t{64});
  const cufftResult end = cufftExecC2C(plan, outside, all.at, CUFFT_FORWARD);
  EXPECT(end == CUFFT_SUCCESS || end == CUFFT_EXEC_FAILED);
  EXPECT_CODE(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  return result();
}
