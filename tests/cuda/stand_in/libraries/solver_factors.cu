// nvcc: -lcusolver
// Cholesky, LU and QR of all types: what is multiplied again gives the matrix, and solutions solve.
#include "solver.h"

template <class T>
void cholesky(cusolverDnHandle_t handle, cublasFillMode_t part) {
  using S = Solver<T>;
  constexpr int n = 37, columns = 4;
  const Host a = positive<T>(n, 3), b = random<T>(n, columns, 4);
  const bool lower = part == CUBLAS_FILL_MODE_LOWER;
  // The other half is never read nor written.
  Host half = a;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (lower ? i < j : i > j) half(i, j) = 5;
  Matrix<T> of(half), right(b);
  OnDevice<int> info(std::vector<int>{77});
  int elements = 0;
  EXPECT_SOLVER_OK(S::potrf_size(handle, part, n, of.at(), of.ld, &elements));
  OnDevice<T> work(elements + 1);
  EXPECT_SOLVER_OK(S::potrf(handle, part, n, of.at(), of.ld, work.at, elements, info.at));
  EXPECT(value_of_info(info) == 0);
  Host factor = of.get();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (lower ? i < j : i > j) {
        EXPECT(factor(i, j) == Z(5));
        factor(i, j) = 0;
      }
  expect_below("  potrf", apart(lower ? factor * adjoint(factor) : adjoint(factor) * factor, a), bound<T>);
  EXPECT_SOLVER_OK(S::potrs(handle, part, n, columns, of.at(), of.ld, right.at(), right.ld, info.at));
  EXPECT(value_of_info(info) == 0);
  expect_below("  potrs", apart(a * right.get(), b), bound<T>);
  EXPECT_SOLVER_OK(S::potri_size(handle, part, n, of.at(), of.ld, &elements));
  OnDevice<T> more(elements + 1);
  EXPECT_SOLVER_OK(S::potri(handle, part, n, of.at(), of.ld, more.at, elements, info.at));
  Host inverse = of.get();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (lower ? i < j : i > j) inverse(i, j) = std::conj(inverse(j, i));
  expect_below("  potri", apart(a * inverse, identity(n)), bound<T>);

  // The third leading minor is negative.
  Host wrong = a;
  wrong(2, 2) = -1000;
  of.set(wrong);
  EXPECT_SOLVER_OK(S::potrf(handle, part, n, of.at(), of.ld, work.at, elements, info.at));
  EXPECT(value_of_info(info) == 3);
}

template <class T>
void cholesky_batch(cusolverDnHandle_t handle) {
  using S = Solver<T>;
  constexpr int n = 6, count = 3;
  const Host a[count] = {positive<T>(n, 1), positive<T>(n, 2), positive<T>(n, 3)}, b = random<T>(n, 1, 9);
  Matrix<T> one(a[0]), two(a[1]), three(a[2]), first(b), second(b), third(b);
  OnDevice<T*> of(std::vector<T*>{one.at(), two.at(), three.at()}),
      right(std::vector<T*>{first.at(), second.at(), third.at()});
  OnDevice<int> info(std::vector<int>(count, 5));
  const auto part = CUBLAS_FILL_MODE_LOWER;
  EXPECT_SOLVER_OK(S::potrf_batched(handle, part, n, of.at, one.ld, info.at, count));
  EXPECT(info.get() == std::vector<int>(count, 0));
  EXPECT_SOLVER_OK(S::potrs_batched(handle, part, n, 1, of.at, one.ld, right.at, first.ld, info.at, count));
  EXPECT(value_of_info(info) == 0);
  double error = 0;
  const Matrix<T>* made[] = {&first, &second, &third};
  for (int i = 0; i < count; ++i) error = std::max(error, apart(a[i] * made[i]->get(), b));
  expect_below("  potrsBatched", error, bound<T>);
  // Of one matrix that is not positive, the others are factors all the same.
  Host wrong = a[1];
  wrong(1, 1) = -1;
  one.set(a[0]);
  two.set(wrong);
  three.set(a[2]);
  EXPECT_SOLVER_OK(S::potrf_batched(handle, part, n, of.at, one.ld, info.at, count));
  EXPECT((info.get() == std::vector<int>{0, 2, 0}));
}

