// Handles, and descriptors of the older API (cuSPARSE documentation, "Management Functions").
#include "cuda/stand_in/libraries/sparse/descriptors.h"

namespace warplens::sparse {

cusparseStatus_t status_of(CUresult code) {
  switch (code) {
    case CUDA_SUCCESS:
      return CUSPARSE_STATUS_SUCCESS;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
      return CUSPARSE_STATUS_NOT_INITIALIZED;
    case CUDA_ERROR_OUT_OF_MEMORY:
      return CUSPARSE_STATUS_ALLOC_FAILED;
    case CUDA_ERROR_NOT_SUPPORTED:
      return CUSPARSE_STATUS_NOT_SUPPORTED;
    default:
      return CUSPARSE_STATUS_EXECUTION_FAILED;
  }
}

std::string shape_of(const cusparseSpMatDescr& matrix) {
  return libraries::shape_of({matrix.rows, matrix.columns}) + ", " + std::to_string(matrix.count) +
         " entries";
}

namespace {

constexpr int library_version = 12603;  // 12.6.3, of CUDA 13.0

struct StatusRow {
  cusparseStatus_t status;
  const char *name, *text;
};
#define STATUS(name, text) \
  { CUSPARSE_STATUS_##name, "CUSPARSE_STATUS_" #name, text }
constexpr StatusRow statuses[] = {
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "the library was not initialized"),
    STATUS(ALLOC_FAILED, "the resource allocation failed"),
    STATUS(INVALID_VALUE, "an unsupported value or parameter was passed to the function"),
    STATUS(ARCH_MISMATCH, "the function requires a feature absent from the device"),
    STATUS(MAPPING_ERROR, "an access to GPU memory space failed"),
    STATUS(EXECUTION_FAILED, "the function failed to run on the GPU"),
    STATUS(INTERNAL_ERROR, "an internal operation failed"),
    STATUS(MATRIX_TYPE_NOT_SUPPORTED, "the matrix type is not supported by this function"),
    STATUS(ZERO_PIVOT, "an entry of the matrix is zero where a pivot is needed"),
    STATUS(NOT_SUPPORTED, "the operation or data type is not supported"),
    STATUS(INSUFFICIENT_RESOURCES, "the resources are not sufficient"),
};
#undef STATUS

}  // namespace

}  // namespace warplens::sparse

using namespace warplens::sparse;

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (handle == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (const CUresult error = warplens::libraries::ensure_context(); error != CUDA_SUCCESS)
    return status_of(error);
  *handle = new (std::nothrow) cusparseContext;
  return *handle == nullptr ? CUSPARSE_STATUS_ALLOC_FAILED : CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  delete handle;
  return handle == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (stream == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *stream = handle->stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (mode != CUSPARSE_POINTER_MODE_HOST && mode != CUSPARSE_POINTER_MODE_DEVICE)
    return CUSPARSE_STATUS_INVALID_VALUE;
  handle->pointer_mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (mode == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *mode = handle->pointer_mode;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (version == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *version = library_version;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  switch (type) {
    case MAJOR_VERSION:
      *value = library_version / 1000;
      return CUSPARSE_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = library_version / 100 % 10;
      return CUSPARSE_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = library_version % 100;
      return CUSPARSE_STATUS_SUCCESS;
  }
  return CUSPARSE_STATUS_INVALID_VALUE;
}

const char* cusparseGetErrorName(cusparseStatus_t status) {
  for (const StatusRow& row : statuses)
    if (row.status == status) return row.name;
  return "unrecognized error code";
}
const char* cusparseGetErrorString(cusparseStatus_t status) {
  for (const StatusRow& row : statuses)
    if (row.status == status) return row.text;
  return "unrecognized error code";
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* made) {
  if (made == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *made = new (std::nothrow) cusparseMatDescr;
  return *made == nullptr ? CUSPARSE_STATUS_ALLOC_FAILED : CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t matrix) {
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}
#define MEMBER(Name, Type, member, most)                                                        \
  cusparseStatus_t cusparseSetMat##Name(cusparseMatDescr_t matrix, Type value) {                \
    if (matrix == nullptr || value < 0 || value > (most)) return CUSPARSE_STATUS_INVALID_VALUE; \
    matrix->member = value;                                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                             \
  }                                                                                             \
  Type cusparseGetMat##Name(const cusparseMatDescr_t matrix) {                                  \
    return matrix == nullptr ? Type(0) : matrix->member;                                        \
  }
MEMBER(Type, cusparseMatrixType_t, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR)
MEMBER(FillMode, cusparseFillMode_t, fill, CUSPARSE_FILL_MODE_UPPER)
MEMBER(DiagType, cusparseDiagType_t, diagonal, CUSPARSE_DIAG_TYPE_UNIT)
MEMBER(IndexBase, cusparseIndexBase_t, base, CUSPARSE_INDEX_BASE_ONE)
#undef MEMBER

}  // extern "C"
