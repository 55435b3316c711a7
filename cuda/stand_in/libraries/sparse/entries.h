// Sparse and dense operands as this machine computes with them: each is copied as a list of entries, or row
// after row, in the type that is computed with, so that there is one loop for all formats, orders and types.
#pragma once

#include <vector>

#include "cuda/stand_in/libraries/shared/element.h"
#include "cuda/stand_in/libraries/sparse/descriptors.h"

namespace warplens::sparse {

using libraries::bytes_of;
using libraries::conjugate;
using libraries::operations_of;
using libraries::unit_of;
using libraries::with_element;

// Indices of device memory, from 0. Whether they were there, as for all that follow.
bool load_indices(const Memory& memory, const void* at, int64_t count, cusparseIndexType_t type,
                  cusparseIndexBase_t base, std::vector<int64_t>& to);
bool store_indices(const Memory& memory, const void* at, cusparseIndexType_t type, cusparseIndexBase_t base,
                   const std::vector<int64_t>& from);
// Whether all are below the extent; `what` is one of them, for the sentence.
bool all_below(const Memory& memory, const std::vector<int64_t>& indices, int64_t extent, const char* what);

// Where the entries of a matrix are; those of a CSR or CSC matrix row after row, or column after column.
struct Places {
  std::vector<int64_t> rows, columns;
};
bool load_places(const Memory& memory, const cusparseSpMatDescr& matrix, int in_batch, Places& to);
// Where the rows of a CSR matrix begin, one more than there are; and that in rows.
std::vector<int64_t> beginnings(const std::vector<int64_t>& rows, int64_t extent);
bool expand(const Memory& memory, const std::vector<int64_t>& begin, int64_t count, std::vector<int64_t>& to);

template <class T>
struct Entries : Places {
  std::vector<T> values;
};

inline const void* moved(const void* at, int64_t bytes) { return static_cast<const std::byte*>(at) + bytes; }

template <class T>
bool load_values(const Memory& memory, const void* at, int64_t count, cudaDataType type, std::vector<T>& to) {
  return with_element<T>(type, [&]<class S>(S) {
    const S* from = memory.array<const S>(at, count, warplens_reads);
    if (from == nullptr) return false;
    to.resize(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) to[static_cast<size_t>(i)] = static_cast<T>(from[i]);
    return true;
  });
}

// alpha · made + beta · what is there. Where beta is 0 nothing is read, so that it may be NaN.
template <class T>
bool store_values(const Memory& memory, const void* at, cudaDataType type, T alpha,
                  const std::vector<T>& made, T beta) {
  return with_element<T>(type, [&]<class S>(S) {
    const auto count = static_cast<int64_t>(made.size());
    S* to = memory.array<S>(at, count, beta == T(0) ? warplens_writes : warplens_updates);
    if (to == nullptr) return false;
    for (int64_t i = 0; i < count; ++i) {
      const T value = alpha * made[static_cast<size_t>(i)];
      to[i] = libraries::rounded<S>(beta == T(0) ? value : value + beta * static_cast<T>(to[i]));
    }
    return true;
  });
}

// op(matrix).
template <class T>
bool load(const Memory& memory, const cusparseSpMatDescr& matrix, int in_batch, cusparseOperation_t op,
          Entries<T>& to) {
  const int64_t bytes = in_batch * matrix.stride * bytes_of(matrix.type);
  if (!load_places(memory, matrix, in_batch, to) ||
      !load_values(memory, moved(matrix.values, bytes), matrix.count, matrix.type, to.values))
    return false;
  if (op != CUSPARSE_OPERATION_NON_TRANSPOSE) std::swap(to.rows, to.columns);
  if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
    for (T& value : to.values) value = conjugate(value);
  return true;
}

// Row after row, without gaps.
template <class T>
struct Rows {
  int64_t rows = 0, columns = 0;
  std::vector<T> values;
  Rows() = default;
  Rows(int64_t its_rows, int64_t its_columns)
      : rows(its_rows), columns(its_columns), values(static_cast<size_t>(its_rows * its_columns)) {}
  T* operator[](int64_t row) { return values.data() + row * columns; }
  const T* operator[](int64_t row) const { return values.data() + row * columns; }
};

// f(row, column, element) for all elements in device memory.
template <class S, class F>
bool each(const Memory& memory, const cusparseDnMatDescr& matrix, int in_batch, warplens_use use, F f) {
  const bool by_columns = matrix.order == CUSPARSE_ORDER_COL;
  const auto at = memory.matrix<S>(moved(matrix.values, in_batch * matrix.stride * int64_t{sizeof(S)}),
                                   by_columns ? matrix.rows : matrix.columns,
                                   by_columns ? matrix.columns : matrix.rows, matrix.ld, use);
  if (!at) return false;
  for (int64_t i = 0; i < matrix.rows; ++i)
    for (int64_t j = 0; j < matrix.columns; ++j) f(i, j, by_columns ? at(i, j) : at(j, i));
  return true;
}

// op(matrix).
template <class T>
bool load(const Memory& memory, const cusparseDnMatDescr& matrix, int in_batch, cusparseOperation_t op,
          Rows<T>& to) {
  const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  to = turned ? Rows<T>(matrix.columns, matrix.rows) : Rows<T>(matrix.rows, matrix.columns);
  return with_element<T>(matrix.type, [&]<class S>(S) {
    return each<const S>(memory, matrix, in_batch, warplens_reads, [&](int64_t i, int64_t j, const S& from) {
      const T value = static_cast<T>(from);
      (turned ? to[j][i] : to[i][j]) =
          op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(value) : value;
    });
  });
}
template <class T>
bool store(const Memory& memory, const cusparseDnMatDescr& matrix, int in_batch, T alpha, const Rows<T>& made,
           T beta) {
  return with_element<T>(matrix.type, [&]<class S>(S) {
    return each<S>(memory, matrix, in_batch, beta == T(0) ? warplens_writes : warplens_updates,
                   [&](int64_t i, int64_t j, S& to) {
                     const T value = alpha * made[i][j];
                     to = libraries::rounded<S>(beta == T(0) ? value : value + beta * static_cast<T>(to));
                   });
  });
}

// f(T{}) with the type that is computed with.
template <class F>
cusparseStatus_t with_type(cudaDataType type, F f) {
  switch (type) {
    case CUDA_R_32F:
      return f(float{});
    case CUDA_R_64F:
      return f(double{});
    case CUDA_C_32F:
      return f(std::complex<float>{});
    case CUDA_C_64F:
      return f(std::complex<double>{});
    default:
      return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
}
// Whether elements of the type may be computed with as T.
template <class T>
bool holds(cudaDataType type) {
  return with_element<T>(type, [](auto) { return true; });
}

inline bool is_operation(cusparseOperation_t op) {
  return op >= CUSPARSE_OPERATION_NON_TRANSPOSE && op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

// No function here needs memory of the device to compute in. Not 0, since a program that allocates nothing
// has a null pointer, with which some functions only ask for the size.
constexpr size_t work_bytes = 16;

}  // namespace warplens::sparse