template <class T>
void lu(cusolverDnHandle_t handle, int m, int n, bool with_pivots) {
  using S = Solver<T>;
  Host a = random<T>(m, n, 7);
  for (int i = 0; !with_pivots && i < std::min(m, n); ++i) a(i, i) += 20;
  for (Z& value : a.values) value = exact(number<T>(value));
  const int least = std::min(m, n);
  Matrix<T> of(a);
  OnDevice<int> info(std::vector<int>{77}), pivots(least);
  int elements = 0;
  EXPECT_SOLVER_OK(S::getrf_size(handle, m, n, of.at(), of.ld, &elements));
  OnDevice<T> work(elements + 1);
  EXPECT_SOLVER_OK(
      S::getrf(handle, m, n, of.at(), of.ld, work.at, with_pivots ? pivots.at : nullptr, info.at));
  EXPECT(value_of_info(info) == 0);
  const Host both = of.get();
  Host lower(m, least), upper(least, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      if (i > j && j < least) lower(i, j) = both(i, j);
      if (i <= j && i < least) upper(i, j) = both(i, j);
      if (i == j && i < least) lower(i, j) = 1;
    }
  Host exchanged = a;
  const auto rows = pivots.get();
  for (int k = 0; with_pivots && k < least; ++k) {
    EXPECT(rows[k] > k && rows[k] <= m);
    for (int j = 0; j < n; ++j) std::swap(exchanged(k, j), exchanged(rows[k] - 1, j));
  }
  expect_below("  getrf", apart(lower * upper, exchanged), bound<T>);
  // The factors are below 1, as LAPACK's pivots make them (of complex numbers, in the measure of both parts).
  for (size_t i = 0; with_pivots && i < lower.values.size(); ++i) EXPECT(std::abs(lower.values[i]) <= 1.5);
  if (m != n) return;
  const Host b = random<T>(n, 3, 8);
  for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    Matrix<T> right(b);
    EXPECT_SOLVER_OK(S::getrs(handle, op, n, 3, of.at(), of.ld, with_pivots ? pivots.at : nullptr, right.at(),
                              right.ld, info.at));
    Host turned(n, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        turned(i, j) = op == CUBLAS_OP_N ? a(i, j) : op == CUBLAS_OP_T ? a(j, i) : std::conj(a(j, i));
    expect_below("  getrs", apart(turned * right.get(), b), 10 * bound<T>);
  }
}

template <class T>
void qr(cusolverDnHandle_t handle, int m, int n) {
  using S = Solver<T>;
  const int least = std::min(m, n);
  const Host a = random<T>(m, n, 11), c = random<T>(m, 5, 12);
  Matrix<T> of(a), to(c);
  OnDevice<T> tau(least);
  OnDevice<int> info(std::vector<int>{77});
  int elements = 0;
  EXPECT_SOLVER_OK(S::geqrf_size(handle, m, n, of.at(), of.ld, &elements));
  OnDevice<T> work(elements + 1);
  EXPECT_SOLVER_OK(S::geqrf(handle, m, n, of.at(), of.ld, tau.at, work.at, elements, info.at));
  EXPECT(value_of_info(info) == 0);
  const Host both = of.get();
  Host r(m, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j && i < m; ++i) r(i, j) = both(i, j);
  // R = Qᴴ · A, by the reflections as they are stored.
  Matrix<T> again(a);
  const auto turn = is_complex<T> ? CUBLAS_OP_C : CUBLAS_OP_T;
  EXPECT_SOLVER_OK(S::ormqr_size(handle, CUBLAS_SIDE_LEFT, turn, m, n, least, of.at(), of.ld, tau.at,
                                 again.at(), again.ld, &elements));
  OnDevice<T> more(elements + 1);
  EXPECT_SOLVER_OK(S::ormqr(handle, CUBLAS_SIDE_LEFT, turn, m, n, least, of.at(), of.ld, tau.at, again.at(),
                            again.ld, more.at, elements, info.at));
  expect_below("  geqrf", apart(again.get(), r), bound<T>);
  if (m < n) return;
  Matrix<T> first(both);
  EXPECT_SOLVER_OK(S::orgqr_size(handle, m, n, least, first.at(), first.ld, tau.at, &elements));
  OnDevice<T> last(elements + 1);
  EXPECT_SOLVER_OK(S::orgqr(handle, m, n, least, first.at(), first.ld, tau.at, last.at, elements, info.at));
  const Host q = first.get();
  expect_below("  orgqr", apart(adjoint(q) * q, identity(n)), bound<T>);
  Host square(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) square(i, j) = r(i, j);
  expect_below("  Q · R", apart(q * square, a), bound<T>);
  // From the right: (c · Q)ᴴ = Qᴴ · cᴴ.
  const Host d = random<T>(5, m, 13);
  Matrix<T> right(d), turned(adjoint(d));
  EXPECT_SOLVER_OK(S::ormqr_size(handle, CUBLAS_SIDE_RIGHT, CUBLAS_OP_N, 5, m, least, of.at(), of.ld, tau.at,
                                 right.at(), right.ld, &elements));
  OnDevice<T> room(elements + 1);
  EXPECT_SOLVER_OK(S::ormqr(handle, CUBLAS_SIDE_RIGHT, CUBLAS_OP_N, 5, m, least, of.at(), of.ld, tau.at,
                            right.at(), right.ld, room.at, elements, info.at));
  EXPECT_SOLVER_OK(S::ormqr_size(handle, CUBLAS_SIDE_LEFT, turn, m, 5, least, of.at(), of.ld, tau.at,
                                 turned.at(), turned.ld, &elements));
  OnDevice<T> rest(elements + 1);
  EXPECT_SOLVER_OK(S::ormqr(handle, CUBLAS_SIDE_LEFT, turn, m, 5, least, of.at(), of.ld, tau.at, turned.at(),
                            turned.ld, rest.at, elements, info.at));
  expect_below("  ormqr", apart(adjoint(right.get()), turned.get()), bound<T>);
}

