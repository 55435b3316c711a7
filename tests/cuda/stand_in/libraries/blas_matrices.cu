// nvcc: -lcublas
// Levels 2 and 3 of cuBLAS against plain loops in double: every operation, side, triangle and diagonal.
#include "expect.h"

cublasHandle_t handle = nullptr;
constexpr cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr cublasFillMode_t parts[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr cublasDiagType_t diagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};
constexpr cublasSideMode_t sides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};

// A matrix of doubles, for what is wanted.
struct Plain {
  int rows = 0, columns = 0;
  std::vector<double> v;
  Plain(int m, int n) : rows(m), columns(n), v(size_t(m) * n) {}
  double& operator()(int i, int j) { return v[size_t(j) * rows + i]; }
  double operator()(int i, int j) const { return v[size_t(j) * rows + i]; }
};
template <class T>
Plain plain(const std::vector<T>& from, int m, int n, int ld) {
  Plain made(m, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) made(i, j) = double(from[size_t(j) * ld + i]);
  return made;
}
Plain turned(const Plain& a) {
  Plain made(a.columns, a.rows);
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i) made(j, i) = a(i, j);
  return made;
}
Plain op(const Plain& a, cublasOperation_t which) { return which == CUBLAS_OP_N ? a : turned(a); }
Plain times(const Plain& a, const Plain& b) {
  Plain made(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j)
    for (int i = 0; i < a.rows; ++i)
      for (int k = 0; k < a.columns; ++k) made(i, j) += a(i, k) * b(k, j);
  return made;
}
Plain sum(double alpha, const Plain& a, double beta, const Plain& b) {
  Plain made(a.rows, a.columns);
  for (size_t i = 0; i < made.v.size(); ++i) made.v[i] = alpha * a.v[i] + beta * b.v[i];
  return made;
}
Plain triangle(const Plain& a, cublasFillMode_t part, cublasDiagType_t diagonal) {
  Plain made(a.rows, a.rows);
  for (int j = 0; j < a.rows; ++j)
    for (int i = 0; i < a.rows; ++i) {
      if (part == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j) made(i, j) = a(i, j);
      if (i == j && diagonal == CUBLAS_DIAG_UNIT) made(i, j) = 1;
    }
  return made;
}
Plain symmetric(const Plain& a, cublasFillMode_t part) {
  Plain made = a;
  for (int j = 0; j < a.rows; ++j)
    for (int i = 0; i < a.rows; ++i)
      if (part == CUBLAS_FILL_MODE_LOWER ? i < j : i > j) made(i, j) = a(j, i);
  return made;
}

template <class T>
struct Names;
#define NAMES(T, S)                               \
  template <>                                     \
  struct Names<T> {                               \
    static constexpr auto gemv = cublas##S##gemv; \
    static constexpr auto ger = cublas##S##ger;   \
    static constexpr auto symv = cublas##S##symv; \
    static constexpr auto trmv = cublas##S##trmv; \
    static constexpr auto trsv = cublas##S##trsv; \
    static constexpr auto symm = cublas##S##symm; \
    static constexpr auto syrk = cublas##S##syrk; \
    static constexpr auto trmm = cublas##S##trmm; \
    static constexpr auto trsm = cublas##S##trsm; \
    static constexpr auto geam = cublas##S##geam; \
    static constexpr auto dgmm = cublas##S##dgmm; \
  };
NAMES(float, S)
NAMES(double, D)

constexpr int m = 37, n = 53, ld = 64;

