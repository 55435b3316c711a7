// nvcc: -lcusolver
// Singular values and eigenvalues of all types: vectors are orthogonal, and what is multiplied again gives
// the matrix; and the functions with types as arguments.
#include "solver.h"

// a = u · values · vᴴ, and the columns of both are orthogonal.
template <class T>
void expect_svd(const char* what, const Host& a, const Host& u,
                const std::vector<typename Of<T>::Real>& values, const Host& v) {
  const int least = std::min(a.rows, a.columns);
  Host scaled(a.rows, least), turned(least, a.columns);
  for (int k = 0; k < least; ++k) {
    for (int i = 0; i < a.rows; ++i) scaled(i, k) = u(i, k) * double(values[k]);
    for (int j = 0; j < a.columns; ++j) turned(k, j) = std::conj(v(j, k));
  }
  expect_below(what, apart(scaled * turned, a), bound<T>);
  EXPECT(apart(adjoint(u) * u, identity(u.columns)) <= bound<T>);
  EXPECT(apart(adjoint(v) * v, identity(v.columns)) <= bound<T>);
  for (int k = 0; k < least; ++k) EXPECT(values[k] >= 0 && (k == 0 || values[k] <= values[k - 1]));
}

template <class T>
void svd(cusolverDnHandle_t handle, int m, int n, char job) {
  using S = Solver<T>;
  using R = typename Of<T>::Real;
  const Host a = random<T>(m, n, 21);
  const int columns = job == 'A' ? m : n;
  Matrix<T> of(a), u(Host(m, columns)), v(Host(n, n));
  OnDevice<R> values(n), rest(n + 1);
  OnDevice<int> info(std::vector<int>{77});
  int elements = 0;
  EXPECT_SOLVER_OK(S::gesvd_size(handle, m, n, &elements));
  OnDevice<T> work(elements + 1);
  EXPECT_SOLVER_OK(S::gesvd(handle, job, job, m, n, of.at(), of.ld, values.at, u.at(), u.ld, v.at(), v.ld,
                            work.at, elements, rest.at, info.at));
  EXPECT(value_of_info(info) == 0);
  expect_svd<T>("  gesvd", a, u.get(), values.get(), adjoint(v.get()));
  // Without vectors the values are the same.
  Matrix<T> again(a);
  OnDevice<R> alone(n);
  EXPECT_SOLVER_OK(S::gesvd(handle, 'N', 'N', m, n, again.at(), again.ld, alone.at, nullptr, m, nullptr, n,
                            work.at, elements, rest.at, info.at));
  EXPECT(difference(alone.get(), values.get()) <= bound<T>);
}

template <class T>
void svd_by_jacobi(cusolverDnHandle_t handle, int m, int n, bool thin) {
  using S = Solver<T>;
  const Host a = random<T>(m, n, 22);
  const int least = std::min(m, n);
  Matrix<T> of(a), u(Host(m, thin ? least : m)), v(Host(n, thin ? least : n));
  OnDevice<typename Of<T>::Real> values(least);
  OnDevice<int> info(std::vector<int>{77});
  gesvdjInfo_t how = nullptr;
  int elements = 0;
  const auto mode = CUSOLVER_EIG_MODE_VECTOR;
  EXPECT_SOLVER_OK(cusolverDnCreateGesvdjInfo(&how));
  EXPECT_SOLVER_OK(cusolverDnXgesvdjSetTolerance(how, 1e-14));
  EXPECT_SOLVER_OK(cusolverDnXgesvdjSetMaxSweeps(how, 100));
  EXPECT_SOLVER_OK(S::gesvdj_size(handle, mode, thin, m, n, of.at(), of.ld, values.at, u.at(), u.ld, v.at(),
                                  v.ld, &elements, how));
  OnDevice<T> work(elements + 1);
  EXPECT_SOLVER_OK(S::gesvdj(handle, mode, thin, m, n, of.at(), of.ld, values.at, u.at(), u.ld, v.at(), v.ld,
                             work.at, elements, info.at, how));
  EXPECT(value_of_info(info) == 0);
  expect_svd<T>("  gesvdj", a, u.get(), values.get(), v.get());
  EXPECT_SOLVER_OK(cusolverDnDestroyGesvdjInfo(how));
}

