// nvcc: -lcusparse
// Sparse vectors, conversions between formats, and sorting: exact, except sums.
#include <numeric>

#include "sparse.h"

// CUDA 13 says so of the functions for sparse vectors.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

template <class T, class I>
void vectors(cusparseHandle_t handle, int base) {
  const std::vector<I> places = {I(3 + base), I(0 + base), I(9 + base), I(7 + base)};
  const auto few = values<T>(4, 1), all = values<T>(11, 2);
  OnDevice<I> where(places);
  OnDevice<T> x(few);
  Vector<T> y(all);
  cusparseSpVecDescr_t sparse = nullptr;
  EXPECT_SPARSE_OK(cusparseCreateSpVec(&sparse, 11, 4, where.at, x.at, index_type<I>,
                                       cusparseIndexBase_t(base), Of<T>::type));
  const T alpha = values<T>(1, 3)[0], beta = values<T>(1, 4)[0];
  EXPECT_SPARSE_OK(cusparseAxpby(handle, &alpha, sparse, &beta, y.at));
  std::vector<Z> wanted;
  for (const T& value : all) wanted.push_back(exact(beta) * exact(value));
  for (int i = 0; i < 4; ++i) wanted[places[i] - base] += exact(alpha) * exact(few[i]);
  EXPECT(apart(exact(y.values.get()), wanted) <= Of<T>::bound);

  T sum{};
  for (const auto op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
    if (op != CUSPARSE_OPERATION_NON_TRANSPOSE && std::is_floating_point_v<T>) continue;
    y.values.set(all);
    size_t bytes = 0;
    EXPECT_SPARSE_OK(cusparseSpVV_bufferSize(handle, op, sparse, y.at, &sum, Of<T>::type, &bytes));
    OnDevice<char> buffer(bytes + 1);
    EXPECT_SPARSE_OK(cusparseSpVV(handle, op, sparse, y.at, &sum, Of<T>::type, buffer.at));
    Z dot = 0;
    for (int i = 0; i < 4; ++i)
      dot += (op == CUSPARSE_OPERATION_NON_TRANSPOSE ? exact(few[i]) : std::conj(exact(few[i]))) *
             exact(all[places[i] - base]);
    EXPECT(std::abs(exact(sum) - dot) <= Of<T>::bound);
  }

  EXPECT_SPARSE_OK(cusparseGather(handle, y.at, sparse));
  const auto gathered = x.get();
  for (int i = 0; i < 4; ++i) EXPECT(exact(gathered[i]) == exact(all[places[i] - base]));
  x.set(few);
  EXPECT_SPARSE_OK(cusparseScatter(handle, sparse, y.at));
  auto scattered = exact(all);
  for (int i = 0; i < 4; ++i) scattered[places[i] - base] = exact(few[i]);
  EXPECT(exact(y.values.get()) == scattered);
  EXPECT_SPARSE_OK(cusparseDestroySpVec(sparse));
}

