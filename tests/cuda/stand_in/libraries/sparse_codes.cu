// nvcc: -lcusparse
// Descriptors, settings, and the codes of misuse.
#include <cstring>

#include "sparse.h"

int main() {
  cusparseHandle_t handle = nullptr;
  EXPECT_SPARSE(cusparseCreate(nullptr), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_SPARSE_OK(cusparseCreate(&handle));
  int version = 0, major = 0, minor = 0, patch = 0;
  EXPECT_SPARSE_OK(cusparseGetVersion(handle, &version));
  EXPECT_SPARSE_OK(cusparseGetProperty(MAJOR_VERSION, &major));
  EXPECT_SPARSE_OK(cusparseGetProperty(MINOR_VERSION, &minor));
  EXPECT_SPARSE_OK(cusparseGetProperty(PATCH_LEVEL, &patch));
  EXPECT(major == 12 && version == major * 1000 + minor * 100 + patch);
  EXPECT(std::strcmp(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT), "CUSPARSE_STATUS_ZERO_PIVOT") == 0);
  EXPECT(std::strlen(cusparseGetErrorString(CUSPARSE_STATUS_NOT_SUPPORTED)) > 5);
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_DEVICE;
  EXPECT_SPARSE_OK(cusparseGetPointerMode(handle, &mode));
  EXPECT(mode == CUSPARSE_POINTER_MODE_HOST);

  const Whole<float> whole(4, 5, 1);
  const Sparse<float, int> a(whole, CUSPARSE_FORMAT_CSR, 0);
  int64_t rows = 0, columns = 0, count = 0;
  void *first = nullptr, *second = nullptr, *of = nullptr;
  cusparseIndexType_t first_type{}, second_type{};
  cusparseIndexBase_t base{};
  cudaDataType type{};
  EXPECT_SPARSE_OK(cusparseCsrGet(a.at, &rows, &columns, &count, &first, &second, &of, &first_type,
                                  &second_type, &base, &type));
  EXPECT(rows == 4 && columns == 5 && count == int64_t(a.host.values.size()) && first == a.first.at &&
         second == a.second.at && of == a.values.at);
  EXPECT(first_type == CUSPARSE_INDEX_32I && base == CUSPARSE_INDEX_BASE_ZERO && type == CUDA_R_32F);
  cusparseFormat_t format{};
  EXPECT_SPARSE_OK(cusparseSpMatGetFormat(a.at, &format));
  EXPECT(format == CUSPARSE_FORMAT_CSR);
  cusparseSpMatDescr_t wrong = nullptr;
  EXPECT_SPARSE(cusparseCreateCsr(&wrong, -1, 5, 1, first, second, of, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
                CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_SPARSE(cusparseCreateCsr(nullptr, 4, 5, 1, first, second, of, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
                CUSPARSE_STATUS_INVALID_VALUE);

  Vector<float> x(std::vector<float>(5, 1)), y(std::vector<float>(4, 1));
  const float one = 1;
  const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
  size_t bytes = 0;
  EXPECT_SPARSE(cusparseSpMV_bufferSize(nullptr, N, &one, a.at, x.at, &one, y.at, CUDA_R_32F,
                                        CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
                CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT_SPARSE(cusparseSpMV_bufferSize(handle, N, &one, a.at, y.at, &one, x.at, CUDA_R_32F,
                                        CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
                CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_SPARSE(cusparseSpMV_bufferSize(handle, N, nullptr, a.at, x.at, &one, y.at, CUDA_R_32F,
                                        CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
                CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_SPARSE(cusparseSpMV_bufferSize(handle, N, &one, a.at, x.at, &one, y.at, CUDA_R_32F,
                                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr),
                CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_SPARSE_OK(cusparseDestroy(handle));
  return result();
}
