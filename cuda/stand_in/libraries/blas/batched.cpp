// Batches of small systems (cuBLAS documentation, 2.8): LU factors, solutions with them, inverses, and
// triangular systems. The addresses of the matrices lie in arrays on the device.
#include "cuda/stand_in/libraries/blas/dense.h"

using namespace warplens::blas;

namespace {

// What all functions here are given of a batch.
struct Batch {
  const char* name;
  int64_t order, columns, count;
};

template <class T>
Call batch_call(const Batch& batch, double multiply_adds) {
  std::string shape = warplens::libraries::shape_of({batch.order, batch.columns});
  shape += ", " + std::to_string(batch.count) + " times";
  return {batch.name, shape, multiply_adds * double(batch.count) * operations_of<T>, unit_of<T>, false};
}

double cube(int64_t order) { return double(order) * double(order) * double(order); }

const void* const* addresses(const Memory& memory, const void* array, int64_t count) {
  return memory.array<const void* const>(array, count, warplens_reads);
}

// Rows are exchanged with the row of the largest element below the diagonal, as LAPACK's getrf does. `pivots`
// counts from 1. Returns the number of the first column whose pivot is 0, else 0.
template <class T>
int factorize(Dense<T>& a, int* pivots) {
  int singular = 0;
  const int64_t n = a.rows;
  // The measure of LAPACK's iamax: of complex numbers the sum of both parts.
  const auto size_of = [](const T& value) { return std::abs(std::real(value)) + std::abs(std::imag(value)); };
  for (int64_t k = 0; k < n; ++k) {
    int64_t best = k;
    for (int64_t i = k + 1; pivots != nullptr && i < n; ++i)
      if (size_of(a(i, k)) > size_of(a(best, k))) best = i;
    if (pivots != nullptr) pivots[k] = static_cast<int>(best + 1);
    if (a(best, k) == T(0)) {
      if (singular == 0) singular = static_cast<int>(k + 1);
      continue;
    }
    for (int64_t j = 0; best != k && j < n; ++j) std::swap(a(k, j), a(best, j));
    for (int64_t i = k + 1; i < n; ++i) a(i, k) /= a(k, k);
    for (int64_t j = k + 1; j < n; ++j)
      for (int64_t i = k + 1; i < n; ++i) a(i, j) -= a(i, k) * a(k, j);
  }
  return singular;
}

template <class T>
void exchange_rows(Dense<T>& b, const int* pivots, bool backwards) {
  for (int64_t step = 0; pivots != nullptr && step < b.rows; ++step) {
    const int64_t k = backwards ? b.rows - 1 - step : step, other = pivots[k] - 1;
    for (int64_t j = 0; other != k && j < b.columns; ++j) std::swap(b(k, j), b(other, j));
  }
}

// One of both factors that lie in a matrix together; the lower one has ones on its diagonal.
template <class T>
Dense<T> factor_of(const Dense<T>& both, bool lower, cublasOperation_t op) {
  Dense<T> made(both.rows, both.rows);
  for (int64_t j = 0; j < both.rows; ++j)
    for (int64_t i = 0; i < both.rows; ++i) {
      if (lower ? i < j : i > j) continue;
      (op == CUBLAS_OP_N ? made(i, j) : made(j, i)) = lower && i == j ? T(1) : operated(both(i, j), op);
    }
  return made;
}

// b becomes the x of op(a) · x = b, where `both` and `pivots` are a's factors.
template <class T>
void solve_by_factors(const Dense<T>& both, const int* pivots, cublasOperation_t op, Dense<T>& b) {
  Dense<T> lower = factor_of(both, true, op), upper = factor_of(both, false, op);
  if (op == CUBLAS_OP_N) {
    exchange_rows(b, pivots, false);
    solve(lower, true, b);
    solve(upper, false, b);
  } else {
    solve(upper, true, b);
    solve(lower, false, b);
    exchange_rows(b, pivots, true);
  }
}

template <class T>
Dense<T> identity(int64_t order) {
  Dense<T> made(order, order);
  for (int64_t i = 0; i < order; ++i) made(i, i) = T(1);
  return made;
}

template <class T>
cublasStatus_t getrf(const char* name, cublasHandle_t handle, int n, const void* a, int lda, int* pivots,
                     int* info, int count) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || count < 0 || !fits(lda, n)) return CUBLAS_STATUS_INVALID_VALUE;
  if (count == 0) return CUBLAS_STATUS_SUCCESS;
  return run(*handle, batch_call<T>({name, n, n, count}, cube(n) / 3), [=](const Memory& memory) {
    const auto* of = addresses(memory, a, count);
    int* rows = pivots == nullptr ? nullptr : memory.array<int>(pivots, int64_t{n} * count, warplens_writes);
    int* told = memory.array<int>(info, count, warplens_writes);
    if (of == nullptr || told == nullptr || (pivots != nullptr && rows == nullptr)) return false;
    for (int64_t i = 0; i < count; ++i) {
      Dense<T> matrix;
      if (!load(memory, {of[i], n, n, lda}, CUBLAS_OP_N, matrix)) return false;
      told[i] = factorize(matrix, rows == nullptr ? nullptr : rows + i * n);
      if (!store(memory, {of[i], n, n, lda}, whole, T(1), matrix, T(0))) return false;
    }
    return true;
  });
}

