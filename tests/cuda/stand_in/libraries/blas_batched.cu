// nvcc: -lcublas
// Batches of small systems: LU factors with and without exchanged rows, solutions, inverses, triangles.
#include <utility>

#include "expect.h"

cublasHandle_t handle = nullptr;
constexpr int n = 13, columns = 4, ld = 16, count = 5;

template <class T>
struct Names;
#define NAMES(T, S)                                          \
  template <>                                                \
  struct Names<T> {                                          \
    static constexpr auto getrf = cublas##S##getrfBatched;   \
    static constexpr auto getrs = cublas##S##getrsBatched;   \
    static constexpr auto getri = cublas##S##getriBatched;   \
    static constexpr auto matinv = cublas##S##matinvBatched; \
    static constexpr auto trsm = cublas##S##trsmBatched;     \
  };
NAMES(float, S)
NAMES(double, D)
NAMES(cuComplex, C)
NAMES(cuDoubleComplex, Z)

using Number = std::complex<double>;
Number wide(float value) { return value; }
Number wide(double value) { return value; }
Number wide(cuComplex value) { return {value.x, value.y}; }
Number wide(cuDoubleComplex value) { return {value.x, value.y}; }
template <class T>
T scalar(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return T(value);
  } else {
    return T{static_cast<decltype(T::x)>(value), 0};
  }
}
// Inverses and solutions lose some digits, as many as the matrices are badly conditioned.
template <class T>
constexpr double close = std::is_same_v<T, float> || std::is_same_v<T, cuComplex> ? 2e-4 : 2e-12;

// The matrices of a batch one after the other, and their addresses in an array on the device.
template <class T>
struct Batch {
  OnDevice<T> all;
  OnDevice<T*> each{count};
  explicit Batch(const std::vector<T>& values) : all(values) {
    std::vector<T*> at;
    for (int i = 0; i < count; ++i) at.push_back(all.at + size_t(i) * ld * n);
    each.set(at);
  }
  const T* const* pointers() const { return each.at; }
};
template <class T>
std::vector<T> batch_of(uint32_t seed) {
  return values<T>(size_t(count) * ld * n, seed);
}
template <class T>
Number at(const std::vector<T>& all, int matrix, int row, int column) {
  return wide(all[(size_t(matrix) * n + column) * ld + row]);
}
Number operated(Number value, cublasOperation_t op) { return op == CUBLAS_OP_C ? std::conj(value) : value; }

// The largest element of op(a) · x - b over all of the batch.
template <class T>
double residual(const std::vector<T>& a, cublasOperation_t op, const std::vector<T>& x,
                const std::vector<T>& b, int of_columns) {
  double most = 0;
  for (int matrix = 0; matrix < count; ++matrix)
    for (int j = 0; j < of_columns; ++j)
      for (int i = 0; i < n; ++i) {
        Number sum = -at(b, matrix, i, j);
        for (int k = 0; k < n; ++k)
          sum += operated(op == CUBLAS_OP_N ? at(a, matrix, i, k) : at(a, matrix, k, i), op) *
                 at(x, matrix, k, j);
        if (!(std::abs(sum) <= most)) most = std::abs(sum);
      }
  return most;
}
template <class T>
std::vector<T> ones() {
  std::vector<T> made(size_t(count) * ld * n, scalar<T>(0));
  for (int matrix = 0; matrix < count; ++matrix)
    for (int i = 0; i < n; ++i) made[(size_t(matrix) * n + i) * ld + i] = scalar<T>(1);
  return made;
}

