// nvcc: -lcusparse
// Products of sparse matrices, in each format, type and operation, against the definition.
#include "sparse.h"

const cusparseOperation_t operations[] = {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                          CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
const cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO};

template <class T>
bool is_complex = !std::is_floating_point_v<T>;

template <class T, class I>
double matrix_vector(cusparseHandle_t handle, cusparseFormat_t format, int base, cusparseOperation_t op,
                     T beta) {
  const Whole<T> whole(23, 17, 3);
  const Sparse<T, I> a(whole, format, base);
  const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int rows = turned ? 17 : 23, inner = turned ? 23 : 17;
  const auto x = values<T>(inner, 5), y = values<T>(rows, 7);
  Vector<T> of(x), to(y);
  const T alpha = values<T>(1, 9)[0];
  size_t bytes = 0;
  EXPECT_SPARSE_OK(cusparseSpMV_bufferSize(handle, op, &alpha, a.at, of.at, &beta, to.at, Of<T>::type,
                                           CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  OnDevice<char> buffer(bytes + 1);
  EXPECT_SPARSE_OK(cusparseSpMV_preprocess(handle, op, &alpha, a.at, of.at, &beta, to.at, Of<T>::type,
                                           CUSPARSE_SPMV_ALG_DEFAULT, buffer.at));
  EXPECT_SPARSE_OK(cusparseSpMV(handle, op, &alpha, a.at, of.at, &beta, to.at, Of<T>::type,
                                CUSPARSE_SPMV_ALG_DEFAULT, buffer.at));
  std::vector<Z> wanted(rows);
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < inner; ++k) wanted[i] += whole.operated(i, k, op) * exact(x[k]);
    wanted[i] = exact(alpha) * wanted[i] + exact(beta) * exact(y[i]);
  }
  return apart(exact(to.values.get()), wanted);
}

template <class T, class I>
double matrix_matrix(cusparseHandle_t handle, cusparseFormat_t format, int base, cusparseOperation_t op_a,
                     cusparseOperation_t op_b, cusparseOrder_t order_b, cusparseOrder_t order_c,
                     int batch = 1) {
  const Whole<T> whole(13, 11, 4);
  const Sparse<T, I> a(whole, format, base);
  const bool turned = op_a != CUSPARSE_OPERATION_NON_TRANSPOSE,
             turned_b = op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int m = turned ? 11 : 13, k = turned ? 13 : 11, n = 6;
  Dense<T> b(turned_b ? n : k, turned_b ? k : n, order_b, 2, batch), c(m, n, order_c, 8, batch);
  const auto of = b.values.get(), before = c.values.get();
  const T alpha = values<T>(1, 19)[0], beta = values<T>(1, 29)[0];
  size_t bytes = 0;
  const auto alg = CUSPARSE_SPMM_ALG_DEFAULT;
  if (batch != 1) {
    EXPECT_SPARSE(cusparseSpMM_bufferSize(handle, op_a, op_b, &alpha, a.at, b.at, &beta, c.at, Of<T>::type,
                                          alg, &bytes),
                  CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT_SPARSE_OK(cusparseCsrSetStridedBatch(a.at, batch, 0, 0));  // the same one each time
  }
  EXPECT_SPARSE_OK(
      cusparseSpMM_bufferSize(handle, op_a, op_b, &alpha, a.at, b.at, &beta, c.at, Of<T>::type, alg, &bytes));
  OnDevice<char> buffer(bytes + 1);
  EXPECT_SPARSE_OK(cusparseSpMM_preprocess(handle, op_a, op_b, &alpha, a.at, b.at, &beta, c.at, Of<T>::type,
                                           alg, buffer.at));
  EXPECT_SPARSE_OK(
      cusparseSpMM(handle, op_a, op_b, &alpha, a.at, b.at, &beta, c.at, Of<T>::type, alg, buffer.at));
  auto wanted = exact(before);
  for (int one = 0; one < batch; ++one)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        Z sum = 0;
        for (int p = 0; p < k; ++p) {
          Z value = exact(of[one * b.size() + (turned_b ? b.place(j, p) : b.place(p, j))]);
          if (op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) value = std::conj(value);
          sum += whole.operated(i, p, op_a) * value;
        }
        Z& to = wanted[one * c.size() + c.place(i, j)];
        to = exact(alpha) * sum + exact(beta) * to;
      }
  return apart(exact(c.values.get()), wanted);  // with what lies between the columns
}