// One column of the identity in each matrix of a batch says where its arrays begin.
template <class T>
void batches(cusolverDnHandle_t handle) {
  using S = Solver<T>;
  using R = typename Of<T>::Real;
  constexpr int n = 5, m = 7, count = 3;
  const auto mode = CUSOLVER_EIG_MODE_VECTOR;
  const auto part = CUBLAS_FILL_MODE_LOWER;
  std::vector<Host> wide, symmetric;
  std::vector<T> of_wide, of_symmetric;
  for (int b = 0; b < count; ++b) {
    wide.push_back(random<T>(m, n, 30 + b));
    symmetric.push_back(positive<T>(n, 40 + b));
    for (const Z& value : wide[b].values) of_wide.push_back(number<T>(value));
    for (const Z& value : symmetric[b].values) of_symmetric.push_back(number<T>(value));
  }
  OnDevice<T> a(of_wide), u(m * m * count), v(n * n * count), w(of_symmetric);
  OnDevice<R> singular(n * count), eigen(n * count);
  OnDevice<int> info(std::vector<int>(count, 77));
  gesvdjInfo_t how = nullptr;
  syevjInfo_t way = nullptr;
  int elements = 0;
  EXPECT_SOLVER_OK(cusolverDnCreateGesvdjInfo(&how));
  EXPECT_SOLVER_OK(cusolverDnCreateSyevjInfo(&way));
  EXPECT_SOLVER_OK(S::gesvdj_batched_size(handle, mode, m, n, a.at, m, singular.at, u.at, m, v.at, n,
                                          &elements, how, count));
  OnDevice<T> work(elements + 1);
  EXPECT_SOLVER_OK(S::gesvdj_batched(handle, mode, m, n, a.at, m, singular.at, u.at, m, v.at, n, work.at,
                                     elements, info.at, how, count));
  EXPECT(info.get() == std::vector<int>(count, 0));
  EXPECT_SOLVER_OK(S::syevj_batched_size(handle, mode, part, n, w.at, n, eigen.at, &elements, way, count));
  OnDevice<T> more(elements + 1);
  EXPECT_SOLVER_OK(
      S::syevj_batched(handle, mode, part, n, w.at, n, eigen.at, more.at, elements, info.at, way, count));
  EXPECT(info.get() == std::vector<int>(count, 0));
  const auto one = singular.get(), other = eigen.get();
  const auto left = u.get(), right = v.get(), vectors = w.get();
  for (int b = 0; b < count; ++b) {
    Host of_u(m, m), of_v(n, n), of_w(n, n), scaled(n, n);
    for (int i = 0; i < m * m; ++i) of_u.values[i] = exact(left[b * m * m + i]);
    for (int i = 0; i < n * n; ++i) of_v.values[i] = exact(right[b * n * n + i]);
    for (int i = 0; i < n * n; ++i) of_w.values[i] = exact(vectors[b * n * n + i]);
    expect_svd<T>("  gesvdjBatched", wide[b], of_u, {one.begin() + b * n, one.begin() + (b + 1) * n}, of_v);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) scaled(i, j) = of_w(i, j) * double(other[b * n + j]);
    expect_below("  syevjBatched", apart(scaled * adjoint(of_w), symmetric[b]), bound<T>);
  }
  EXPECT_SOLVER_OK(cusolverDnDestroyGesvdjInfo(how));
  EXPECT_SOLVER_OK(cusolverDnDestroySyevjInfo(way));
}

