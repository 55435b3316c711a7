// Triangular systems (cuSPARSE documentation, "cusparseSpSV" and "cusparseSpSM"). Nothing is kept from the
// analysis.
#include "cuda/stand_in/libraries/sparse/entries.h"

struct cusparseSpSVDescr {};
struct cusparseSpSMDescr {};

using namespace warplens::sparse;

namespace {

// NVIDIA's library does not take a real matrix's conjugate here, though products do.
bool is_conjugate_of_real(cusparseOperation_t op, cudaDataType type) {
  return op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && (type == CUDA_R_32F || type == CUDA_R_64F);
}
bool is_turned(cusparseOperation_t op) { return op != CUSPARSE_OPERATION_NON_TRANSPOSE; }

struct Sv {
  cusparseOperation_t op;
  const void* alpha;
  const cusparseSpMatDescr* a;
  const cusparseDnVecDescr *x, *y;
  cudaDataType type;
  const cusparseSpSVDescr* kept;
};
struct Sm {
  cusparseOperation_t op_a, op_b;
  const void* alpha;
  const cusparseSpMatDescr* a;
  const cusparseDnMatDescr *b, *c;
  cudaDataType type;
  const cusparseSpSMDescr* kept;
};

cusparseStatus_t check(const cusparseContext* handle, const Sv& given) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  const auto& [op, alpha, a, x, y, type, kept] = given;
  if (alpha == nullptr || a == nullptr || x == nullptr || y == nullptr || kept == nullptr ||
      !is_operation(op) || is_conjugate_of_real(op, a->type) || a->rows != a->columns || x->size != a->rows ||
      y->size != a->rows)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return a->type == type && x->type == type && y->type == type
             ? with_type(type, [](auto) { return CUSPARSE_STATUS_SUCCESS; })
             : CUSPARSE_STATUS_NOT_SUPPORTED;
}
cusparseStatus_t check(const cusparseContext* handle, const Sm& given) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  const auto& [op_a, op_b, alpha, a, b, c, type, kept] = given;
  if (alpha == nullptr || a == nullptr || b == nullptr || c == nullptr || kept == nullptr ||
      !is_operation(op_a) || !is_operation(op_b) || is_conjugate_of_real(op_a, a->type) ||
      a->rows != a->columns || c->rows != a->rows || (is_turned(op_b) ? b->columns : b->rows) != c->rows ||
      (is_turned(op_b) ? b->rows : b->columns) != c->columns)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (b->batch != 1 || c->batch != 1) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return a->type == type && b->type == type && c->type == type
             ? with_type(type, [](auto) { return CUSPARSE_STATUS_SUCCESS; })
             : CUSPARSE_STATUS_NOT_SUPPORTED;
}

// The rows of b become the x of op(triangle) · x = b. Entries of the other triangle do not count.
template <class T>
bool solve(const Memory& memory, const cusparseSpMatDescr& matrix, cusparseOperation_t op, Rows<T>& b) {
  Entries<T> of;
  if (!load(memory, matrix, 0, op, of)) return false;
  const bool unit = matrix.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
  const bool lower = (matrix.fill == CUSPARSE_FILL_MODE_LOWER) != is_turned(op);
  const auto begin = beginnings(of.rows, matrix.rows);
  // The entries by rows, whatever their order was.
  std::vector<size_t> by_rows(of.values.size());
  auto next = begin;
  for (size_t i = 0; i < by_rows.size(); ++i)
    by_rows[static_cast<size_t>(next[static_cast<size_t>(of.rows[i])]++)] = i;
  for (int64_t step = 0; step < matrix.rows; ++step) {
    const int64_t row = lower ? step : matrix.rows - 1 - step;
    T pivot = unit ? T(1) : T(0);
    for (int64_t k = begin[static_cast<size_t>(row)]; k < begin[static_cast<size_t>(row) + 1]; ++k) {
      const size_t entry = by_rows[static_cast<size_t>(k)];
      const int64_t column = of.columns[entry];
      if (column == row && !unit) pivot = of.values[entry];
      if (lower ? column < row : column > row)
        for (int64_t j = 0; j < b.columns; ++j) b[row][j] -= of.values[entry] * b[column][j];
    }
    for (int64_t j = 0; j < b.columns; ++j) b[row][j] /= pivot;
  }
  return true;
}

template <class Descriptor>
cusparseStatus_t create(Descriptor** made) {
  if (made == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *made = new (std::nothrow) Descriptor;
  return *made == nullptr ? CUSPARSE_STATUS_ALLOC_FAILED : CUSPARSE_STATUS_SUCCESS;
}
template <class Descriptor>
cusparseStatus_t destroy(Descriptor* made) {
  delete made;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class Given>
cusparseStatus_t size(const cusparseContext* handle, const Given& given, size_t* bytes) {
  const cusparseStatus_t wrong = check(handle, given);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = work_bytes;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* made) { return create(made); }
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t made) { return destroy(made); }
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t kept, size_t* bytes) {
  return size(handle, Sv{op, alpha, a, x, y, type, kept}, bytes);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                       cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t,
                                       cusparseSpSVDescr_t kept, void*) {
  return check(handle, Sv{op, alpha, a, x, y, type, kept});
}
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                    cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t kept) {
  const cusparseStatus_t wrong = check(handle, Sv{op, alpha, a, x, y, type, kept});
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  return with_type(type, [&]<class T>(T) {
    return run(
        *handle, {"cusparseSpSV_solve", shape_of(*a), double(a->count) * operations_of<T>, unit_of<T>, false},
        [op, a = *a, x = *x, y = *y, factor = Scalar<T>(*handle, alpha)](const Memory& memory) {
          T by;
          Rows<T> all(x.size, 1);
          if (!factor.read(memory, by) || !load_values(memory, x.values, x.size, x.type, all.values))
            return false;
          for (T& value : all.values) value *= by;
          return solve(memory, a, op, all) && store_values(memory, y.values, y.type, T(1), all.values, T(0));
        });
  });
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* made) { return create(made); }
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t made) { return destroy(made); }
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t,
                                         cusparseSpSMDescr_t kept, size_t* bytes) {
  return size(handle, Sm{op_a, op_b, alpha, a, b, c, type, kept}, bytes);
}
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op_a,
                                       cusparseOperation_t op_b, const void* alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t,
                                       cusparseSpSMDescr_t kept, void*) {
  return check(handle, Sm{op_a, op_b, alpha, a, b, c, type, kept});
}
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a,
                                    cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType type,
                                    cusparseSpSMAlg_t, cusparseSpSMDescr_t kept) {
  const cusparseStatus_t wrong = check(handle, Sm{op_a, op_b, alpha, a, b, c, type, kept});
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  return with_type(type, [&]<class T>(T) {
    const Call call{"cusparseSpSM_solve", shape_of(*a) + ", " + std::to_string(c->columns) + " columns",
                    double(a->count) * double(c->columns) * operations_of<T>, unit_of<T>, false};
    return run(
        *handle, call,
        [op_a, op_b, a = *a, b = *b, c = *c, factor = Scalar<T>(*handle, alpha)](const Memory& memory) {
          T by;
          Rows<T> all;
          if (!factor.read(memory, by) || !load(memory, b, 0, op_b, all)) return false;
          for (T& value : all.values) value *= by;
          return solve(memory, a, op_a, all) && store(memory, c, 0, T(1), all, T(0));
        });
  });
}

}  // extern "C"