// The pivot of a column is the largest element at or below the diagonal, and L · U is the matrix with its
// rows exchanged.
template <class T>
void factors(const std::vector<T>& a, const std::vector<T>& lu, const std::vector<int>& pivots) {
  double most = 0;
  for (int matrix = 0; matrix < count; ++matrix) {
    int rows[n];
    for (int i = 0; i < n; ++i) rows[i] = i;
    for (int i = 0; i < n; ++i) {
      const int other = pivots[size_t(matrix) * n + i] - 1;
      EXPECT(other >= i && other < n);
      if (other >= i && other < n) std::swap(rows[i], rows[other]);
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        Number sum = i <= j ? at(lu, matrix, i, j) : 0.0;
        for (int k = 0; k < i && k <= j; ++k) sum += at(lu, matrix, i, k) * at(lu, matrix, k, j);
        most = std::max(most, std::abs(sum - at(a, matrix, rows[i], j)));
        if (i > j) EXPECT(std::abs(at(lu, matrix, i, j)) <= 1.5);
      }
  }
  EXPECT(most < close<T>);
}

template <class T>
void systems() {
  const auto a = batch_of<T>(51), b = batch_of<T>(52);
  Batch<T> on_a(a), on_b(b), on_c(batch_of<T>(53));
  OnDevice<int> pivots(size_t(n) * count), told(count);
  const std::vector<int> fine(count, 0);
  EXPECT_BLAS_OK(Names<T>::getrf(handle, n, on_a.each.at, ld, pivots.at, told.at, count));
  EXPECT(told.get() == fine);
  factors(a, on_a.all.get(), pivots.get());
  for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    on_b.all.set(b);
    int wrong = 77;
    EXPECT_BLAS_OK(Names<T>::getrs(handle, op, n, columns, on_a.pointers(), ld, pivots.at, on_b.each.at, ld,
                                   &wrong, count));
    EXPECT(wrong == 0);
    EXPECT(residual(a, op, on_b.all.get(), b, columns) < close<T>);
  }
  EXPECT_BLAS_OK(
      Names<T>::getri(handle, n, on_a.pointers(), ld, pivots.at, on_c.each.at, ld, told.at, count));
  EXPECT(told.get() == fine);
  EXPECT(residual(a, CUBLAS_OP_N, on_c.all.get(), ones<T>(), n) < close<T>);

  on_a.all.set(a);
  EXPECT_BLAS_OK(Names<T>::matinv(handle, n, on_a.pointers(), ld, on_c.each.at, ld, told.at, count));
  EXPECT(told.get() == fine);
  EXPECT(residual(a, CUBLAS_OP_N, on_c.all.get(), ones<T>(), n) < close<T>);
}

// Without an array for the pivots no rows are exchanged.
template <class T>
void without_pivots() {
  auto a = batch_of<T>(54);
  for (int matrix = 0; matrix < count; ++matrix)
    for (int i = 0; i < n; ++i) a[(size_t(matrix) * n + i) * ld + i] = scalar<T>(20);
  const auto b = batch_of<T>(55);
  Batch<T> on_a(a), on_b(b);
  OnDevice<int> told(count);
  EXPECT_BLAS_OK(Names<T>::getrf(handle, n, on_a.each.at, ld, nullptr, told.at, count));
  EXPECT(std::abs(at(on_a.all.get(), 0, 0, 0) - 20.0) < 1e-12);
  int wrong = 77;
  EXPECT_BLAS_OK(Names<T>::getrs(handle, CUBLAS_OP_N, n, columns, on_a.pointers(), ld, nullptr, on_b.each.at,
                                 ld, &wrong, count));
  EXPECT(residual(a, CUBLAS_OP_N, on_b.all.get(), b, columns) < close<T>);
}