template <class T>
void eigen(cusolverDnHandle_t handle, cublasFillMode_t part) {
  using S = Solver<T>;
  using R = typename Of<T>::Real;
  constexpr int n = 31;
  Host a = random<T>(n, n, 23);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) {
      if (i == j) a(i, i) = a(i, i).real();
      a(j, i) = std::conj(a(i, j));
    }
  const bool lower = part == CUBLAS_FILL_MODE_LOWER;
  Host half = a;  // the other half is not read
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (lower ? i < j : i > j) half(i, j) = 99;
  Matrix<T> of(half), again(half);
  OnDevice<R> values(n), alone(n);
  OnDevice<int> info(std::vector<int>{77});
  int elements = 0;
  const auto mode = CUSOLVER_EIG_MODE_VECTOR;
  EXPECT_SOLVER_OK(S::syevd_size(handle, mode, part, n, of.at(), of.ld, values.at, &elements));
  OnDevice<T> work(elements + 1);
  EXPECT_SOLVER_OK(S::syevd(handle, mode, part, n, of.at(), of.ld, values.at, work.at, elements, info.at));
  EXPECT(value_of_info(info) == 0);
  const Host vectors = of.get();
  const auto is = values.get();
  Host scaled(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) scaled(i, j) = vectors(i, j) * double(is[j]);
  expect_below("  syevd", apart(scaled * adjoint(vectors), a), bound<T>);
  EXPECT(apart(adjoint(vectors) * vectors, identity(n)) <= bound<T>);
  for (int j = 1; j < n; ++j) EXPECT(is[j - 1] <= is[j]);
  EXPECT_SOLVER_OK(
      S::syevd_size(handle, CUSOLVER_EIG_MODE_NOVECTOR, part, n, again.at(), again.ld, alone.at, &elements));
  OnDevice<T> more(elements + 1);
  EXPECT_SOLVER_OK(S::syevd(handle, CUSOLVER_EIG_MODE_NOVECTOR, part, n, again.at(), again.ld, alone.at,
                            more.at, elements, info.at));
  EXPECT(difference(alone.get(), is) <= bound<T>);
}

template <class T>
void all(cusolverDnHandle_t handle) {
  std::printf("%s\n", Solver<T>::name);
  svd<T>(handle, 30, 19, 'A');
  svd<T>(handle, 30, 19, 'S');
  svd<T>(handle, 12, 12, 'A');
  svd_by_jacobi<T>(handle, 20, 13, false);
  svd_by_jacobi<T>(handle, 13, 20, true);
  batches<T>(handle);
  for (const auto part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) eigen<T>(handle, part);
}

