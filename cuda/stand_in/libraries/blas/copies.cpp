// Vectors and matrices between host and device: copies of the driver, so that they are in the time line as
// such.
#include "cuda/stand_in/libraries/blas/handle.h"

using namespace warplens::blas;

namespace {

struct Side {
  CUmemorytype type;
  const void* address;
  int64_t ld;  // elements
};

// The rows of a CUDA copy are the columns of a BLAS.
cublasStatus_t copy_matrix(int64_t rows, int64_t columns, int64_t element, const Side& from, const Side& to,
                           cudaStream_t stream, bool waits) {
  if (rows < 0 || columns < 0 || element <= 0 || from.ld <= 0 || to.ld <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!fits(from.ld, rows) || !fits(to.ld, rows)) return CUBLAS_STATUS_MAPPING_ERROR;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  if (const CUresult error = warplens::libraries::ensure_context(); error != CUDA_SUCCESS)
    return status_of(error);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = from.type;
  copy.srcHost = from.address;
  copy.srcDevice = reinterpret_cast<CUdeviceptr>(from.address);
  copy.srcPitch = static_cast<size_t>(from.ld * element);
  copy.dstMemoryType = to.type;
  copy.dstHost = const_cast<void*>(to.address);
  copy.dstDevice = reinterpret_cast<CUdeviceptr>(to.address);
  copy.dstPitch = static_cast<size_t>(to.ld * element);
  copy.WidthInBytes = static_cast<size_t>(rows * element);
  copy.Height = static_cast<size_t>(columns);
  const CUresult error = waits ? cuMemcpy2DUnaligned(&copy) : cuMemcpy2DAsync(&copy, stream);
  return error == CUDA_SUCCESS ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

constexpr CUmemorytype host = CU_MEMORYTYPE_HOST, device = CU_MEMORYTYPE_DEVICE;

// One element a row, unless they are packed.
cublasStatus_t copy_vector(int64_t count, int64_t element, Side from, Side to, cudaStream_t stream,
                           bool waits) {
  if (from.ld == 1 && to.ld == 1) {
    from.ld = to.ld = count > 1 ? count : 1;
    return copy_matrix(count, 1, element, from, to, stream, waits);
  }
  return copy_matrix(1, count, element, from, to, stream, waits);
}

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and parts of names.
#define VECTORS(Int, width)                                                                                  \
  cublasStatus_t cublasSetVector##width(Int n, Int element, const void* x, Int step_x, void* y,              \
                                        Int step_y) {                                                        \
    return copy_vector(n, element, {host, x, step_x}, {device, y, step_y}, nullptr, true);                   \
  }                                                                                                          \
  cublasStatus_t cublasGetVector##width(Int n, Int element, const void* x, Int step_x, void* y,              \
                                        Int step_y) {                                                        \
    return copy_vector(n, element, {device, x, step_x}, {host, y, step_y}, nullptr, true);                   \
  }                                                                                                          \
  cublasStatus_t cublasSetVectorAsync##width(Int n, Int element, const void* x, Int step_x, void* y,         \
                                             Int step_y, cudaStream_t stream) {                              \
    return copy_vector(n, element, {host, x, step_x}, {device, y, step_y}, stream, false);                   \
  }                                                                                                          \
  cublasStatus_t cublasGetVectorAsync##width(Int n, Int element, const void* x, Int step_x, void* y,         \
                                             Int step_y, cudaStream_t stream) {                              \
    return copy_vector(n, element, {device, x, step_x}, {host, y, step_y}, stream, false);                   \
  }                                                                                                          \
  cublasStatus_t cublasSetMatrix##width(Int rows, Int columns, Int element, const void* a, Int lda, void* b, \
                                        Int ldb) {                                                           \
    return copy_matrix(rows, columns, element, {host, a, lda}, {device, b, ldb}, nullptr, true);             \
  }                                                                                                          \
  cublasStatus_t cublasGetMatrix##width(Int rows, Int columns, Int element, const void* a, Int lda, void* b, \
                                        Int ldb) {                                                           \
    return copy_matrix(rows, columns, element, {device, a, lda}, {host, b, ldb}, nullptr, true);             \
  }                                                                                                          \
  cublasStatus_t cublasSetMatrixAsync##width(Int rows, Int columns, Int element, const void* a, Int lda,     \
                                             void* b, Int ldb, cudaStream_t stream) {                        \
    return copy_matrix(rows, columns, element, {host, a, lda}, {device, b, ldb}, stream, false);             \
  }                                                                                                          \
  cublasStatus_t cublasGetMatrixAsync##width(Int rows, Int columns, Int element, const void* a, Int lda,     \
                                             void* b, Int ldb, cudaStream_t stream) {                        \
    return copy_matrix(rows, columns, element, {device, a, lda}, {host, b, ldb}, stream, false);             \
  }
VECTORS(int, )
VECTORS(int64_t, _64)
#undef VECTORS
// NOLINTEND(bugprone-macro-parentheses)

}  // extern "C"