// `info` is of the host: it says which argument is wrong.
template <class T>
cublasStatus_t getrs(const char* name, cublasHandle_t handle, cublasOperation_t op, int n, int columns,
                     const void* a, int lda, const int* pivots, const void* b, int ldb, int* info,
                     int count) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (info == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  // Numbers of the arguments after the handle (cuBLAS documentation, 2.8.10).
  *info = !is_operation(op) ? -1
          : n < 0           ? -2
          : columns < 0     ? -3
          : !fits(lda, n)   ? -5
          : !fits(ldb, n)   ? -8
          : count < 0       ? -10
                            : 0;
  if (*info != 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0 || columns == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  const double work = double(n) * double(n) * double(columns);
  return run(*handle, batch_call<T>({name, n, columns, count}, work), [=](const Memory& memory) {
    const auto *of = addresses(memory, a, count), *to = addresses(memory, b, count);
    const int* rows =
        pivots == nullptr ? nullptr : memory.array<const int>(pivots, int64_t{n} * count, warplens_reads);
    if (of == nullptr || to == nullptr || (pivots != nullptr && rows == nullptr)) return false;
    for (int64_t i = 0; i < count; ++i) {
      Dense<T> factors, right;
      if (!load(memory, {of[i], n, n, lda}, CUBLAS_OP_N, factors) ||
          !load(memory, {to[i], n, columns, ldb}, CUBLAS_OP_N, right))
        return false;
      solve_by_factors(factors, rows == nullptr ? nullptr : rows + i * n, op, right);
      if (!store(memory, {to[i], n, columns, ldb}, whole, T(1), right, T(0))) return false;
    }
    return true;
  });
}

// Inverses: of factors (getri), or of the matrices themselves (matinv, which takes them up to 32 × 32).
template <class T, bool of_factors>
cublasStatus_t inverses(const char* name, cublasHandle_t handle, int n, const void* a, int lda,
                        const int* pivots, const void* c, int ldc, int* info, int count) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  constexpr int most_order = 32;
  if (n < 0 || count < 0 || !fits(lda, n) || !fits(ldc, n) || (!of_factors && n > most_order))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  return run(*handle, batch_call<T>({name, n, n, count}, cube(n)), [=](const Memory& memory) {
    const auto *of = addresses(memory, a, count), *to = addresses(memory, c, count);
    const int* rows =
        pivots == nullptr ? nullptr : memory.array<const int>(pivots, int64_t{n} * count, warplens_reads);
    int* told = memory.array<int>(info, count, warplens_writes);
    if (of == nullptr || to == nullptr || told == nullptr || (pivots != nullptr && rows == nullptr))
      return false;
    std::vector<int> own(static_cast<size_t>(n));
    for (int64_t i = 0; i < count; ++i) {
      Dense<T> matrix, made = identity<T>(n);
      if (!load(memory, {of[i], n, n, lda}, CUBLAS_OP_N, matrix)) return false;
      const int* exchanged = rows == nullptr ? nullptr : rows + i * n;
      told[i] = 0;
      if constexpr (of_factors) {
        for (int k = n; k-- > 0;)
          if (matrix(k, k) == T(0)) told[i] = k + 1;
      } else {
        told[i] = factorize(matrix, own.data());
        exchanged = own.data();
      }
      if (told[i] != 0) continue;  // singular: what is there stays
      solve_by_factors(matrix, exchanged, CUBLAS_OP_N, made);
      if (!store(memory, {to[i], n, n, ldc}, whole, T(1), made, T(0))) return false;
    }
    return true;
  });
}

