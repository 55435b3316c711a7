// nvcc: -lcublas
// An array that is not on the device: an illegal address, as of a kernel, which ends the work on the device.
#include "expect.h"

int main() {
  cublasHandle_t handle = nullptr;
  EXPECT_BLAS_OK(cublasCreate(&handle));
  constexpr int n = 1 << 12;
  OnDevice<float> y(std::vector<float>(n, 1));
  const float alpha = 2;
  // NVIDIA's library has given the work to the device when it returns; ours has done it.
  const auto* outside = reinterpret_cast<const float*>(uintptr_t{64});
  const cublasStatus_t status = cublasSaxpy(handle, n, &alpha, outside, 1, y.at, 1);
  EXPECT(status == CUBLAS_STATUS_SUCCESS || status == CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_CODE(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_CODE(cudaMemset(y.at, 0, n), cudaErrorIllegalAddress);
  EXPECT(cublasSaxpy(handle, n, &alpha, y.at, 1, y.at, 1) != CUBLAS_STATUS_SUCCESS);
  return result();
}
