// Products of sparse matrices with vectors and dense matrices (cuSPARSE documentation, "cusparseSpMV",
// "cusparseSpMM" and "cusparseSDDMM").
#include <algorithm>

#include "cuda/stand_in/libraries/sparse/entries.h"

using namespace warplens::sparse;

namespace {

// What all functions of one product are given.
struct Mv {
  cusparseOperation_t op;
  const void *alpha, *beta;
  const cusparseSpMatDescr* a;
  const cusparseDnVecDescr *x, *y;
  cudaDataType type;
};

bool is_turned(cusparseOperation_t op) { return op != CUSPARSE_OPERATION_NON_TRANSPOSE; }

cusparseStatus_t check_types(cudaDataType computed, cudaDataType read, cudaDataType written) {
  return with_type(computed, [read, written]<class T>(T) {
    return holds<T>(read) && holds<T>(written) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
  });
}

cusparseStatus_t check(const cusparseContext* handle, const Mv& given) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  const auto& [op, alpha, beta, a, x, y, type] = given;
  if (alpha == nullptr || beta == nullptr || a == nullptr || x == nullptr || y == nullptr ||
      !is_operation(op))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (x->size != (is_turned(op) ? a->rows : a->columns) || y->size != (is_turned(op) ? a->columns : a->rows))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return a->type == x->type ? check_types(type, a->type, y->type) : CUSPARSE_STATUS_NOT_SUPPORTED;
}

struct Mm {
  cusparseOperation_t op_a, op_b;
  const void *alpha, *beta;
  const cusparseSpMatDescr* a;
  const cusparseDnMatDescr *b, *c;
  cudaDataType type;
};

cusparseStatus_t check(const cusparseContext* handle, const Mm& given) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  const auto& [op_a, op_b, alpha, beta, a, b, c, type] = given;
  if (alpha == nullptr || beta == nullptr || a == nullptr || b == nullptr || c == nullptr ||
      !is_operation(op_a) || !is_operation(op_b))
    return CUSPARSE_STATUS_INVALID_VALUE;
  const int64_t rows = is_turned(op_a) ? a->columns : a->rows, inner = is_turned(op_a) ? a->rows : a->columns;
  if (rows != c->rows || inner != (is_turned(op_b) ? b->columns : b->rows) ||
      c->columns != (is_turned(op_b) ? b->rows : b->columns) || a->batch != c->batch || b->batch != c->batch)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return a->type == b->type ? check_types(type, a->type, c->type) : CUSPARSE_STATUS_NOT_SUPPORTED;
}

struct Sddmm {
  cusparseOperation_t op_a, op_b;
  const void *alpha, *beta;
  const cusparseDnMatDescr *a, *b;
  const cusparseSpMatDescr* c;
  cudaDataType type;
};

cusparseStatus_t check(const cusparseContext* handle, const Sddmm& given) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  const auto& [op_a, op_b, alpha, beta, a, b, c, type] = given;
  if (alpha == nullptr || beta == nullptr || a == nullptr || b == nullptr || c == nullptr ||
      !is_operation(op_a) || !is_operation(op_b))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if ((is_turned(op_a) ? a->columns : a->rows) != c->rows ||
      (is_turned(op_b) ? b->rows : b->columns) != c->columns ||
      (is_turned(op_a) ? a->rows : a->columns) != (is_turned(op_b) ? b->columns : b->rows))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (a->batch != 1 || b->batch != 1 || c->batch != 1) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return a->type == b->type ? check_types(type, a->type, c->type) : CUSPARSE_STATUS_NOT_SUPPORTED;
}

template <class Given>
cusparseStatus_t size(const cusparseContext* handle, const Given& given, size_t* bytes) {
  const cusparseStatus_t wrong = check(handle, given);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = work_bytes;
  return CUSPARSE_STATUS_SUCCESS;
}

// The most frequent product, of a CSR matrix as it is: a list of its entries takes more than twice as long.
// False where indices are wrong, which the list says in a sentence.
template <class T, class I>
bool times_vector(const Memory& memory, const cusparseSpMatDescr& a, const std::vector<T>& x,
                  std::vector<T>& to) {
  const I* begin = memory.array<const I>(a.first, a.rows + 1, warplens_reads);
  const I* columns = memory.array<const I>(a.second, a.count, warplens_reads);
  const T* values = memory.array<const T>(a.values, a.count, warplens_reads);
  if (begin == nullptr || columns == nullptr || values == nullptr) return false;
  int64_t entry = 0;
  for (int64_t row = 0; row < a.rows; ++row) {
    const int64_t end = int64_t{begin[row + 1]} - a.base;
    if (int64_t{begin[row]} - a.base != entry || end < entry || end > a.count) return false;
    T sum{};
    for (; entry < end; ++entry) {
      const int64_t column = int64_t{columns[entry]} - a.base;
      if (column < 0 || column >= a.columns) return false;
      sum += values[entry] * x[static_cast<size_t>(column)];
    }
    to[static_cast<size_t>(row)] = sum;
  }
  return entry == a.count;
}
template <class T>
bool times_vector(const Memory& memory, const cusparseSpMatDescr& a, cusparseOperation_t op,
                  const std::vector<T>& x, std::vector<T>& to) {
  if (a.format != CUSPARSE_FORMAT_CSR || is_turned(op) || a.first_type != a.second_type ||
      bytes_of(a.type) != sizeof(T))
    return false;
  return a.first_type == CUSPARSE_INDEX_64I ? times_vector<T, int64_t>(memory, a, x, to)
                                            : times_vector<T, int32_t>(memory, a, x, to);
}