// Functions with types as arguments, with pivots of 64 bits, on doubles.
void general(cusolverDnHandle_t handle) {
  constexpr int n = 24;
  const Host a = random<double>(n, n, 51), b = random<double>(n, 2, 52), definite = positive<double>(n, 53);
  Matrix<double> of(a), right(b);
  OnDevice<int64_t> pivots(n);
  OnDevice<int> info(std::vector<int>{77});
  cusolverDnParams_t params = nullptr;
  size_t device = 0, host = 0;
  const auto type = CUDA_R_64F;
  EXPECT_SOLVER_OK(cusolverDnCreateParams(&params));
  EXPECT_SOLVER_OK(
      cusolverDnXgetrf_bufferSize(handle, params, n, n, type, of.at(), of.ld, type, &device, &host));
  OnDevice<char> work(device + 1);
  std::vector<char> room(host + 1);
  EXPECT_SOLVER_OK(cusolverDnXgetrf(handle, params, n, n, type, of.at(), of.ld, pivots.at, type, work.at,
                                    device, room.data(), host, info.at));
  EXPECT_SOLVER_OK(cusolverDnXgetrs(handle, params, CUBLAS_OP_N, n, 2, type, of.at(), of.ld, pivots.at, type,
                                    right.at(), right.ld, info.at));
  EXPECT(value_of_info(info) == 0);
  expect_below("Xgetrf, Xgetrs", apart(a * right.get(), b), 1e-11);

  Matrix<double> positive_one(definite), solution(b);
  const auto part = CUBLAS_FILL_MODE_LOWER;
  EXPECT_SOLVER_OK(cusolverDnXpotrf_bufferSize(handle, params, part, n, type, positive_one.at(),
                                               positive_one.ld, type, &device, &host));
  OnDevice<char> work_2(device + 1);
  std::vector<char> room_2(host + 1);
  EXPECT_SOLVER_OK(cusolverDnXpotrf(handle, params, part, n, type, positive_one.at(), positive_one.ld, type,
                                    work_2.at, device, room_2.data(), host, info.at));
  EXPECT_SOLVER_OK(cusolverDnXpotrs(handle, params, part, n, 2, type, positive_one.at(), positive_one.ld,
                                    type, solution.at(), solution.ld, info.at));
  expect_below("Xpotrf, Xpotrs", apart(definite * solution.get(), b), 1e-12);

  Matrix<double> symmetric(definite);
  OnDevice<double> values(n), singular(n);
  const auto mode = CUSOLVER_EIG_MODE_VECTOR;
  EXPECT_SOLVER_OK(cusolverDnXsyevd_bufferSize(handle, params, mode, part, n, type, symmetric.at(),
                                               symmetric.ld, type, values.at, type, &device, &host));
  OnDevice<char> work_3(device + 1);
  std::vector<char> room_3(host + 1);
  EXPECT_SOLVER_OK(cusolverDnXsyevd(handle, params, mode, part, n, type, symmetric.at(), symmetric.ld, type,
                                    values.at, type, work_3.at, device, room_3.data(), host, info.at));
  // Of a positive matrix both are the same, in the other order.
  Matrix<double> once_more(definite), u(Host(n, n)), v(Host(n, n));
  EXPECT_SOLVER_OK(cusolverDnXgesvd_bufferSize(handle, params, 'A', 'A', n, n, type, once_more.at(),
                                               once_more.ld, type, singular.at, type, u.at(), u.ld, type,
                                               v.at(), v.ld, type, &device, &host));
  OnDevice<char> work_4(device + 1);
  std::vector<char> room_4(host + 1);
  EXPECT_SOLVER_OK(cusolverDnXgesvd(handle, params, 'A', 'A', n, n, type, once_more.at(), once_more.ld, type,
                                    singular.at, type, u.at(), u.ld, type, v.at(), v.ld, type, work_4.at,
                                    device, room_4.data(), host, info.at));
  EXPECT(value_of_info(info) == 0);
  auto turned = singular.get();
  std::reverse(turned.begin(), turned.end());
  expect_below("Xsyevd and Xgesvd", difference(turned, values.get()), 1e-12);

  OnDevice<double> tau(n);
  Matrix<double> to(a);
  EXPECT_SOLVER_OK(cusolverDnXgeqrf_bufferSize(handle, params, n, n, type, to.at(), to.ld, type, tau.at, type,
                                               &device, &host));
  OnDevice<char> work_5(device + 1);
  std::vector<char> room_5(host + 1);
  EXPECT_SOLVER_OK(cusolverDnXgeqrf(handle, params, n, n, type, to.at(), to.ld, type, tau.at, type, work_5.at,
                                    device, room_5.data(), host, info.at));
  // Rᵀ · R = Aᵀ · A.
  Host r = to.get();
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) r(i, j) = 0;
  expect_below("Xgeqrf", apart(adjoint(r) * r, adjoint(a) * a), 1e-12);
  EXPECT_SOLVER_OK(cusolverDnDestroyParams(params));
}

int main() {
  cusolverDnHandle_t handle = nullptr;
  EXPECT_SOLVER_OK(cusolverDnCreate(&handle));
  all<float>(handle);
  all<double>(handle);
  all<cuComplex>(handle);
  all<cuDoubleComplex>(handle);
  general(handle);
  int elements = 0;
  EXPECT_SOLVER_OK(
      cusolverDnDgesvd_bufferSize(handle, 3, 4, &elements));  // only gesvd refuses what is wider than high
  EXPECT_SOLVER_OK(cusolverDnDestroy(handle));
  return result();
}