template <class T>
void singular(cusolverDnHandle_t handle) {
  using S = Solver<T>;
  Host a(4, 4);
  a(0, 0) = a(1, 1) = a(3, 3) = 2;
  Matrix<T> of(a);
  OnDevice<int> info(std::vector<int>{77}), pivots(4);
  int elements = 0;
  EXPECT_SOLVER_OK(S::getrf_size(handle, 4, 4, of.at(), of.ld, &elements));
  OnDevice<T> work(elements + 1);
  EXPECT_SOLVER_OK(S::getrf(handle, 4, 4, of.at(), of.ld, work.at, pivots.at, info.at));
  EXPECT(value_of_info(info) == 3);
}

template <class T>
void all(cusolverDnHandle_t handle) {
  std::printf("%s\n", Solver<T>::name);
  for (const auto part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) cholesky<T>(handle, part);
  cholesky_batch<T>(handle);
  lu<T>(handle, 75, 75, true);
  lu<T>(handle, 40, 23, true);
  lu<T>(handle, 23, 70, true);
  lu<T>(handle, 20, 20, false);
  singular<T>(handle);
  qr<T>(handle, 50, 33);
  qr<T>(handle, 20, 20);
  qr<T>(handle, 12, 19);
}

void misuse() {
  cusolverDnHandle_t handle = nullptr;
  int version = 0, major = 0;
  OnDevice<float> a(16), work(64);
  OnDevice<int> info(4);
  EXPECT_SOLVER_OK(cusolverDnCreate(&handle));
  EXPECT_SOLVER_OK(cusolverGetVersion(&version));
  EXPECT_SOLVER_OK(cusolverGetProperty(MAJOR_VERSION, &major));
  EXPECT((major == 11 || major == 12) && version / 1000 == major);
  EXPECT_SOLVER(cusolverDnSgetrs(handle, CUBLAS_OP_N, 4, 1, a.at, 4, info.at, a.at, 3, info.at),
                CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_SOLVER_OK(cusolverDnDestroy(handle));
}

int main() {
  cusolverDnHandle_t handle = nullptr;
  EXPECT_SOLVER_OK(cusolverDnCreate(&handle));
  cudaStream_t stream = nullptr, told = nullptr;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_SOLVER_OK(cusolverDnSetStream(handle, stream));
  EXPECT_SOLVER_OK(cusolverDnGetStream(handle, &told));
  EXPECT(told == stream);
  all<double>(handle);
  EXPECT_SOLVER_OK(cusolverDnSetStream(handle, nullptr));
  EXPECT_OK(cudaStreamDestroy(stream));
  all<float>(handle);
  all<cuComplex>(handle);
  all<cuDoubleComplex>(handle);
  EXPECT_SOLVER_OK(cusolverDnDestroy(handle));
  misuse();
  return result();
}
