// What the handles and descriptors of cuSPARSE name, and how each function begins.
#pragma once

#include <string>
#include <utility>

#include "cuda/stand_in/libraries/shared/scalar.h"
#include "cuda/stand_in/libraries/shared/work.h"
#include "cuda/stand_in/libraries/sparse/types.h"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointer_mode = CUSPARSE_POINTER_MODE_HOST;
};

// Of the older API.
struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

struct cusparseDnVecDescr {
  int64_t size = 0;
  const void* values = nullptr;
  cudaDataType type = CUDA_R_32F;
};

struct cusparseSpVecDescr {
  int64_t size = 0, count = 0;
  const void *indices = nullptr, *values = nullptr;
  cusparseIndexType_t index = CUSPARSE_INDEX_32I;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cudaDataType type = CUDA_R_32F;
};

struct cusparseDnMatDescr {
  int64_t rows = 0, columns = 0, ld = 0;
  const void* values = nullptr;
  cudaDataType type = CUDA_R_32F;
  cusparseOrder_t order = CUSPARSE_ORDER_COL;
  int batch = 1;
  int64_t stride = 0;  // elements from one matrix of a batch to the next
};

struct cusparseSpMatDescr {
  cusparseFormat_t format = CUSPARSE_FORMAT_CSR;
  int64_t rows = 0, columns = 0, count = 0;
  const void* first = nullptr;   // CSR and CSC: where rows (columns) begin; COO: the rows
  const void* second = nullptr;  // the columns; CSC: the rows
  const void* values = nullptr;
  cusparseIndexType_t first_type = CUSPARSE_INDEX_32I, second_type = CUSPARSE_INDEX_32I;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cudaDataType type = CUDA_R_32F;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  int batch = 1;
  int64_t first_stride = 0, stride = 0;
};

namespace warplens::sparse {

using libraries::Call;
using libraries::Memory;

template <class T>
struct Scalar : libraries::Scalar<T> {
  Scalar(const cusparseContext& handle, const void* pointer)
      : libraries::Scalar<T>(handle.pointer_mode == CUSPARSE_POINTER_MODE_DEVICE, pointer) {}
};

cusparseStatus_t status_of(CUresult code);

// "4 × 4, 9 entries"
std::string shape_of(const cusparseSpMatDescr& matrix);

// body(const Memory&) → bool, on the handle's stream.
template <class Body>
cusparseStatus_t run(const cusparseContext& handle, const Call& call, Body body) {
  return status_of(libraries::run_on(handle.stream, call, std::move(body)));
}

}  // namespace warplens::sparse
