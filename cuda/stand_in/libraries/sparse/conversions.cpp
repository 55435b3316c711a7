// From one format to another, and sorting (cuSPARSE documentation, "Format Conversion",
// "cusparseSparseToDense" and "cusparseDenseToSparse").
#include <algorithm>
#include <cstring>
#include <numeric>

#include "cuda/stand_in/libraries/sparse/entries.h"

using namespace warplens::sparse;

namespace {

constexpr auto success = CUSPARSE_STATUS_SUCCESS;
constexpr auto invalid = CUSPARSE_STATUS_INVALID_VALUE;
using Indices = std::vector<int64_t>;

cusparseStatus_t check(const cusparseContext* handle, const cusparseSpMatDescr* sparse,
                       const cusparseDnMatDescr* dense) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (sparse == nullptr || dense == nullptr || sparse->rows != dense->rows ||
      sparse->columns != dense->columns)
    return invalid;
  return sparse->type == dense->type && sparse->batch == 1 && dense->batch == 1
             ? success
             : CUSPARSE_STATUS_NOT_SUPPORTED;
}

cusparseStatus_t size(const cusparseContext* handle, const cusparseSpMatDescr* sparse,
                      const cusparseDnMatDescr* dense, size_t* bytes) {
  const cusparseStatus_t wrong = check(handle, sparse, dense);
  if (wrong != success) return wrong;
  if (bytes == nullptr) return invalid;
  *bytes = work_bytes;
  return with_type(sparse->type, [](auto) { return success; });
}

Call call_of(const char* name, const std::string& shape) { return {name, shape, 0, warplens_fp32, false}; }
Call call_of(const char* name, int m, int n, int count) {
  return call_of(name, warplens::libraries::shape_of({m, n}) + ", " + std::to_string(count) + " entries");
}

// What is not 0, in the order of the format.
template <class T>
bool load_sparse(const Memory& memory, const cusparseDnMatDescr& dense, bool by_columns, Entries<T>& to) {
  Rows<T> all;
  if (!load(memory, dense, 0, CUSPARSE_OPERATION_NON_TRANSPOSE, all)) return false;
  const int64_t outer = by_columns ? dense.columns : dense.rows,
                inner = by_columns ? dense.rows : dense.columns;
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t k = 0; k < inner; ++k) {
      const int64_t row = by_columns ? k : i, column = by_columns ? i : k;
      if (all[row][column] == T(0)) continue;
      to.rows.push_back(row);
      to.columns.push_back(column);
      to.values.push_back(all[row][column]);
    }
  return true;
}

// The begin of rows (columns), or the rows themselves.
bool store_first(const Memory& memory, const cusparseSpMatDescr& matrix, const Places& places) {
  const bool by_columns = matrix.format == CUSPARSE_FORMAT_CSC;
  return store_indices(memory, matrix.first, matrix.first_type, matrix.base,
                       matrix.format == CUSPARSE_FORMAT_COO ? places.rows
                       : by_columns                         ? beginnings(places.columns, matrix.columns)
                                                            : beginnings(places.rows, matrix.rows));
}

// The order in which keys increase; equal ones stay as they are.
template <class Less>
Indices order_of(size_t count, Less less) {
  Indices order(count);
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return less(static_cast<size_t>(a), static_cast<size_t>(b));
  });
  return order;
}

// Rearranges an array of the device as the order says; one that is null is not there.
bool rearrange(const Memory& memory, int* at, const Indices& order) {
  if (at == nullptr) return true;
  const auto count = static_cast<int64_t>(order.size());
  int* values = memory.array<int>(at, count, warplens_updates);
  if (values == nullptr) return false;
  const std::vector<int> before(values, values + count);
  for (size_t i = 0; i < order.size(); ++i) values[i] = before[static_cast<size_t>(order[i])];
  return true;
}

bool load_int(const Memory& memory, const int* at, int64_t count, Indices& to, int base = 0) {
  return load_indices(memory, at, count, CUSPARSE_INDEX_32I, static_cast<cusparseIndexBase_t>(base), to);
}

cusparseStatus_t sort_pairs(const char* name, const cusparseContext* handle, int m, int n, int count,
                            int* rows, int* columns, int* order, const void* buffer, bool by_columns) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || count < 0) return invalid;
  if (count == 0) return success;
  if (rows == nullptr || columns == nullptr || buffer == nullptr) return invalid;
  return run(*handle, call_of(name, m, n, count), [=](const Memory& memory) {
    Indices first, second;
    if (!load_int(memory, by_columns ? columns : rows, count, first) ||
        !load_int(memory, by_columns ? rows : columns, count, second))
      return false;
    const Indices sorted = order_of(first.size(), [&](size_t a, size_t b) {
      return first[a] != first[b] ? first[a] < first[b] : second[a] < second[b];
    });
    return rearrange(memory, rows, sorted) && rearrange(memory, columns, sorted) &&
           rearrange(memory, order, sorted);
  });
}

