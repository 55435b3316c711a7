// Shared by the programs with cuSPARSE: assertions, matrices in each format, and products by the definition.
#pragma once

#include <cusparse.h>

#include "arrays.h"

#define EXPECT_SPARSE(call, code)                                                                \
  do {                                                                                           \
    ++expected;                                                                                  \
    const cusparseStatus_t is_ = (call);                                                         \
    if (is_ != (code)) {                                                                         \
      ++failed;                                                                                  \
      std::printf("%s:%d: %s gives %s\n", __FILE__, __LINE__, #call, cusparseGetErrorName(is_)); \
    }                                                                                            \
  } while (false)
#define EXPECT_SPARSE_OK(call) EXPECT_SPARSE(call, CUSPARSE_STATUS_SUCCESS)

using Z = std::complex<double>;

inline Z exact(float value) { return value; }
inline Z exact(double value) { return value; }
inline Z exact(cuComplex value) { return {value.x, value.y}; }
inline Z exact(cuDoubleComplex value) { return {value.x, value.y}; }
template <class T>
T number(Z value) {
  if constexpr (std::is_floating_point_v<T>) {
    return T(value.real());
  } else {
    return T{decltype(T::x)(value.real()), decltype(T::x)(value.imag())};
  }
}
template <class T>
std::vector<Z> exact(const std::vector<T>& values) {
  std::vector<Z> made;
  for (const T& value : values) made.push_back(exact(value));
  return made;
}
// The largest difference, divided by the largest value.
inline double apart(const std::vector<Z>& is, const std::vector<Z>& wanted) {
  if (is.size() != wanted.size()) return 1e300;
  double most = 0, scale = 1e-300;
  for (size_t i = 0; i < is.size(); ++i) {
    if (!(std::abs(is[i] - wanted[i]) <= most)) most = std::abs(is[i] - wanted[i]);
    scale = std::max(scale, std::abs(wanted[i]));
  }
  return most / scale;
}

template <class T>
struct Of;
template <>
struct Of<float> {
  static constexpr cudaDataType type = CUDA_R_32F;
  static constexpr double bound = 1e-5;
  static constexpr const char* name = "floats";
};
template <>
struct Of<double> {
  static constexpr cudaDataType type = CUDA_R_64F;
  static constexpr double bound = 1e-13;
  static constexpr const char* name = "doubles";
};
template <>
struct Of<cuComplex> {
  static constexpr cudaDataType type = CUDA_C_32F;
  static constexpr double bound = 1e-5;
  static constexpr const char* name = "complex floats";
};
template <>
struct Of<cuDoubleComplex> {
  static constexpr cudaDataType type = CUDA_C_64F;
  static constexpr double bound = 1e-13;
  static constexpr const char* name = "complex doubles";
};
template <class I>
constexpr cusparseIndexType_t index_type = sizeof(I) == 4 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;

// A matrix on the host, whole: row after row. About one element in three is not 0, and one row is empty.
template <class T>
struct Whole {
  int rows, columns;
  std::vector<T> values;
  Whole(int its_rows, int its_columns, uint32_t seed)
      : rows(its_rows), columns(its_columns), values(::values<T>(size_t(its_rows) * its_columns, seed)) {
    uint32_t state = seed + 12345;
    for (size_t i = 0; i < values.size(); ++i) {
      state = state * 1664525u + 1013904223u;
      if (state >> 24 > 85 || int(i) / columns == rows / 2) values[i] = T{};
    }
  }
  const T& operator()(int row, int column) const { return values[size_t(row) * columns + column]; }
  Z operated(int row, int column, cusparseOperation_t op) const {
    const Z value =
        exact(op == CUSPARSE_OPERATION_NON_TRANSPOSE ? (*this)(row, column) : (*this)(column, row));
    return op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(value) : value;
  }
};

// Its entries in one of the formats.
template <class T, class I>
struct Compressed {
  std::vector<I> first, second;
  std::vector<T> values;
  Compressed(const Whole<T>& whole, cusparseFormat_t format, int base) {
    const bool by_columns = format == CUSPARSE_FORMAT_CSC;
    const int outer = by_columns ? whole.columns : whole.rows,
              inner = by_columns ? whole.rows : whole.columns;
    for (int i = 0; i < outer; ++i) {
      if (format != CUSPARSE_FORMAT_COO) first.push_back(I(values.size()) + base);
      for (int k = 0; k < inner; ++k) {
        const T value = by_columns ? whole(k, i) : whole(i, k);
        if (exact(value) == Z(0)) continue;
        if (format == CUSPARSE_FORMAT_COO) first.push_back(i + base);
        second.push_back(k + base);
        values.push_back(value);
      }
    }
    if (format != CUSPARSE_FORMAT_COO) first.push_back(I(values.size()) + base);
  }
};

// The same on the device, with its descriptor.
template <class T, class I>
struct Sparse {
  Compressed<T, I> host;
  OnDevice<I> first, second;
  OnDevice<T> values;
  cusparseSpMatDescr_t at = nullptr;
  Sparse(const Whole<T>& whole, cusparseFormat_t format, int base)
      : host(whole, format, base), first(host.first), second(host.second), values(host.values) {
    const int64_t count = int64_t(host.values.size());
    const auto from = cusparseIndexBase_t(base);
    const auto index = index_type<I>;
    if (format == CUSPARSE_FORMAT_CSR) {
      EXPECT_SPARSE_OK(cusparseCreateCsr(&at, whole.rows, whole.columns, count, first.at, second.at,
                                         values.at, index, index, from, Of<T>::type));
    } else if (format == CUSPARSE_FORMAT_CSC) {
      EXPECT_SPARSE_OK(cusparseCreateCsc(&at, whole.rows, whole.columns, count, first.at, second.at,
                                         values.at, index, index, from, Of<T>::type));
    } else {
      EXPECT_SPARSE_OK(cusparseCreateCoo(&at, whole.rows, whole.columns, count, first.at, second.at,
                                         values.at, index, from, Of<T>::type));
    }
  }
  ~Sparse() { EXPECT_SPARSE_OK(cusparseDestroySpMat(at)); }
};

template <class T>
struct Vector {
  OnDevice<T> values;
  cusparseDnVecDescr_t at = nullptr;
  explicit Vector(const std::vector<T>& from) : values(from) {
    EXPECT_SPARSE_OK(cusparseCreateDnVec(&at, int64_t(from.size()), values.at, Of<T>::type));
  }
  ~Vector() { EXPECT_SPARSE_OK(cusparseDestroyDnVec(at)); }
};

template <class T>
struct Dense {
  int rows, columns, ld;
  cusparseOrder_t order;
  OnDevice<T> values;
  cusparseDnMatDescr_t at = nullptr;
  // With room between its rows or columns.
  Dense(int its_rows, int its_columns, cusparseOrder_t its_order, uint32_t seed, int batch = 1)
      : rows(its_rows),
        columns(its_columns),
        ld((its_order == CUSPARSE_ORDER_COL ? rows : columns) + 2),
        order(its_order),
        values(::values<T>(batch * size(), seed)) {
    EXPECT_SPARSE_OK(cusparseCreateDnMat(&at, rows, columns, ld, values.at, Of<T>::type, order));
    if (batch != 1) EXPECT_SPARSE_OK(cusparseDnMatSetStridedBatch(at, batch, int64_t(size())));
  }
  ~Dense() { EXPECT_SPARSE_OK(cusparseDestroyDnMat(at)); }
  size_t size() const { return size_t(ld) * (order == CUSPARSE_ORDER_COL ? columns : rows); }
  size_t place(int row, int column) const {
    return order == CUSPARSE_ORDER_COL ? size_t(column) * ld + row : size_t(row) * ld + column;
  }
};
