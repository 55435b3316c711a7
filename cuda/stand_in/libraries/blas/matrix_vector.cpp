// Level 2: a matrix and vectors (cuBLAS documentation, 2.6).
#include "cuda/stand_in/libraries/blas/dense.h"

using namespace warplens::blas;

namespace {

template <class T>
Call matrix_vector_call(const char* name, int64_t m, int64_t n, double share = 1) {
  return {name, warplens::libraries::shape_of({m, n}), double(m) * double(n) * operations_of<T> * share,
          unit_of<T>, false};
}

template <class T>
cublasStatus_t gemv(const char* name, cublasHandle_t handle, cublasOperation_t op, int64_t m, int64_t n,
                    const void* alpha, const void* a, int64_t lda, const void* x, int64_t step_x,
                    const void* beta, void* y, int64_t step_y) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_operation(op) || m < 0 || n < 0 || !fits(lda, m) || step_y == 0 || alpha == nullptr ||
      beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const int64_t in = op == CUBLAS_OP_N ? n : m, out = op == CUBLAS_OP_N ? m : n;
  return run(*handle, matrix_vector_call<T>(name, m, n),
             [=, by = Scalar<T>(*handle, alpha), of = Scalar<T>(*handle, beta)](const Memory& memory) {
               T factor, rest;
               Dense<T> matrix, vector;
               return by.read(memory, factor) && of.read(memory, rest) &&
                      load(memory, {a, m, n, lda}, op, matrix) &&
                      load_vector(memory, x, in, step_x, vector) &&
                      store_vector(memory, y, out, step_y, factor, product(matrix, vector), rest);
             });
}

template <class T>
cublasStatus_t symv(const char* name, bool hermitian, cublasHandle_t handle, cublasFillMode_t part, int64_t n,
                    const void* alpha, const void* a, int64_t lda, const void* x, int64_t step_x,
                    const void* beta, void* y, int64_t step_y) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_triangle(part) || n < 0 || !fits(lda, n) || step_x == 0 || step_y == 0 || alpha == nullptr ||
      beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  return run(*handle, matrix_vector_call<T>(name, n, n),
             [=, by = Scalar<T>(*handle, alpha), of = Scalar<T>(*handle, beta)](const Memory& memory) {
               T factor, rest;
               Dense<T> matrix, vector;
               return by.read(memory, factor) && of.read(memory, rest) &&
                      load_symmetric(memory, {a, n, n, lda}, part, hermitian, matrix) &&
                      load_vector(memory, x, n, step_x, vector) &&
                      store_vector(memory, y, n, step_y, factor, product(matrix, vector), rest);
             });
}

template <class T>
cublasStatus_t ger(const char* name, bool conjugated, cublasHandle_t handle, int64_t m, int64_t n,
                   const void* alpha, const void* x, int64_t step_x, const void* y, int64_t step_y, void* a,
                   int64_t lda) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || !fits(lda, m) || step_x == 0 || step_y == 0 || alpha == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return run(*handle, matrix_vector_call<T>(name, m, n),
             [=, by = Scalar<T>(*handle, alpha)](const Memory& memory) {
               T factor;
               const auto one = memory.vector<const T>(x, m, step_x, warplens_reads);
               const auto other = memory.vector<const T>(y, n, step_y, warplens_reads);
               const auto to = memory.matrix<T>(a, m, n, lda, warplens_updates);
               if (!by.read(memory, factor) || !one || !other || !to) return false;
               for (int64_t j = 0; j < n; ++j) {
                 const T of_column = factor * (conjugated ? conjugate(other[j]) : other[j]);
                 for (int64_t i = 0; i < m; ++i) to(i, j) += one[i] * of_column;
               }
               return true;
             });
}