// An entry of a sparse matrix for each product that is wanted.
template <class T>
double sampled(cusparseHandle_t handle) {
  const Whole<T> whole(9, 12, 6);
  const Sparse<T, int> c(whole, CUSPARSE_FORMAT_CSR, 0);
  const Dense<T> a(9, 5, CUSPARSE_ORDER_ROW, 1), b(5, 12, CUSPARSE_ORDER_COL, 2);
  const auto of = a.values.get(), other = b.values.get();
  const T alpha = values<T>(1, 39)[0], beta = values<T>(1, 49)[0];
  const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
  size_t bytes = 0;
  EXPECT_SPARSE_OK(cusparseSDDMM_bufferSize(handle, N, N, &alpha, a.at, b.at, &beta, c.at, Of<T>::type,
                                            CUSPARSE_SDDMM_ALG_DEFAULT, &bytes));
  OnDevice<char> buffer(bytes + 1);
  EXPECT_SPARSE_OK(cusparseSDDMM(handle, N, N, &alpha, a.at, b.at, &beta, c.at, Of<T>::type,
                                 CUSPARSE_SDDMM_ALG_DEFAULT, buffer.at));
  std::vector<Z> wanted;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 12; ++j) {
      if (exact(whole(i, j)) == Z(0)) continue;
      Z sum = 0;
      for (int p = 0; p < 5; ++p) sum += exact(of[a.place(i, p)]) * exact(other[b.place(p, j)]);
      wanted.push_back(exact(alpha) * sum + exact(beta) * exact(whole(i, j)));
    }
  return apart(exact(c.values.get()), wanted);
}

