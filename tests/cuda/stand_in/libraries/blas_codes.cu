// nvcc: -lcublas
// Handles, settings, copies of vectors and matrices, and the codes of misuse.
#include <cstring>

#include "expect.h"

void handles() {
  cublasHandle_t handle = nullptr;
  EXPECT_BLAS_OK(cublasCreate(&handle));
  EXPECT(handle != nullptr);
  int version = 0, major = 0, minor = 0, patch = 0;
  EXPECT_BLAS_OK(cublasGetVersion(handle, &version));
  EXPECT_BLAS_OK(cublasGetProperty(MAJOR_VERSION, &major));
  EXPECT_BLAS_OK(cublasGetProperty(MINOR_VERSION, &minor));
  EXPECT_BLAS_OK(cublasGetProperty(PATCH_LEVEL, &patch));
  EXPECT(major == 12 || major == 13);
  EXPECT(version == major * 10000 + minor * 100 + patch);
  cublasMath_t math = CUBLAS_PEDANTIC_MATH;
  EXPECT_BLAS_OK(cublasGetMathMode(handle, &math));
  EXPECT(math == CUBLAS_DEFAULT_MATH);
  EXPECT_BLAS_OK(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
  EXPECT_BLAS_OK(cublasGetMathMode(handle, &math));
  EXPECT(math == CUBLAS_TF32_TENSOR_OP_MATH);
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_ALLOWED;
  EXPECT_BLAS_OK(cublasGetAtomicsMode(handle, &atomics));
  EXPECT(atomics == CUBLAS_ATOMICS_NOT_ALLOWED);
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_DEVICE;
  EXPECT_BLAS_OK(cublasGetPointerMode(handle, &mode));
  EXPECT(mode == CUBLAS_POINTER_MODE_HOST);
  EXPECT_BLAS_OK(cublasSetWorkspace(handle, nullptr, 0));
  EXPECT(std::strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE") == 0);
  EXPECT(std::strcmp(cublasGetStatusName(CUBLAS_STATUS_SUCCESS), "CUBLAS_STATUS_SUCCESS") == 0);
  EXPECT(std::strlen(cublasGetStatusString(CUBLAS_STATUS_NOT_INITIALIZED)) > 5);
  EXPECT_BLAS_OK(cublasDestroy(handle));
}

void copies() {
  std::vector<float> matrix(12), back(12, 0);
  for (int i = 0; i < 12; ++i) matrix[i] = float(i);
  OnDevice<float> on_device(std::vector<float>(20, -1));
  EXPECT_BLAS_OK(cublasSetMatrix(3, 4, sizeof(float), matrix.data(), 3, on_device.at, 5));
  const auto there = on_device.get();
  EXPECT(there[0] == 0 && there[2] == 2 && there[3] == -1 && there[5] == 3 && there[17] == 11);
  EXPECT_BLAS_OK(cublasGetMatrix(3, 4, sizeof(float), on_device.at, 5, back.data(), 3));
  EXPECT(back == matrix);
  EXPECT_BLAS_OK(cublasSetVector(4, sizeof(float), matrix.data(), 3, on_device.at, 2));
  EXPECT(on_device.get()[0] == 0 && on_device.get()[2] == 3 && on_device.get()[6] == 9);
  EXPECT_BLAS_OK(cublasGetVector(4, sizeof(float), on_device.at, 2, back.data(), 1));
  EXPECT(back[1] == 3 && back[3] == 9);
  cudaStream_t stream = nullptr;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_BLAS_OK(cublasSetVectorAsync(12, sizeof(float), matrix.data(), 1, on_device.at, 1, stream));
  EXPECT_BLAS_OK(cublasGetVectorAsync(12, sizeof(float), on_device.at, 1, back.data(), 1, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(back == matrix);
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_BLAS(cublasSetMatrix(3, 4, 0, matrix.data(), 3, on_device.at, 5), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_BLAS(cublasSetMatrix(3, 4, 4, matrix.data(), 2, on_device.at, 5), CUBLAS_STATUS_MAPPING_ERROR);
  EXPECT_BLAS(cublasSetVector(4, 4, matrix.data(), 0, on_device.at, 1), CUBLAS_STATUS_INVALID_VALUE);
}

void misuse() {
  cublasHandle_t handle = nullptr;
  OnDevice<float> x(16), y(16);
  float one = 1;
  EXPECT_BLAS(cublasDestroy(nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_BLAS(cublasSaxpy(nullptr, 4, &one, x.at, 1, y.at, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_BLAS_OK(cublasCreate(&handle));
  const auto N = CUBLAS_OP_N;
  EXPECT_BLAS(cublasSgemm(handle, N, N, -1, 4, 4, &one, x.at, 4, y.at, 4, &one, y.at, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_BLAS(cublasSgemm(handle, N, N, 4, 4, 4, &one, x.at, 3, y.at, 4, &one, y.at, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_BLAS(cublasSgemm(handle, N, N, 4, 4, 4, &one, x.at, 4, y.at, 3, &one, y.at, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_BLAS(cublasSgemm(handle, N, N, 4, 4, 4, &one, x.at, 4, y.at, 4, &one, y.at, 3),
              CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_BLAS(cublasSgemv(handle, N, 4, 4, &one, x.at, 3, y.at, 1, &one, y.at, 1),
              CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_BLAS(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, N, CUBLAS_DIAG_NON_UNIT, 4, -1,
                          &one, x.at, 4, y.at, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_BLAS_OK(cublasSaxpy(handle, -3, &one, x.at, 1, y.at, 1));
  EXPECT_BLAS_OK(cublasDestroy(handle));
}

int main() {
  handles();
  copies();
  misuse();
  return result();
}