template <class T>
void matrix_and_vectors() {
  const T alpha = T(1.5), beta = T(-0.5);
  const auto a = values<T>(size_t(ld) * n, 11), x = values<T>(2 * n, 12), y = values<T>(2 * n, 13);
  OnDevice<T> on_a(a), on_x(x), on_y(y);
  for (const auto which : ops) {
    const Plain matrix = op(plain(a, m, n, ld), which);
    on_y.set(y);
    EXPECT_BLAS_OK(Names<T>::gemv(handle, which, m, n, &alpha, on_a.at, ld, on_x.at, 2, &beta, on_y.at, 1));
    const Plain wanted =
        sum(alpha,
            times(matrix, plain(x, 1, matrix.columns, 2).columns != 0 ? turned(plain(x, 1, matrix.columns, 2))
                                                                      : Plain(0, 0)),
            beta, plain(y, matrix.rows, 1, matrix.rows));
    auto is = on_y.get();
    is.resize(matrix.rows);
    EXPECT(difference(is, wanted.v) < tolerance<T>);
  }
  // Where beta is 0, what was there does not count.
  const T zero = 0;
  on_y.set(std::vector<T>(2 * n, T(NAN)));
  EXPECT_BLAS_OK(
      Names<T>::gemv(handle, CUBLAS_OP_N, m, n, &alpha, on_a.at, ld, on_x.at, 1, &zero, on_y.at, 1));
  EXPECT(!std::isnan(on_y.get()[m - 1]) && std::isnan(on_y.get()[m]));

  on_y.set(y);
  EXPECT_BLAS_OK(Names<T>::ger(handle, m, n, &alpha, on_x.at, 1, on_y.at, 2, on_a.at, ld));
  Plain outer = plain(a, m, n, ld);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) outer(i, j) += double(alpha) * double(x[i]) * double(y[2 * j]);
  EXPECT(difference(plain(on_a.get(), m, n, ld).v, outer.v) < tolerance<T>);
  on_a.set(a);

  for (const auto part : parts) {
    on_y.set(y);
    EXPECT_BLAS_OK(Names<T>::symv(handle, part, m, &alpha, on_a.at, ld, on_x.at, 1, &beta, on_y.at, 1));
    const Plain wanted =
        sum(alpha, times(symmetric(plain(a, m, m, ld), part), plain(x, m, 1, m)), beta, plain(y, m, 1, m));
    auto is = on_y.get();
    is.resize(m);
    EXPECT(difference(is, wanted.v) < tolerance<T>);
  }
}

// Diagonals near 2 and small other elements, so that solutions are as exact as products.
template <class T>
std::vector<T> dominant(uint32_t seed) {
  auto made = values<T>(size_t(ld) * ld, seed);
  for (int j = 0; j < ld; ++j)
    for (int i = 0; i < ld; ++i)
      made[size_t(j) * ld + i] = made[size_t(j) * ld + i] / T(ld) + (i == j ? T(2) : T(0));
  return made;
}

template <class T>
void triangles() {
  const auto a = dominant<T>(21), b = values<T>(size_t(ld) * n, 22);
  const T alpha = T(0.75);
  OnDevice<T> on_a(a), on_b(b), on_c(size_t(ld) * n), on_x(b);
  for (const auto part : parts)
    for (const auto which : ops)
      for (const auto diagonal : diagonals) {
        const Plain t = op(triangle(plain(a, m, m, ld), part, diagonal), which);
        on_x.set(b);
        EXPECT_BLAS_OK(Names<T>::trmv(handle, part, which, diagonal, m, on_a.at, ld, on_x.at, 1));
        auto is = on_x.get();
        is.resize(m);
        EXPECT(difference(is, times(t, plain(b, m, 1, m)).v) < tolerance<T>);
        EXPECT_BLAS_OK(Names<T>::trsv(handle, part, which, diagonal, m, on_a.at, ld, on_x.at, 1));
        is = on_x.get();
        is.resize(m);
        EXPECT(difference(is, plain(b, m, 1, m).v) < tolerance<T>);
        for (const auto side : sides) {
          const int order = side == CUBLAS_SIDE_LEFT ? m : n;
          const Plain all = op(triangle(plain(a, order, order, ld), part, diagonal), which);
          const Plain right = plain(b, m, n, ld);
          EXPECT_BLAS_OK(Names<T>::trmm(handle, side, part, which, diagonal, m, n, &alpha, on_a.at, ld,
                                        on_b.at, ld, on_c.at, ld));
          const Plain made = side == CUBLAS_SIDE_LEFT ? times(all, right) : times(right, all);
          EXPECT(difference(plain(on_c.get(), m, n, ld).v, sum(alpha, made, 0, made).v) < tolerance<T>);
          // Back again: x of op(t) · x = alpha · (alpha · op(t) · b).
          EXPECT_BLAS_OK(
              Names<T>::trsm(handle, side, part, which, diagonal, m, n, &alpha, on_a.at, ld, on_c.at, ld));
          EXPECT(difference(plain(on_c.get(), m, n, ld).v, sum(alpha * alpha, right, 0, right).v) <
                 2 * tolerance<T>);
        }
      }
}