// x of op(triangle) · x = alpha · b: multiplied again, it gives alpha · b.
template <class T>
double triangle(cusparseHandle_t handle, cusparseFillMode_t fill, cusparseDiagType_t diagonal,
                cusparseOperation_t op, int columns) {
  constexpr int n = 14;
  Whole<T> whole(n, n, 5);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      T& one = whole.values[i * n + j];
      one = i == j ? number<T>(2.0 + exact(values<T>(1, i)[0])) : number<T>(exact(one) * 0.3);
    }
  const Sparse<T, int> a(whole, CUSPARSE_FORMAT_CSR, 1);
  EXPECT_SPARSE_OK(cusparseSpMatSetAttribute(a.at, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  EXPECT_SPARSE_OK(cusparseSpMatSetAttribute(a.at, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
  const T alpha = values<T>(1, 59)[0];
  size_t bytes = 0;
  std::vector<T> b, x;
  if (columns == 1) {
    b = values<T>(n, 3);
    Vector<T> of(b), to(values<T>(n, 4));
    cusparseSpSVDescr_t kept = nullptr;
    EXPECT_SPARSE_OK(cusparseSpSV_createDescr(&kept));
    EXPECT_SPARSE_OK(cusparseSpSV_bufferSize(handle, op, &alpha, a.at, of.at, to.at, Of<T>::type,
                                             CUSPARSE_SPSV_ALG_DEFAULT, kept, &bytes));
    OnDevice<char> buffer(bytes + 1);
    EXPECT_SPARSE_OK(cusparseSpSV_analysis(handle, op, &alpha, a.at, of.at, to.at, Of<T>::type,
                                           CUSPARSE_SPSV_ALG_DEFAULT, kept, buffer.at));
    EXPECT_SPARSE_OK(cusparseSpSV_solve(handle, op, &alpha, a.at, of.at, to.at, Of<T>::type,
                                        CUSPARSE_SPSV_ALG_DEFAULT, kept));
    EXPECT_SPARSE_OK(cusparseSpSV_destroyDescr(kept));
    x = to.values.get();
  } else {
    const Dense<T> of(n, columns, CUSPARSE_ORDER_COL, 3), to(n, columns, CUSPARSE_ORDER_COL, 4);
    const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
    cusparseSpSMDescr_t kept = nullptr;
    EXPECT_SPARSE_OK(cusparseSpSM_createDescr(&kept));
    EXPECT_SPARSE_OK(cusparseSpSM_bufferSize(handle, op, N, &alpha, a.at, of.at, to.at, Of<T>::type,
                                             CUSPARSE_SPSM_ALG_DEFAULT, kept, &bytes));
    OnDevice<char> buffer(bytes + 1);
    EXPECT_SPARSE_OK(cusparseSpSM_analysis(handle, op, N, &alpha, a.at, of.at, to.at, Of<T>::type,
                                           CUSPARSE_SPSM_ALG_DEFAULT, kept, buffer.at));
    EXPECT_SPARSE_OK(cusparseSpSM_solve(handle, op, N, &alpha, a.at, of.at, to.at, Of<T>::type,
                                        CUSPARSE_SPSM_ALG_DEFAULT, kept));
    EXPECT_SPARSE_OK(cusparseSpSM_destroyDescr(kept));
    const auto from = of.values.get(), made = to.values.get();
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < n; ++i) {
        b.push_back(from[of.place(i, j)]);
        x.push_back(made[to.place(i, j)]);
      }
  }
  const bool lower = fill == CUSPARSE_FILL_MODE_LOWER;
  std::vector<Z> again(x.size()), wanted;
  for (size_t at = 0; at < x.size(); ++at) {
    const int i = int(at) % n;
    for (int k = 0; k < n; ++k) {
      const int row = op == CUSPARSE_OPERATION_NON_TRANSPOSE ? i : k,
                column = op == CUSPARSE_OPERATION_NON_TRANSPOSE ? k : i;
      if (lower ? column > row : column < row) continue;
      const Z value = row == column && diagonal == CUSPARSE_DIAG_TYPE_UNIT ? Z(1) : whole.operated(i, k, op);
      again[at] += value * exact(x[at - i + k]);
    }
    wanted.push_back(exact(alpha) * exact(b[at]));
  }
  return apart(again, wanted);
}

// A sparse product of sparse matrices, as NVIDIA's sample makes it.
template <class T>
double sparse_sparse(cusparseHandle_t handle) {
  const Whole<T> one(8, 10, 1), other(10, 7, 2);
  const Sparse<T, int> a(one, CUSPARSE_FORMAT_CSR, 0), b(other, CUSPARSE_FORMAT_CSR, 0);
  OnDevice<int> begin(9);
  cusparseSpMatDescr_t c = nullptr;
  EXPECT_SPARSE_OK(cusparseCreateCsr(&c, 8, 7, 0, begin.at, nullptr, nullptr, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, Of<T>::type));
  const T alpha = values<T>(1, 69)[0], beta = T{};
  const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const auto alg = CUSPARSE_SPGEMM_DEFAULT;
  cusparseSpGEMMDescr_t kept = nullptr;
  size_t bytes = 0, more = 0;
  EXPECT_SPARSE_OK(cusparseSpGEMM_createDescr(&kept));
  EXPECT_SPARSE_OK(cusparseSpGEMM_workEstimation(handle, N, N, &alpha, a.at, b.at, &beta, c, Of<T>::type, alg,
                                                 kept, &bytes, nullptr));
  OnDevice<char> first(bytes + 1);
  EXPECT_SPARSE_OK(cusparseSpGEMM_workEstimation(handle, N, N, &alpha, a.at, b.at, &beta, c, Of<T>::type, alg,
                                                 kept, &bytes, first.at));
  EXPECT_SPARSE_OK(cusparseSpGEMM_compute(handle, N, N, &alpha, a.at, b.at, &beta, c, Of<T>::type, alg, kept,
                                          &more, nullptr));
  OnDevice<char> second(more + 1);
  EXPECT_SPARSE_OK(cusparseSpGEMM_compute(handle, N, N, &alpha, a.at, b.at, &beta, c, Of<T>::type, alg, kept,
                                          &more, second.at));
  int64_t rows = 0, columns = 0, count = 0;
  EXPECT_SPARSE_OK(cusparseSpMatGetSize(c, &rows, &columns, &count));
  OnDevice<int> places(count);
  OnDevice<T> of(count);
  EXPECT_SPARSE_OK(cusparseCsrSetPointers(c, begin.at, places.at, of.at));
  EXPECT_SPARSE_OK(cusparseSpGEMM_copy(handle, N, N, &alpha, a.at, b.at, &beta, c, Of<T>::type, alg, kept));
  EXPECT_SPARSE_OK(cusparseSpGEMM_destroyDescr(kept));
  EXPECT_SPARSE_OK(cusparseDestroySpMat(c));
  std::vector<Z> is(8 * 7), wanted(8 * 7);
  const auto begins = begin.get(), where = places.get();
  const auto made = of.get();
  EXPECT(rows == 8 && columns == 7 && begins[8] == count);
  for (int i = 0; i < 8; ++i) {
    for (int k = begins[i]; k < begins[i + 1]; ++k) is[i * 7 + where[k]] += exact(made[k]);
    for (int j = 0; j < 7; ++j)
      for (int p = 0; p < 10; ++p) wanted[i * 7 + j] += exact(alpha) * exact(one(i, p)) * exact(other(p, j));
  }
  return apart(is, wanted);
}

template <class T>
void all(cusparseHandle_t handle) {
  double mv = 0, mm = 0;
  for (const auto format : formats)
    for (const int base : {0, 1})
      for (const auto op : operations) {
        if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && !is_complex<T>) continue;
        mv = std::max(mv, matrix_vector<T, int>(handle, format, base, op, T{}));
        mv = std::max(mv, matrix_vector<T, int>(handle, format, base, op, values<T>(1, 79)[0]));
        mm = std::max(mm, matrix_matrix<T, int>(handle, format, base, op, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                                CUSPARSE_ORDER_COL, CUSPARSE_ORDER_COL));
      }
  const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
  mv = std::max(mv, matrix_vector<T, int64_t>(handle, CUSPARSE_FORMAT_CSR, 1, N, T{}));
  mv = std::max(mv, matrix_vector<T, int64_t>(handle, CUSPARSE_FORMAT_COO, 0, N, T{}));
  mm = std::max(mm, matrix_matrix<T, int>(handle, CUSPARSE_FORMAT_CSR, 0, N, N, CUSPARSE_ORDER_ROW,
                                          CUSPARSE_ORDER_ROW));
  mm = std::max(mm, matrix_matrix<T, int>(handle, CUSPARSE_FORMAT_CSR, 0, N, CUSPARSE_OPERATION_TRANSPOSE,
                                          CUSPARSE_ORDER_COL, CUSPARSE_ORDER_COL));
  mm = std::max(mm, matrix_matrix<T, int>(handle, CUSPARSE_FORMAT_CSR, 0, N, N, CUSPARSE_ORDER_COL,
                                          CUSPARSE_ORDER_COL, 3));
  std::printf("%s\n", Of<T>::name);
  expect_below("  SpMV", mv, Of<T>::bound);
  expect_below("  SpMM", mm, Of<T>::bound);
  expect_below("  SDDMM", sampled<T>(handle), Of<T>::bound);
  expect_below("  SpGEMM", sparse_sparse<T>(handle), Of<T>::bound);
  double sv = 0, sm = 0;
  for (const auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
    for (const auto diagonal : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT})
      for (const auto op : operations) {
        if (!is_complex<T> && op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) continue;
        sv = std::max(sv, triangle<T>(handle, fill, diagonal, op, 1));
        sm = std::max(sm, triangle<T>(handle, fill, diagonal, op, 3));
      }
  expect_below("  SpSV", sv, Of<T>::bound);
  expect_below("  SpSM", sm, Of<T>::bound);
}

// Factors on the device, on a stream of its own, and in a graph.
void streams_and_graphs(cusparseHandle_t handle) {
  const Whole<double> whole(23, 17, 3);
  const Sparse<double, int> a(whole, CUSPARSE_FORMAT_CSR, 0);
  Vector<double> x(values<double>(17, 5)), y(std::vector<double>(23, 1));
  OnDevice<double> factors(std::vector<double>{2, 0.5});
  cudaStream_t stream = nullptr;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_SPARSE_OK(cusparseSetStream(handle, stream));
  EXPECT_SPARSE_OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  size_t bytes = 0;
  const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
  EXPECT_SPARSE_OK(cusparseSpMV_bufferSize(handle, N, factors.at, a.at, x.at, factors.at + 1, y.at,
                                           CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  OnDevice<char> buffer(bytes + 1);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t made = nullptr;
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  EXPECT_SPARSE_OK(cusparseSpMV(handle, N, factors.at, a.at, x.at, factors.at + 1, y.at, CUDA_R_64F,
                                CUSPARSE_SPMV_ALG_DEFAULT, buffer.at));
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT_OK(cudaGraphInstantiate(&made, graph, 0));
  for (int i = 0; i < 2; ++i) EXPECT_OK(cudaGraphLaunch(made, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  std::vector<double> wanted;
  for (int i = 0; i < 23; ++i) {
    double sum = 0;
    for (int k = 0; k < 17; ++k) sum += whole(i, k) * values<double>(17, 5)[k];
    wanted.push_back(2 * sum + 0.5 * (2 * sum + 0.5));
  }
  EXPECT(difference(y.values.get(), wanted) < 1e-13);
  EXPECT_OK(cudaGraphExecDestroy(made));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_SPARSE_OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  EXPECT_SPARSE_OK(cusparseSetStream(handle, nullptr));
  EXPECT_OK(cudaStreamDestroy(stream));
}

int main() {
  cusparseHandle_t handle = nullptr;
  EXPECT_SPARSE_OK(cusparseCreate(&handle));
  all<float>(handle);
  all<double>(handle);
  all<cuComplex>(handle);
  all<cuDoubleComplex>(handle);
  streams_and_graphs(handle);
  EXPECT_SPARSE_OK(cusparseDestroy(handle));
  return result();
}