template <class T>
void dense_and_back(cusparseHandle_t handle, cusparseFormat_t format, int base, cusparseOrder_t order) {
  const Whole<T> whole(10, 8, 3);
  const Sparse<T, int> a(whole, format, base);
  Dense<T> dense(10, 8, order, 1);
  size_t bytes = 0;
  EXPECT_SPARSE_OK(
      cusparseSparseToDense_bufferSize(handle, a.at, dense.at, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
  OnDevice<char> buffer(bytes + 1);
  EXPECT_SPARSE_OK(
      cusparseSparseToDense(handle, a.at, dense.at, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer.at));
  const auto made = dense.values.get();
  bool same = true;
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 8; ++j) same &= exact(made[dense.place(i, j)]) == exact(whole(i, j));
  EXPECT(same);

  OnDevice<int> first(a.host.first.size());
  cusparseSpMatDescr_t sparse = nullptr;
  const auto index = CUSPARSE_INDEX_32I;
  const auto from = cusparseIndexBase_t(base);
  if (format == CUSPARSE_FORMAT_CSR) {
    EXPECT_SPARSE_OK(
        cusparseCreateCsr(&sparse, 10, 8, 0, first.at, nullptr, nullptr, index, index, from, Of<T>::type));
  } else if (format == CUSPARSE_FORMAT_CSC) {
    EXPECT_SPARSE_OK(
        cusparseCreateCsc(&sparse, 10, 8, 0, first.at, nullptr, nullptr, index, index, from, Of<T>::type));
  } else {
    EXPECT_SPARSE_OK(
        cusparseCreateCoo(&sparse, 10, 8, 0, nullptr, nullptr, nullptr, index, from, Of<T>::type));
  }
  const auto alg = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  EXPECT_SPARSE_OK(cusparseDenseToSparse_bufferSize(handle, dense.at, sparse, alg, &bytes));
  OnDevice<char> more(bytes + 1);
  EXPECT_SPARSE_OK(cusparseDenseToSparse_analysis(handle, dense.at, sparse, alg, more.at));
  int64_t rows = 0, columns = 0, count = 0;
  EXPECT_SPARSE_OK(cusparseSpMatGetSize(sparse, &rows, &columns, &count));
  EXPECT(rows == 10 && columns == 8 && count == int64_t(a.host.values.size()));
  OnDevice<int> second(count);
  OnDevice<T> of(count);
  if (format == CUSPARSE_FORMAT_CSR) {
    EXPECT_SPARSE_OK(cusparseCsrSetPointers(sparse, first.at, second.at, of.at));
  } else if (format == CUSPARSE_FORMAT_CSC) {
    EXPECT_SPARSE_OK(cusparseCscSetPointers(sparse, first.at, second.at, of.at));
  } else {
    EXPECT_SPARSE_OK(cusparseCooSetPointers(sparse, first.at, second.at, of.at));
  }
  EXPECT_SPARSE_OK(cusparseDenseToSparse_convert(handle, dense.at, sparse, alg, more.at));
  EXPECT(first.get() == a.host.first && second.get() == a.host.second);
  EXPECT(exact(of.get()) == exact(a.host.values));
  EXPECT_SPARSE_OK(cusparseDestroySpMat(sparse));
}

// CSR, COO and CSC by the functions that are older than descriptors.
template <class T>
void older(cusparseHandle_t handle, int base) {
  const Whole<T> whole(10, 8, 3);
  const Sparse<T, int> csr(whole, CUSPARSE_FORMAT_CSR, base), coo(whole, CUSPARSE_FORMAT_COO, base),
      csc(whole, CUSPARSE_FORMAT_CSC, base);
  const int count = int(csr.host.values.size());
  const auto from = cusparseIndexBase_t(base);
  OnDevice<int> rows(count), begin(11);
  EXPECT_SPARSE_OK(cusparseXcsr2coo(handle, csr.first.at, count, 10, rows.at, from));
  EXPECT(rows.get() == coo.host.first);
  EXPECT_SPARSE_OK(cusparseXcoo2csr(handle, rows.at, count, 10, begin.at, from));
  EXPECT(begin.get() == csr.host.first);

  OnDevice<int> column_begin(9), of_rows(count);
  OnDevice<T> moved(count);
  size_t bytes = 0;
  EXPECT_SPARSE_OK(cusparseCsr2cscEx2_bufferSize(
      handle, 10, 8, count, csr.values.at, csr.first.at, csr.second.at, moved.at, column_begin.at, of_rows.at,
      Of<T>::type, CUSPARSE_ACTION_NUMERIC, from, CUSPARSE_CSR2CSC_ALG1, &bytes));
  OnDevice<char> buffer(bytes + 1);
  EXPECT_SPARSE_OK(cusparseCsr2cscEx2(handle, 10, 8, count, csr.values.at, csr.first.at, csr.second.at,
                                      moved.at, column_begin.at, of_rows.at, Of<T>::type,
                                      CUSPARSE_ACTION_NUMERIC, from, CUSPARSE_CSR2CSC_ALG1, buffer.at));
  EXPECT(column_begin.get() == csc.host.first && of_rows.get() == csc.host.second);
  EXPECT(exact(moved.get()) == exact(csc.host.values));
}

void sorting(cusparseHandle_t handle) {
  const Whole<double> whole(10, 8, 3);
  const Compressed<double, int> coo(whole, CUSPARSE_FORMAT_COO, 0), csr(whole, CUSPARSE_FORMAT_CSR, 0),
      csc(whole, CUSPARSE_FORMAT_CSC, 0);
  const int count = int(coo.values.size());
  // Shuffled, the same everywhere.
  std::vector<int> order(count), rows, columns;
  std::iota(order.begin(), order.end(), 0);
  for (int i = count - 1; i > 0; --i) std::swap(order[i], order[(i * 7919) % (i + 1)]);
  for (const int i : order) {
    rows.push_back(coo.first[i]);
    columns.push_back(coo.second[i]);
  }
  OnDevice<int> of_rows(rows), of_columns(columns), moved(count);
  size_t bytes = 0;
  EXPECT_SPARSE_OK(cusparseXcoosort_bufferSizeExt(handle, 10, 8, count, of_rows.at, of_columns.at, &bytes));
  OnDevice<char> buffer(bytes + 1);
  EXPECT_SPARSE_OK(cusparseCreateIdentityPermutation(handle, count, moved.at));
  EXPECT_SPARSE_OK(
      cusparseXcoosortByRow(handle, 10, 8, count, of_rows.at, of_columns.at, moved.at, buffer.at));
  EXPECT(of_rows.get() == coo.first && of_columns.get() == coo.second);
  const auto where = moved.get();
  for (int i = 0; i < count; ++i)
    EXPECT(rows[where[i]] == coo.first[i] && columns[where[i]] == coo.second[i]);
  EXPECT_SPARSE_OK(cusparseCreateIdentityPermutation(handle, count, moved.at));
  EXPECT_SPARSE_OK(
      cusparseXcoosortByColumn(handle, 10, 8, count, of_rows.at, of_columns.at, moved.at, buffer.at));
  EXPECT(of_rows.get() == csc.second);

  // Each row of a CSR matrix, the other way round.
  std::vector<int> turned = csr.second;
  for (int i = 0; i < 10; ++i) std::reverse(turned.begin() + csr.first[i], turned.begin() + csr.first[i + 1]);
  OnDevice<int> begin(csr.first), inner(turned);
  cusparseMatDescr_t general = nullptr;
  EXPECT_SPARSE_OK(cusparseCreateMatDescr(&general));
  EXPECT(cusparseGetMatIndexBase(general) == CUSPARSE_INDEX_BASE_ZERO &&
         cusparseGetMatType(general) == CUSPARSE_MATRIX_TYPE_GENERAL);
  EXPECT_SPARSE_OK(cusparseXcsrsort_bufferSizeExt(handle, 10, 8, count, begin.at, inner.at, &bytes));
  OnDevice<char> more(bytes + 1);
  EXPECT_SPARSE_OK(cusparseCreateIdentityPermutation(handle, count, moved.at));
  EXPECT_SPARSE_OK(cusparseXcsrsort(handle, 10, 8, count, general, begin.at, inner.at, moved.at, more.at));
  EXPECT(inner.get() == csr.second);
  const auto back = moved.get();
  for (int i = 0; i < count; ++i) EXPECT(turned[back[i]] == csr.second[i]);
  EXPECT_SPARSE_OK(cusparseDestroyMatDescr(general));
}

int main() {
  cusparseHandle_t handle = nullptr;
  EXPECT_SPARSE_OK(cusparseCreate(&handle));
  for (const int base : {0, 1}) {
    vectors<float, int>(handle, base);
    vectors<double, int64_t>(handle, base);
    vectors<cuComplex, int64_t>(handle, base);
    vectors<cuDoubleComplex, int>(handle, base);
    older<float>(handle, base);
    older<cuDoubleComplex>(handle, base);
    for (const auto order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW})
      for (const auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
        dense_and_back<float>(handle, format, base, order);
        dense_and_back<cuDoubleComplex>(handle, format, base, order);
      }
  }
  sorting(handle);
  EXPECT_SPARSE_OK(cusparseDestroy(handle));
  return result();
}