template <class T>
cublasStatus_t trsm_batched(const char* name, cublasHandle_t handle, cublasSideMode_t side,
                            cublasFillMode_t part, cublasOperation_t op, cublasDiagType_t diagonal, int64_t m,
                            int64_t n, const void* alpha, const void* a, int64_t lda, const void* b,
                            int64_t ldb, int64_t count) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int64_t order = left ? m : n;
  if (!is_side(side) || !is_triangle(part) || !is_operation(op) || !is_diagonal(diagonal) || m < 0 || n < 0 ||
      count < 0 || !fits(lda, order) || !fits(ldb, m) || alpha == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  return run(*handle, batch_call<T>({name, m, n, count}, double(m) * double(n) * double(order) / 2),
             [=, by = Scalar<T>(*handle, alpha)](const Memory& memory) {
               T factor;
               const auto *of = addresses(memory, a, count), *to = addresses(memory, b, count);
               if (of == nullptr || to == nullptr || !by.read(memory, factor)) return false;
               for (int64_t i = 0; i < count; ++i) {
                 Dense<T> triangle, right;
                 if (!load_triangle(memory, {of[i], order, order, lda}, part, op, diagonal, triangle) ||
                     !load(memory, {to[i], m, n, ldb}, CUBLAS_OP_N, right))
                   return false;
                 for (T& value : right.values) value *= factor;
                 solve_on_side(triangle, (part == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N), left,
                               right);
                 if (!store(memory, {to[i], m, n, ldb}, whole, T(1), right, T(0))) return false;
               }
               return true;
             });
}

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and parts of names.
#define FOR_TYPE(S, T)                                                                                      \
  cublasStatus_t cublas##S##getrfBatched(cublasHandle_t h, int n, T* const a[], int lda, int* pivots,       \
                                         int* info, int count) {                                            \
    return getrf<Value<T>>("cublas" #S "getrfBatched", h, n, a, lda, pivots, info, count);                  \
  }                                                                                                         \
  cublasStatus_t cublas##S##getrsBatched(cublasHandle_t h, cublasOperation_t op, int n, int columns,        \
                                         const T* const a[], int lda, const int* pivots, T* const b[],      \
                                         int ldb, int* info, int count) {                                   \
    return getrs<Value<T>>("cublas" #S "getrsBatched", h, op, n, columns, a, lda, pivots, b, ldb, info,     \
                           count);                                                                          \
  }                                                                                                         \
  cublasStatus_t cublas##S##getriBatched(cublasHandle_t h, int n, const T* const a[], int lda,              \
                                         const int* pivots, T* const c[], int ldc, int* info, int count) {  \
    return inverses<Value<T>, true>("cublas" #S "getriBatched", h, n, a, lda, pivots, c, ldc, info, count); \
  }                                                                                                         \
  cublasStatus_t cublas##S##matinvBatched(cublasHandle_t h, int n, const T* const a[], int lda,             \
                                          T* const c[], int ldc, int* info, int count) {                    \
    return inverses<Value<T>, false>("cublas" #S "matinvBatched", h, n, a, lda, nullptr, c, ldc, info,      \
                                     count);                                                                \
  }
#define FOR_TYPE_AND_WIDTH(S, T, Int, width)                                                              \
  cublasStatus_t cublas##S##trsmBatched##width(                                                           \
      cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t part, cublasOperation_t op,               \
      cublasDiagType_t diagonal, Int m, Int n, const T* alpha, const T* const a[], Int lda, T* const b[], \
      Int ldb, Int count) {                                                                               \
    return trsm_batched<Value<T>>("cublas" #S "trsmBatched", h, side, part, op, diagonal, m, n, alpha, a, \
                                  lda, b, ldb, count);                                                    \
  }
#define ALL(S, T)                 \
  FOR_TYPE(S, T)                  \
  FOR_TYPE_AND_WIDTH(S, T, int, ) \
  FOR_TYPE_AND_WIDTH(S, T, int64_t, _64)
ALL(S, float)
ALL(D, double)
ALL(C, cuComplex)
ALL(Z, cuDoubleComplex)
#undef ALL
#undef FOR_TYPE_AND_WIDTH
#undef FOR_TYPE
// NOLINTEND(bugprone-macro-parentheses)

}  // extern "C"