template <class T>
cusparseStatus_t multiply(const cusparseContext& handle, const Mv& given) {
  const Call call{"cusparseSpMV", shape_of(*given.a), double(given.a->count) * operations_of<T>, unit_of<T>,
                  false};
  return run(handle, call,
             [op = given.op, a = *given.a, x = *given.x, y = *given.y, alpha = Scalar<T>(handle, given.alpha),
              beta = Scalar<T>(handle, given.beta)](const Memory& memory) {
               T by, rest;
               Entries<T> of;
               std::vector<T> from, made(static_cast<size_t>(y.size));
               if (!alpha.read(memory, by) || !beta.read(memory, rest) ||
                   !load_values(memory, x.values, x.size, x.type, from))
                 return false;
               if (times_vector(memory, a, op, from, made))
                 return store_values(memory, y.values, y.type, by, made, rest);
               std::fill(made.begin(), made.end(), T{});
               if (!load(memory, a, 0, op, of)) return false;
               for (size_t i = 0; i < of.values.size(); ++i)
                 made[static_cast<size_t>(of.rows[i])] +=
                     of.values[i] * from[static_cast<size_t>(of.columns[i])];
               return store_values(memory, y.values, y.type, by, made, rest);
             });
}

template <class T>
cusparseStatus_t multiply(const cusparseContext& handle, const Mm& given) {
  const auto columns = given.c->columns;
  const Call call{"cusparseSpMM", shape_of(*given.a) + ", " + std::to_string(columns) + " columns",
                  double(given.a->count) * double(columns) * given.c->batch * operations_of<T>, unit_of<T>,
                  false};
  return run(
      handle, call,
      [op_a = given.op_a, op_b = given.op_b, a = *given.a, b = *given.b, c = *given.c,
       alpha = Scalar<T>(handle, given.alpha), beta = Scalar<T>(handle, given.beta)](const Memory& memory) {
        T by, rest;
        if (!alpha.read(memory, by) || !beta.read(memory, rest)) return false;
        Entries<T> of;
        Rows<T> from;
        for (int i = 0; i < c.batch; ++i) {
          if (!load(memory, a, i, op_a, of) || !load(memory, b, i, op_b, from)) return false;
          Rows<T> made(c.rows, c.columns);
          for (size_t k = 0; k < of.values.size(); ++k) {
            const T value = of.values[k];
            const T* row = from[of.columns[k]];
            T* to = made[of.rows[k]];
            for (int64_t j = 0; j < c.columns; ++j) to[j] += value * row[j];
          }
          if (!store(memory, c, i, by, made, rest)) return false;
        }
        return true;
      });
}

// Only the entries that the sparse matrix has.
template <class T>
cusparseStatus_t multiply(const cusparseContext& handle, const Sddmm& given) {
  const int64_t inner = is_turned(given.op_a) ? given.a->rows : given.a->columns;
  const Call call{"cusparseSDDMM", shape_of(*given.c) + ", " + std::to_string(inner) + " products each",
                  double(given.c->count) * double(inner) * operations_of<T>, unit_of<T>, false};
  return run(
      handle, call,
      [op_a = given.op_a, op_b = given.op_b, a = *given.a, b = *given.b, c = *given.c, inner,
       alpha = Scalar<T>(handle, given.alpha), beta = Scalar<T>(handle, given.beta)](const Memory& memory) {
        T by, rest;
        Rows<T> one, other;
        Places places;
        if (!alpha.read(memory, by) || !beta.read(memory, rest) || !load_places(memory, c, 0, places) ||
            !load(memory, a, 0, op_a, one) || !load(memory, b, 0, op_b, other))
          return false;
        std::vector<T> made(static_cast<size_t>(c.count));
        for (size_t i = 0; i < made.size(); ++i)
          for (int64_t k = 0; k < inner; ++k) made[i] += one[places.rows[i]][k] * other[k][places.columns[i]];
        return store_values(memory, c.values, c.type, by, made, rest);
      });
}

template <class Given>
cusparseStatus_t product(cusparseHandle_t handle, const Given& given) {
  const cusparseStatus_t wrong = check(handle, given);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  return with_type(given.type, [&]<class T>(T) { return multiply<T>(*handle, given); });
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         const void* beta, cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t, size_t* bytes) {
  return size(handle, Mv{op, alpha, beta, a, x, y, type}, bytes);
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         const void* beta, cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t, void*) {
  return check(handle, Mv{op, alpha, beta, a, x, y, type});
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                              cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t, void*) {
  return product(handle, Mv{op, alpha, beta, a, x, y, type});
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpMMAlg_t, size_t* bytes) {
  return size(handle, Mm{op_a, op_b, alpha, beta, a, b, c, type}, bytes);
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpMMAlg_t, void*) {
  return check(handle, Mm{op_a, op_b, alpha, beta, a, b, c, type});
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType type, cusparseSpMMAlg_t,
                              void*) {
  return product(handle, Mm{op_a, op_b, alpha, beta, a, b, c, type});
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, const void* alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                          cusparseSDDMMAlg_t, size_t* bytes) {
  return size(handle, Sddmm{op_a, op_b, alpha, beta, a, b, c, type}, bytes);
}
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, const void* alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                          cusparseSDDMMAlg_t, void*) {
  return check(handle, Sddmm{op_a, op_b, alpha, beta, a, b, c, type});
}
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                               const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                               cusparseSDDMMAlg_t, void*) {
  return product(handle, Sddmm{op_a, op_b, alpha, beta, a, b, c, type});
}

}  // extern "C"
