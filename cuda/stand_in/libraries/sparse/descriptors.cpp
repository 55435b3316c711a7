// Descriptors of the generic API: made, asked, changed (cuSPARSE documentation, "Generic APIs",
// "Descriptors").
#include "cuda/stand_in/libraries/sparse/descriptors.h"

#include <cstring>

#include "cuda/stand_in/libraries/shared/element.h"

namespace {

constexpr auto success = CUSPARSE_STATUS_SUCCESS;
constexpr auto invalid = CUSPARSE_STATUS_INVALID_VALUE;

bool is_type(cudaDataType type) { return warplens::libraries::bytes_of(type) != 0; }
bool is_index(cusparseIndexType_t type) { return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I; }
bool is_base(cusparseIndexBase_t base) {
  return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}

// Pointer: to a descriptor that is changed, or only read.
template <class Descriptor, class Pointer>
cusparseStatus_t make(Pointer* made, const Descriptor& value) {
  auto* kept = new (std::nothrow) Descriptor(value);
  if (kept == nullptr) return CUSPARSE_STATUS_ALLOC_FAILED;
  *made = kept;
  return success;
}

template <class Pointer>
cusparseStatus_t make_sparse_vector(Pointer* made, int64_t size, int64_t count, const void* indices,
                                    const void* values, cusparseIndexType_t index, cusparseIndexBase_t base,
                                    cudaDataType type) {
  if (made == nullptr || size < 0 || count < 0 || count > size || !is_index(index) || !is_base(base) ||
      !is_type(type) || (count > 0 && (indices == nullptr || values == nullptr)))
    return invalid;
  return make(made, cusparseSpVecDescr{size, count, indices, values, index, base, type});
}

template <class Pointer>
cusparseStatus_t make_vector(Pointer* made, int64_t size, const void* values, cudaDataType type) {
  if (made == nullptr || size < 0 || (size > 0 && values == nullptr) || !is_type(type)) return invalid;
  return make(made, cusparseDnVecDescr{size, values, type});
}

template <class Pointer>
cusparseStatus_t make_matrix(Pointer* made, int64_t rows, int64_t columns, int64_t ld, const void* values,
                             cudaDataType type, cusparseOrder_t order) {
  const bool by_columns = order == CUSPARSE_ORDER_COL;
  if (made == nullptr || rows < 0 || columns < 0 || (!by_columns && order != CUSPARSE_ORDER_ROW) ||
      ld < (by_columns ? rows : columns) || values == nullptr || !is_type(type))
    return invalid;
  return make(made, cusparseDnMatDescr{rows, columns, ld, values, type, order});
}

template <class Pointer>
cusparseStatus_t make_sparse_matrix(Pointer* made, const cusparseSpMatDescr& value) {
  if (made == nullptr || value.rows < 0 || value.columns < 0 || value.count < 0 ||
      !is_index(value.first_type) || !is_index(value.second_type) || !is_base(value.base) ||
      !is_type(value.type) ||
      (value.count > 0 && (value.first == nullptr || value.second == nullptr || value.values == nullptr)))
    return invalid;
  return make(made, value);
}

template <class Descriptor>
cusparseStatus_t destroy(const Descriptor* descriptor) {
  delete descriptor;
  return success;
}

// What a program does not ask for is null.
template <class To, class From>
void put(To* to, From value) {
  if (to == nullptr) return;
  if constexpr (std::is_same_v<From, const void*>) {
    *to = const_cast<To>(value);
  } else {
    *to = value;
  }
}

template <class Pointer>
cusparseStatus_t get(const cusparseSpVecDescr* from, int64_t* size, int64_t* count, Pointer* indices,
                     Pointer* values, cusparseIndexType_t* index, cusparseIndexBase_t* base,
                     cudaDataType* type) {
  if (from == nullptr) return invalid;
  put(size, from->size);
  put(count, from->count);
  put(indices, from->indices);
  put(values, from->values);
  put(index, from->index);
  put(base, from->base);
  put(type, from->type);
  return success;
}

template <class Pointer>
cusparseStatus_t get(const cusparseSpMatDescr* from, cusparseFormat_t format, int64_t* rows, int64_t* columns,
                     int64_t* count, Pointer* first, Pointer* second, Pointer* values,
                     cusparseIndexType_t* first_type, cusparseIndexType_t* second_type,
                     cusparseIndexBase_t* base, cudaDataType* type) {
  if (from == nullptr || from->format != format) return invalid;
  put(rows, from->rows);
  put(columns, from->columns);
  put(count, from->count);
  put(first, from->first);
  put(second, from->second);
  put(values, from->values);
  put(first_type, from->first_type);
  put(second_type, from->second_type);
  put(base, from->base);
  put(type, from->type);
  return success;
}

template <class Pointer>
cusparseStatus_t get(const cusparseDnVecDescr* from, int64_t* size, Pointer* values, cudaDataType* type) {
  if (from == nullptr) return invalid;
  put(size, from->size);
  put(values, from->values);
  put(type, from->type);
  return success;
}

template <class Pointer>
cusparseStatus_t get(const cusparseDnMatDescr* from, int64_t* rows, int64_t* columns, int64_t* ld,
                     Pointer* values, cudaDataType* type, cusparseOrder_t* order) {
  if (from == nullptr) return invalid;
  put(rows, from->rows);
  put(columns, from->columns);
  put(ld, from->ld);
  put(values, from->values);
  put(type, from->type);
  put(order, from->order);
  return success;
}

template <class Descriptor, class Pointer>
cusparseStatus_t get_values(const Descriptor* from, Pointer* values) {
  if (from == nullptr || values == nullptr) return invalid;
  put(values, from->values);
  return success;
}
template <class Descriptor>
cusparseStatus_t set_values(Descriptor* to, const void* values) {
  if (to == nullptr || values == nullptr) return invalid;
  to->values = values;
  return success;
}

cusparseStatus_t set_pointers(cusparseSpMatDescr* to, cusparseFormat_t format, const void* first,
                              const void* second, const void* values) {
  if (to == nullptr || to->format != format || first == nullptr) return invalid;
  to->first = first;
  to->second = second;
  to->values = values;
  return success;
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* made, int64_t size, int64_t count, void* indices,
                                     void* values, cusparseIndexType_t index, cusparseIndexBase_t base,
                                     cudaDataType type) {
  return make_sparse_vector(made, size, count, indices, values, index, base, type);
}
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* made, int64_t size, int64_t count,
                                          const void* indices, const void* values, cusparseIndexType_t index,
                                          cusparseIndexBase_t base, cudaDataType type) {
  return make_sparse_vector(made, size, count, indices, values, index, base, type);
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) { return destroy(vector); }
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t* size, int64_t* count, void** indices,
                                  void** values, cusparseIndexType_t* index, cusparseIndexBase_t* base,
                                  cudaDataType* type) {
  return get(vector, size, count, indices, values, index, base, type);
}
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t vector, int64_t* size, int64_t* count,
                                       const void** indices, const void** values, cusparseIndexType_t* index,
                                       cusparseIndexBase_t* base, cudaDataType* type) {
  return get(vector, size, count, indices, values, index, base, type);
}
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector, cusparseIndexBase_t* base) {
  if (vector == nullptr || base == nullptr) return invalid;
  *base = vector->base;
  return success;
}
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void** values) {
  return get_values(vector, values);
}
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t vector, const void** values) {
  return get_values(vector, values);
}
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values) {
  return set_values(vector, values);
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* made, int64_t size, void* values,
                                     cudaDataType type) {
  return make_vector(made, size, values, type);
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* made, int64_t size, const void* values,
                                          cudaDataType type) {
  return make_vector(made, size, values, type);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) { return destroy(vector); }
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values,
                                  cudaDataType* type) {
  return get(vector, size, values, type);
}
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t vector, int64_t* size, const void** values,
                                       cudaDataType* type) {
  return get(vector, size, values, type);
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values) {
  return get_values(vector, values);
}
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t vector, const void** values) {
  return get_values(vector, values);
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  return set_values(vector, values);
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* made, int64_t rows, int64_t columns, int64_t ld,
                                     void* values, cudaDataType type, cusparseOrder_t order) {
  return make_matrix(made, rows, columns, ld, values, type, order);
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* made, int64_t rows, int64_t columns,
                                          int64_t ld, const void* values, cudaDataType type,
                                          cusparseOrder_t order) {
  return make_matrix(made, rows, columns, ld, values, type, order);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) { return destroy(matrix); }
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* ld,
                                  void** values, cudaDataType* type, cusparseOrder_t* order) {
  return get(matrix, rows, columns, ld, values, type, order);
}
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                       int64_t* ld, const void** values, cudaDataType* type,
                                       cusparseOrder_t* order) {
  return get(matrix, rows, columns, ld, values, type, order);
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values) {
  return get_values(matrix, values);
}
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t matrix, const void** values) {
  return get_values(matrix, values);
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values) {
  return set_values(matrix, values);
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count, int64_t stride) {
  if (matrix == nullptr || count < 1 || (count > 1 && stride < 0)) return invalid;
  matrix->batch = count;
  matrix->stride = stride;
  return success;
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int* count, int64_t* stride) {
  if (matrix == nullptr || count == nullptr || stride == nullptr) return invalid;
  *count = matrix->batch;
  *stride = matrix->stride;
  return success;
}

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types.
#define COMPRESSED(Name, NAME)                                                                               \
  cusparseStatus_t cusparseCreate##Name(cusparseSpMatDescr_t* made, int64_t rows, int64_t columns,           \
                                        int64_t count, void* first, void* second, void* values,              \
                                        cusparseIndexType_t first_type, cusparseIndexType_t second_type,     \
                                        cusparseIndexBase_t base, cudaDataType type) {                       \
    return make_sparse_matrix(                                                                               \
        made, cusparseSpMatDescr{CUSPARSE_FORMAT_##NAME, rows, columns, count, first, second, values,        \
                                 first_type, second_type, base, type});                                      \
  }                                                                                                          \
  cusparseStatus_t cusparseCreateConst##Name(                                                                \
      cusparseConstSpMatDescr_t* made, int64_t rows, int64_t columns, int64_t count, const void* first,      \
      const void* second, const void* values, cusparseIndexType_t first_type,                                \
      cusparseIndexType_t second_type, cusparseIndexBase_t base, cudaDataType type) {                        \
    return make_sparse_matrix(                                                                               \
        made, cusparseSpMatDescr{CUSPARSE_FORMAT_##NAME, rows, columns, count, first, second, values,        \
                                 first_type, second_type, base, type});                                      \
  }                                                                                                          \
  cusparseStatus_t cusparse##Name##Get(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns,         \
                                       int64_t* count, void** first, void** second, void** values,           \
                                       cusparseIndexType_t* first_type, cusparseIndexType_t* second_type,    \
                                       cusparseIndexBase_t* base, cudaDataType* type) {                      \
    return get(matrix, CUSPARSE_FORMAT_##NAME, rows, columns, count, first, second, values, first_type,      \
               second_type, base, type);                                                                     \
  }                                                                                                          \
  cusparseStatus_t cusparseConst##Name##Get(                                                                 \
      cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* count, const void** first, \
      const void** second, const void** values, cusparseIndexType_t* first_type,                             \
      cusparseIndexType_t* second_type, cusparseIndexBase_t* base, cudaDataType* type) {                     \
    return get(matrix, CUSPARSE_FORMAT_##NAME, rows, columns, count, first, second, values, first_type,      \
               second_type, base, type);                                                                     \
  }                                                                                                          \
  cusparseStatus_t cusparse##Name##SetPointers(cusparseSpMatDescr_t matrix, void* first, void* second,       \
                                               void* values) {                                               \
    return set_pointers(matrix, CUSPARSE_FORMAT_##NAME, first, second, values);                              \
  }
COMPRESSED(Csr, CSR)
COMPRESSED(Csc, CSC)
#undef COMPRESSED
// NOLINTEND(bugprone-macro-parentheses)

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* made, int64_t rows, int64_t columns, int64_t count,
                                   void* first, void* second, void* values, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type) {
  return make_sparse_matrix(made, cusparseSpMatDescr{CUSPARSE_FORMAT_COO, rows, columns, count, first, second,
                                                     values, index, index, base, type});
}
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* made, int64_t rows, int64_t columns,
                                        int64_t count, const void* first, const void* second,
                                        const void* values, cusparseIndexType_t index,
                                        cusparseIndexBase_t base, cudaDataType type) {
  return make_sparse_matrix(made, cusparseSpMatDescr{CUSPARSE_FORMAT_COO, rows, columns, count, first, second,
                                                     values, index, index, base, type});
}
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* count,
                                void** first, void** second, void** values, cusparseIndexType_t* index,
                                cusparseIndexBase_t* base, cudaDataType* type) {
  return get(matrix, CUSPARSE_FORMAT_COO, rows, columns, count, first, second, values, index,
             static_cast<cusparseIndexType_t*>(nullptr), base, type);
}
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                     int64_t* count, const void** first, const void** second,
                                     const void** values, cusparseIndexType_t* index,
                                     cusparseIndexBase_t* base, cudaDataType* type) {
  return get(matrix, CUSPARSE_FORMAT_COO, rows, columns, count, first, second, values, index,
             static_cast<cusparseIndexType_t*>(nullptr), base, type);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* first, void* second,
                                        void* values) {
  return set_pointers(matrix, CUSPARSE_FORMAT_COO, first, second, values);
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) { return destroy(matrix); }
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format) {
  if (matrix == nullptr || format == nullptr) return invalid;
  *format = matrix->format;
  return success;
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t* base) {
  if (matrix == nullptr || base == nullptr) return invalid;
  *base = matrix->base;
  return success;
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values) {
  return get_values(matrix, values);
}
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t matrix, const void** values) {
  return get_values(matrix, values);
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
  return set_values(matrix, values);
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                      int64_t* count) {
  if (matrix == nullptr) return invalid;
  put(rows, matrix->rows);
  put(columns, matrix->columns);
  put(count, matrix->count);
  return success;
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* count) {
  if (matrix == nullptr || count == nullptr) return invalid;
  *count = matrix->batch;
  return success;
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t stride) {
  if (matrix == nullptr || matrix->format != CUSPARSE_FORMAT_COO || count < 1) return invalid;
  matrix->batch = count;
  matrix->first_stride = matrix->stride = stride;
  return success;
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t first_stride,
                                            int64_t stride) {
  if (matrix == nullptr || matrix->format != CUSPARSE_FORMAT_CSR || count < 1) return invalid;
  matrix->batch = count;
  matrix->first_stride = first_stride;
  matrix->stride = stride;
  return success;
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix, cusparseSpMatAttribute_t which,
                                           void* data, size_t bytes) {
  if (matrix == nullptr || data == nullptr || bytes != sizeof(cusparseFillMode_t)) return invalid;
  if (which == CUSPARSE_SPMAT_FILL_MODE) {
    std::memcpy(data, &matrix->fill, bytes);
  } else if (which == CUSPARSE_SPMAT_DIAG_TYPE) {
    std::memcpy(data, &matrix->diagonal, bytes);
  } else {
    return invalid;
  }
  return success;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t which,
                                           void* data, size_t bytes) {
  if (matrix == nullptr || data == nullptr || bytes != sizeof(cusparseFillMode_t)) return invalid;
  int value = 0;
  std::memcpy(&value, data, sizeof value);
  if (value != 0 && value != 1) return invalid;
  if (which == CUSPARSE_SPMAT_FILL_MODE) {
    matrix->fill = static_cast<cusparseFillMode_t>(value);
  } else if (which == CUSPARSE_SPMAT_DIAG_TYPE) {
    matrix->diagonal = static_cast<cusparseDiagType_t>(value);
  } else {
    return invalid;
  }
  return success;
}

}  // extern "C"