// The entries of each row of a CSR matrix; of a column of a CSC matrix.
cusparseStatus_t sort_inner(const char* name, const cusparseContext* handle, int outer, int inner, int count,
                            const cusparseMatDescr* matrix, const int* begin, int* indices, int* order,
                            const void* buffer) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (outer < 0 || inner < 0 || count < 0 || matrix == nullptr) return invalid;
  if (count == 0) return success;
  if (begin == nullptr || indices == nullptr || buffer == nullptr) return invalid;
  return run(*handle, call_of(name, outer, inner, count), [=, base = matrix->base](const Memory& memory) {
    Indices begins, rows, columns;
    if (!load_int(memory, begin, outer + int64_t{1}, begins, base) || !expand(memory, begins, count, rows) ||
        !load_int(memory, indices, count, columns))
      return false;
    const Indices sorted = order_of(rows.size(), [&](size_t a, size_t b) {
      return rows[a] != rows[b] ? rows[a] < rows[b] : columns[a] < columns[b];
    });
    return rearrange(memory, indices, sorted) && rearrange(memory, order, sorted);
  });
}

cusparseStatus_t sort_size(const cusparseContext* handle, int m, int n, int count, size_t* bytes) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || count < 0 || bytes == nullptr) return invalid;
  *bytes = work_bytes;
  return success;
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                                  cusparseDnMatDescr_t dense, cusparseSparseToDenseAlg_t,
                                                  size_t* bytes) {
  return size(handle, sparse, dense, bytes);
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                       cusparseDnMatDescr_t dense, cusparseSparseToDenseAlg_t, void*) {
  const cusparseStatus_t wrong = check(handle, sparse, dense);
  if (wrong != success) return wrong;
  return with_type(sparse->type, [&]<class T>(T) {
    return run(*handle, call_of("cusparseSparseToDense", shape_of(*sparse)),
               [from = *sparse, to = *dense](const Memory& memory) {
                 Entries<T> of;
                 if (!load(memory, from, 0, CUSPARSE_OPERATION_NON_TRANSPOSE, of)) return false;
                 Rows<T> made(to.rows, to.columns);
                 for (size_t i = 0; i < of.values.size(); ++i) made[of.rows[i]][of.columns[i]] = of.values[i];
                 return store(memory, to, 0, T(1), made, T(0));
               });
  });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                                  cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t,
                                                  size_t* bytes) {
  return size(handle, sparse, dense, bytes);
}
// The number of entries is known when it returns, and where rows begin is on the device.
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                                cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t,
                                                void*) {
  const cusparseStatus_t wrong = check(handle, sparse, dense);
  if (wrong != success) return wrong;
  Call call =
      call_of("cusparseDenseToSparse_analysis", warplens::libraries::shape_of({dense->rows, dense->columns}));
  call.waits = true;
  return with_type(sparse->type, [&]<class T>(T) {
    return run(*handle, call, [from = *dense, sparse](const Memory& memory) {
      Entries<T> of;
      if (!load_sparse(memory, from, sparse->format == CUSPARSE_FORMAT_CSC, of)) return false;
      sparse->count = static_cast<int64_t>(of.values.size());
      return sparse->format == CUSPARSE_FORMAT_COO || store_first(memory, *sparse, of);
    });
  });
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                               cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t,
                                               void*) {
  const cusparseStatus_t wrong = check(handle, sparse, dense);
  if (wrong != success) return wrong;
  return with_type(sparse->type, [&]<class T>(T) {
    return run(*handle, call_of("cusparseDenseToSparse_convert", shape_of(*sparse)),
               [from = *dense, to = *sparse](const Memory& memory) {
                 const bool by_columns = to.format == CUSPARSE_FORMAT_CSC;
                 Entries<T> of;
                 if (!load_sparse(memory, from, by_columns, of)) return false;
                 if (static_cast<int64_t>(of.values.size()) != to.count)
                   return memory.refuse("The dense matrix has " + std::to_string(of.values.size()) +
                                        " elements that are not 0, and had " + std::to_string(to.count) +
                                        " when it was analysed.");
                 return store_first(memory, to, of) &&
                        store_indices(memory, to.second, to.second_type, to.base,
                                      by_columns ? of.rows : of.columns) &&
                        store_values(memory, to.values, to.type, T(1), of.values, T(0));
               });
  });
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* rows, int count, int m, int* begin,
                                  cusparseIndexBase_t base) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (count < 0 || m < 0 || begin == nullptr || (count > 0 && rows == nullptr)) return invalid;
  return run(*handle, call_of("cusparseXcoo2csr", std::to_string(count) + " entries"),
             [=](const Memory& memory) {
               Indices of;
               return load_int(memory, rows, count, of, base) && all_below(memory, of, m, "row") &&
                      store_indices(memory, begin, CUSPARSE_INDEX_32I, base, beginnings(of, m));
             });
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* begin, int count, int m, int* rows,
                                  cusparseIndexBase_t base) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (count < 0 || m < 0 || begin == nullptr || (count > 0 && rows == nullptr)) return invalid;
  if (count == 0) return success;
  return run(
      *handle, call_of("cusparseXcsr2coo", std::to_string(count) + " entries"), [=](const Memory& memory) {
        Indices begins, of;
        return load_int(memory, begin, m + int64_t{1}, begins, base) && expand(memory, begins, count, of) &&
               store_indices(memory, rows, CUSPARSE_INDEX_32I, base, of);
      });
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int count, const void*,
                                               const int*, const int*, void*, int*, int*, cudaDataType,
                                               cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t,
                                               size_t* bytes) {
  return sort_size(handle, m, n, count, bytes);
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int count, const void* values,
                                    const int* begin, const int* columns, void* to_values, int* to_begin,
                                    int* to_rows, cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void*) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  const bool with_values = action == CUSPARSE_ACTION_NUMERIC;
  if (m < 0 || n < 0 || count < 0 || begin == nullptr || to_begin == nullptr || bytes_of(type) == 0 ||
      (count > 0 && (columns == nullptr || to_rows == nullptr ||
                     (with_values && (values == nullptr || to_values == nullptr)))))
    return invalid;
  return run(*handle, call_of("cusparseCsr2cscEx2", m, n, count), [=](const Memory& memory) {
    Indices begins, rows, of;
    if (!load_int(memory, begin, m + int64_t{1}, begins, base) || !expand(memory, begins, count, rows) ||
        !load_int(memory, columns, count, of, base) || !all_below(memory, of, n, "column"))
      return false;
    const Indices order = order_of(of.size(), [&](size_t a, size_t b) { return of[a] < of[b]; });
    Indices turned;
    for (const int64_t i : order) turned.push_back(rows[static_cast<size_t>(i)]);
    if (!store_indices(memory, to_begin, CUSPARSE_INDEX_32I, base, beginnings(of, n)) ||
        !store_indices(memory, to_rows, CUSPARSE_INDEX_32I, base, turned))
      return false;
    if (!with_values) return true;
    const int64_t bytes = bytes_of(type);
    const auto* from = memory.array<const std::byte>(values, count * bytes, warplens_reads);
    auto* to = memory.array<std::byte>(to_values, count * bytes, warplens_writes);
    if (from == nullptr || to == nullptr) return false;
    for (const int64_t i : order) {
      std::memcpy(to, from + i * bytes, static_cast<size_t>(bytes));
      to += bytes;
    }
    return true;
  });
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* order) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (n < 0 || (n > 0 && order == nullptr)) return invalid;
  if (n == 0) return success;
  return run(*handle, call_of("cusparseCreateIdentityPermutation", std::to_string(n)),
             [=](const Memory& memory) {
               int* to = memory.array<int>(order, n, warplens_writes);
               if (to == nullptr) return false;
               std::iota(to, to + n, 0);
               return true;
             });
}

cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int count, const int*,
                                                const int*, size_t* bytes) {
  return sort_size(handle, m, n, count, bytes);
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int count, int* rows,
                                       int* columns, int* order, void* buffer) {
  return sort_pairs("cusparseXcoosortByRow", handle, m, n, count, rows, columns, order, buffer, false);
}
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int count, int* rows,
                                          int* columns, int* order, void* buffer) {
  return sort_pairs("cusparseXcoosortByColumn", handle, m, n, count, rows, columns, order, buffer, true);
}
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int count, const int*,
                                                const int*, size_t* bytes) {
  return sort_size(handle, m, n, count, bytes);
}
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int count,
                                  const cusparseMatDescr_t matrix, const int* begin, int* columns, int* order,
                                  void* buffer) {
  return sort_inner("cusparseXcsrsort", handle, m, n, count, matrix, begin, columns, order, buffer);
}
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int count, const int*,
                                                const int*, size_t* bytes) {
  return sort_size(handle, m, n, count, bytes);
}
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int count,
                                  const cusparseMatDescr_t matrix, const int* begin, int* rows, int* order,
                                  void* buffer) {
  return sort_inner("cusparseXcscsort", handle, n, m, count, matrix, begin, rows, order, buffer);
}

}  // extern "C"