template <class T>
void triangles() {
  auto a = batch_of<T>(56);
  for (int matrix = 0; matrix < count; ++matrix)
    for (int i = 0; i < n; ++i) a[(size_t(matrix) * n + i) * ld + i] = scalar<T>(9);
  const auto b = batch_of<T>(57);
  const T alpha = scalar<T>(0.5);
  Batch<T> on_a(a), on_b(b);
  for (const auto part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
    for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
      auto triangle = a, half = b;
      for (int matrix = 0; matrix < count; ++matrix)
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i)
            if (part == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
              triangle[(size_t(matrix) * n + j) * ld + i] = scalar<T>(0);
      for (T& value : half) {
        if constexpr (std::is_floating_point_v<T>) {
          value *= alpha;
        } else {
          value.x *= alpha.x;
          value.y *= alpha.x;
        }
      }
      on_b.all.set(b);
      EXPECT_BLAS_OK(Names<T>::trsm(handle, CUBLAS_SIDE_LEFT, part, op, CUBLAS_DIAG_NON_UNIT, n, columns,
                                    &alpha, on_a.pointers(), ld, on_b.each.at, ld, count));
      EXPECT(residual(triangle, op, on_b.all.get(), half, columns) < close<T>);
    }
}

// From the right: x · 2 = alpha · b with the only element of a 1 × 1 triangle.
void from_the_right() {
  const float alpha = 3;
  Batch<float> on_a(std::vector<float>(size_t(count) * ld * n, 2)), on_b(batch_of<float>(58));
  const auto before = on_b.all.get();
  EXPECT_BLAS_OK(cublasStrsmBatched(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                                    CUBLAS_DIAG_NON_UNIT, n, 1, &alpha, on_a.pointers(), ld, on_b.each.at, ld,
                                    count));
  const auto after = on_b.all.get();
  EXPECT(std::abs(after[n - 1] - 1.5f * before[n - 1]) < 1e-6f && after[n] == before[n]);
}

// Column 3 of one of the matrices is 0.
void singular() {
  auto a = batch_of<double>(59);
  for (int i = 0; i < n; ++i) a[(size_t(2) * n + 3) * ld + i] = 0;
  Batch<double> on_a(a), on_c(batch_of<double>(60));
  OnDevice<int> pivots(size_t(n) * count), told(count);
  const std::vector<int> wanted{0, 0, 4, 0, 0};
  EXPECT_BLAS_OK(cublasDmatinvBatched(handle, n, on_a.pointers(), ld, on_c.each.at, ld, told.at, count));
  EXPECT(told.get() == wanted);
  EXPECT_BLAS_OK(cublasDgetrfBatched(handle, n, on_a.each.at, ld, pivots.at, told.at, count));
  EXPECT(told.get() == wanted);
  EXPECT_BLAS_OK(
      cublasDgetriBatched(handle, n, on_a.pointers(), ld, pivots.at, on_c.each.at, ld, told.at, count));
  EXPECT(told.get() == wanted);
}

void codes() {
  Batch<float> on_a(batch_of<float>(61));
  OnDevice<int> told(count);
  int wrong = 0;
  EXPECT_BLAS(cublasSgetrfBatched(nullptr, n, on_a.each.at, ld, nullptr, told.at, count),
              CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_BLAS(cublasSgetrfBatched(handle, -1, on_a.each.at, ld, nullptr, told.at, count),
              CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_BLAS(cublasSgetrfBatched(handle, n, on_a.each.at, n - 1, nullptr, told.at, count),
              CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_BLAS(cublasSmatinvBatched(handle, 33, on_a.pointers(), 64, on_a.each.at, 64, told.at, count),
              CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_BLAS(cublasSgetrsBatched(handle, CUBLAS_OP_N, n, columns, on_a.pointers(), n - 1, nullptr,
                                  on_a.each.at, ld, &wrong, count),
              CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(wrong < 0);
  EXPECT_BLAS_OK(cublasSgetrfBatched(handle, n, on_a.each.at, ld, nullptr, told.at, 0));
}

template <class T>
void all() {
  systems<T>();
  without_pivots<T>();
  triangles<T>();
}

int main() {
  EXPECT_BLAS_OK(cublasCreate(&handle));
  all<float>();
  all<double>();
  all<cuComplex>();
  all<cuDoubleComplex>();
  from_the_right();
  singular();
  codes();
  EXPECT_BLAS_OK(cublasDestroy(handle));
  return result();
}