template <class T>
void matrices() {
  const T alpha = T(1.25), beta = T(0.5), zero = 0;
  const auto a = values<T>(size_t(ld) * ld, 31), b = values<T>(size_t(ld) * ld, 32),
             c = values<T>(size_t(ld) * ld, 33);
  OnDevice<T> on_a(a), on_b(b), on_c(c);
  for (const auto side : sides)
    for (const auto part : parts) {
      const int order = side == CUBLAS_SIDE_LEFT ? m : n;
      on_c.set(c);
      EXPECT_BLAS_OK(
          Names<T>::symm(handle, side, part, m, n, &alpha, on_a.at, ld, on_b.at, ld, &beta, on_c.at, ld));
      const Plain one = symmetric(plain(a, order, order, ld), part), other = plain(b, m, n, ld);
      const Plain made = side == CUBLAS_SIDE_LEFT ? times(one, other) : times(other, one);
      EXPECT(difference(plain(on_c.get(), m, n, ld).v, sum(alpha, made, beta, plain(c, m, n, ld)).v) <
             tolerance<T>);
    }
  for (const auto part : parts)
    for (const auto which : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      on_c.set(c);
      EXPECT_BLAS_OK(Names<T>::syrk(handle, part, which, m, n, &alpha, on_a.at, ld, &beta, on_c.at, ld));
      const Plain one = op(plain(a, which == CUBLAS_OP_N ? m : n, which == CUBLAS_OP_N ? n : m, ld), which);
      Plain wanted = sum(alpha, times(one, turned(one)), beta, plain(c, m, m, ld));
      const Plain before = plain(c, m, m, ld);
      for (int j = 0; j < m; ++j)
        for (int i = 0; i < m; ++i)
          if (part == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
            wanted(i, j) = before(i, j);  // the other half stays
      EXPECT(difference(plain(on_c.get(), m, m, ld).v, wanted.v) < tolerance<T>);
    }
  for (const auto one : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (const auto other : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      EXPECT_BLAS_OK(
          Names<T>::geam(handle, one, other, m, n, &alpha, on_a.at, ld, &beta, on_b.at, ld, on_c.at, ld));
      const auto shaped = [&](const std::vector<T>& from, cublasOperation_t which) {
        return op(plain(from, which == CUBLAS_OP_N ? m : n, which == CUBLAS_OP_N ? n : m, ld), which);
      };
      EXPECT(difference(plain(on_c.get(), m, n, ld).v, sum(alpha, shaped(a, one), beta, shaped(b, other)).v) <
             tolerance<T>);
    }
  // A transposed copy, as courses do it.
  const T unit = 1;
  EXPECT_BLAS_OK(Names<T>::geam(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &unit, on_a.at, ld, &zero,
                                static_cast<const T*>(nullptr), ld, on_c.at, ld));
  EXPECT(plain(on_c.get(), m, n, ld).v == turned(plain(a, n, m, ld)).v);
  for (const auto side : sides) {
    EXPECT_BLAS_OK(Names<T>::dgmm(handle, side, m, n, on_a.at, ld, on_b.at, 2, on_c.at, ld));
    Plain wanted = plain(a, m, n, ld);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) wanted(i, j) *= double(b[2 * (side == CUBLAS_SIDE_LEFT ? i : j)]);
    EXPECT(difference(plain(on_c.get(), m, n, ld).v, wanted.v) < tolerance<T>);
  }
}

int main() {
  EXPECT_BLAS_OK(cublasCreate(&handle));
  matrix_and_vectors<float>();
  matrix_and_vectors<double>();
  triangles<float>();
  triangles<double>();
  matrices<float>();
  matrices<double>();
  EXPECT_BLAS_OK(cublasDestroy(handle));
  return result();
}