// x = op(triangle) · x, or the solution of op(triangle) · x = b with b in x.
template <class T, bool solves>
cublasStatus_t triangle_vector(const char* name, cublasHandle_t handle, cublasFillMode_t part,
                               cublasOperation_t op, cublasDiagType_t diagonal, int64_t n, const void* a,
                               int64_t lda, void* x, int64_t step) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_triangle(part) || !is_operation(op) || !is_diagonal(diagonal) || n < 0 || !fits(lda, n) ||
      step == 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  return run(*handle, matrix_vector_call<T>(name, n, n, 0.5), [=](const Memory& memory) {
    Dense<T> matrix, vector;
    if (!load_triangle(memory, {a, n, n, lda}, part, op, diagonal, matrix) ||
        !load_vector(memory, x, n, step, vector))
      return false;
    if constexpr (solves) {
      solve(matrix, (part == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N), vector);
    } else {
      vector = product(matrix, vector);
    }
    return store_vector(memory, x, n, step, T(1), vector, T(0));
  });
}

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and parts of names.
#define FOR_TYPE(S, T, Int, width)                                                                        \
  cublasStatus_t cublas##S##gemv_v2##width(cublasHandle_t h, cublasOperation_t op, Int m, Int n,          \
                                           const T* alpha, const T* a, Int lda, const T* x, Int sx,       \
                                           const T* beta, T* y, Int sy) {                                 \
    return gemv<Value<T>>("cublas" #S "gemv", h, op, m, n, alpha, a, lda, x, sx, beta, y, sy);            \
  }                                                                                                       \
  cublasStatus_t cublas##S##trmv_v2##width(cublasHandle_t h, cublasFillMode_t part, cublasOperation_t op, \
                                           cublasDiagType_t diagonal, Int n, const T* a, Int lda, T* x,   \
                                           Int sx) {                                                      \
    return triangle_vector<Value<T>, false>("cublas" #S "trmv", h, part, op, diagonal, n, a, lda, x, sx); \
  }                                                                                                       \
  cublasStatus_t cublas##S##trsv_v2##width(cublasHandle_t h, cublasFillMode_t part, cublasOperation_t op, \
                                           cublasDiagType_t diagonal, Int n, const T* a, Int lda, T* x,   \
                                           Int sx) {                                                      \
    return triangle_vector<Value<T>, true>("cublas" #S "trsv", h, part, op, diagonal, n, a, lda, x, sx);  \
  }
#define FOR_SYMMETRIC(S, T, hermitian, Int, width)                                                     \
  cublasStatus_t cublas##S##_v2##width(cublasHandle_t h, cublasFillMode_t part, Int n, const T* alpha, \
                                       const T* a, Int lda, const T* x, Int sx, const T* beta, T* y,   \
                                       Int sy) {                                                       \
    return symv<Value<T>>("cublas" #S, hermitian, h, part, n, alpha, a, lda, x, sx, beta, y, sy);      \
  }
#define FOR_OUTER(S, T, conjugated, Int, width)                                                            \
  cublasStatus_t cublas##S##_v2##width(cublasHandle_t h, Int m, Int n, const T* alpha, const T* x, Int sx, \
                                       const T* y, Int sy, T* a, Int lda) {                                \
    return ger<Value<T>>("cublas" #S, conjugated, h, m, n, alpha, x, sx, y, sy, a, lda);                   \
  }
#define ALL(Int, width)                                    \
  FOR_TYPE(S, float, Int, width)                           \
  FOR_TYPE(D, double, Int, width)                          \
  FOR_TYPE(C, cuComplex, Int, width)                       \
  FOR_TYPE(Z, cuDoubleComplex, Int, width)                 \
  FOR_SYMMETRIC(Ssymv, float, false, Int, width)           \
  FOR_SYMMETRIC(Dsymv, double, false, Int, width)          \
  FOR_SYMMETRIC(Csymv, cuComplex, false, Int, width)       \
  FOR_SYMMETRIC(Zsymv, cuDoubleComplex, false, Int, width) \
  FOR_SYMMETRIC(Chemv, cuComplex, true, Int, width)        \
  FOR_SYMMETRIC(Zhemv, cuDoubleComplex, true, Int, width)  \
  FOR_OUTER(Sger, float, false, Int, width)                \
  FOR_OUTER(Dger, double, false, Int, width)               \
  FOR_OUTER(Cgeru, cuComplex, false, Int, width)           \
  FOR_OUTER(Cgerc, cuComplex, true, Int, width)            \
  FOR_OUTER(Zgeru, cuDoubleComplex, false, Int, width)     \
  FOR_OUTER(Zgerc, cuDoubleComplex, true, Int, width)
ALL(int, )
ALL(int64_t, _64)
#undef ALL
#undef FOR_OUTER
#undef FOR_SYMMETRIC
#undef FOR_TYPE
// NOLINTEND(bugprone-macro-parentheses)

}  // extern "C"
