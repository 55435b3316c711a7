// Level 3 but the general product, and what NVIDIA adds to it (cuBLAS documentation, 2.7 and 2.8).
#include "cuda/stand_in/libraries/blas/dense.h"

using namespace warplens::blas;

namespace {

template <class T>
Call matrices_call(const char* name, std::initializer_list<int64_t> shape, double multiply_adds) {
  return {name, warplens::libraries::shape_of(shape), multiply_adds * operations_of<T>, unit_of<T>, false};
}

template <class T>
cublasStatus_t symm(const char* name, bool hermitian, cublasHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t part, int64_t m, int64_t n, const void* alpha, const void* a,
                    int64_t lda, const void* b, int64_t ldb, const void* beta, void* c, int64_t ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int64_t order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (!is_side(side) || !is_triangle(part) || m < 0 || n < 0 || !fits(lda, order) || !fits(ldb, m) ||
      !fits(ldc, m) || alpha == nullptr || beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return run(*handle, matrices_call<T>(name, {m, n, order}, double(m) * double(n) * double(order)),
             [=, by = Scalar<T>(*handle, alpha), of = Scalar<T>(*handle, beta)](const Memory& memory) {
               T factor, rest;
               Dense<T> one, other;
               if (!by.read(memory, factor) || !of.read(memory, rest) ||
                   !load_symmetric(memory, {a, order, order, lda}, part, hermitian, one) ||
                   !load(memory, {b, m, n, ldb}, CUBLAS_OP_N, other))
                 return false;
               return store(memory, {c, m, n, ldc}, whole, factor,
                            side == CUBLAS_SIDE_LEFT ? product(one, other) : product(other, one), rest);
             });
}

// A: the type of the factors, real for a Hermitian result.
template <class T, class A, bool hermitian>
cublasStatus_t syrk(const char* name, cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,
                    int64_t n, int64_t k, const void* alpha, const void* a, int64_t lda, const void* beta,
                    void* c, int64_t ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool turned = op != CUBLAS_OP_N;
  const bool is_of_kind = !is_complex<T> || !turned || op == (hermitian ? CUBLAS_OP_C : CUBLAS_OP_T);
  if (!is_triangle(part) || !is_operation(op) || !is_of_kind || n < 0 || k < 0 ||
      !fits(lda, turned ? k : n) || !fits(ldc, n) || alpha == nullptr || beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  return run(*handle, matrices_call<T>(name, {n, n, k}, double(n) * double(n) * double(k) / 2),
             [=, by = Scalar<A>(*handle, alpha), of = Scalar<A>(*handle, beta)](const Memory& memory) {
               A factor, rest;
               Dense<T> one;
               if (!by.read(memory, factor) || !of.read(memory, rest) ||
                   !load(memory, {a, turned ? k : n, turned ? n : k, lda}, op, one))
                 return false;
               Dense<T> other = transposed(one);
               if (hermitian)
                 for (T& value : other.values) value = conjugate(value);
               return store(memory, {c, n, n, ldc}, part, T(factor), product(one, other), T(rest));
             });
}

// b = alpha · op(triangle) · b into c, or the solution of op(triangle) · x = alpha · b, from either side.
template <class T, bool solves>
cublasStatus_t triangle_matrix(const char* name, cublasHandle_t handle, cublasSideMode_t side,
                               cublasFillMode_t part, cublasOperation_t op, cublasDiagType_t diagonal,
                               int64_t m, int64_t n, const void* alpha, const void* a, int64_t lda,
                               const void* b, int64_t ldb, void* c, int64_t ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int64_t order = left ? m : n;
  if (!is_side(side) || !is_triangle(part) || !is_operation(op) || !is_diagonal(diagonal) || m < 0 || n < 0 ||
      !fits(lda, order) || !fits(ldb, m) || !fits(ldc, m) || alpha == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return run(*handle, matrices_call<T>(name, {m, n, order}, double(m) * double(n) * double(order) / 2),
             [=, by = Scalar<T>(*handle, alpha)](const Memory& memory) {
               T factor;
               Dense<T> triangle, other;
               if (!by.read(memory, factor) ||
                   !load_triangle(memory, {a, order, order, lda}, part, op, diagonal, triangle) ||
                   !load(memory, {b, m, n, ldb}, CUBLAS_OP_N, other))
                 return false;
               if constexpr (solves) {
                 for (T& value : other.values) value *= factor;
                 factor = T(1);
                 solve_on_side(triangle, (part == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N), left,
                               other);
               } else {
                 other = left ? product(triangle, other) : product(other, triangle);
               }
               return store(memory, {c, m, n, ldc}, whole, factor, other, T(0));
             });
}

template <class T>
cublasStatus_t geam(const char* name, cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                    int64_t m, int64_t n, const void* alpha, const void* a, int64_t lda, const void* beta,
                    const void* b, int64_t ldb, void* c, int64_t ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_operation(op_a) || !is_operation(op_b) || m < 0 || n < 0 || alpha == nullptr || beta == nullptr ||
      !fits(lda, op_a == CUBLAS_OP_N ? m : n) || !fits(ldb, op_b == CUBLAS_OP_N ? m : n) || !fits(ldc, m) ||
      (a == c && (op_a != CUBLAS_OP_N || lda != ldc)) || (b == c && (op_b != CUBLAS_OP_N || ldb != ldc)))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return run(*handle, matrices_call<T>(name, {m, n}, double(m) * double(n)),
             [=, by = Scalar<T>(*handle, alpha), of = Scalar<T>(*handle, beta)](const Memory& memory) {
               T factor, other_factor;
               if (!by.read(memory, factor) || !of.read(memory, other_factor)) return false;
               Dense<T> one(m, n), other(m, n);  // what has the factor 0 is not read
               const auto at = [&](const void* address, cublasOperation_t op, int64_t ld) {
                 return op == CUBLAS_OP_N ? MatrixAt{address, m, n, ld} : MatrixAt{address, n, m, ld};
               };
               if (factor != T(0) && !load(memory, at(a, op_a, lda), op_a, one)) return false;
               if (other_factor != T(0) && !load(memory, at(b, op_b, ldb), op_b, other)) return false;
               for (size_t i = 0; i < one.values.size(); ++i)
                 one.values[i] = factor * one.values[i] + other_factor * other.values[i];
               return store(memory, {c, m, n, ldc}, whole, T(1), one, T(0));
             });
}

template <class T>
cublasStatus_t dgmm(const char* name, cublasHandle_t handle, cublasSideMode_t side, int64_t m, int64_t n,
                    const void* a, int64_t lda, const void* x, int64_t step, void* c, int64_t ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_side(side) || m < 0 || n < 0 || !fits(lda, m) || !fits(ldc, m)) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool left = side == CUBLAS_SIDE_LEFT;
  return run(*handle, matrices_call<T>(name, {m, n}, double(m) * double(n) / 2), [=](const Memory& memory) {
    Dense<T> one;
    const auto by = memory.vector<const T>(x, left ? m : n, step, warplens_reads);
    if (!by || !load(memory, {a, m, n, lda}, CUBLAS_OP_N, one)) return false;
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < m; ++i) one(i, j) *= by[left ? i : j];
    return store(memory, {c, m, n, ldc}, whole, T(1), one, T(0));
  });
}

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and parts of names.
#define FOR_TYPE(S, T, Int, width)                                                                           \
  cublasStatus_t cublas##S##trmm_v2##width(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t part,   \
                                           cublasOperation_t op, cublasDiagType_t diagonal, Int m, Int n,    \
                                           const T* alpha, const T* a, Int lda, const T* b, Int ldb, T* c,   \
                                           Int ldc) {                                                        \
    return triangle_matrix<Value<T>, false>("cublas" #S "trmm", h, side, part, op, diagonal, m, n, alpha, a, \
                                            lda, b, ldb, c, ldc);                                            \
  }                                                                                                          \
  cublasStatus_t cublas##S##trsm_v2##width(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t part,   \
                                           cublasOperation_t op, cublasDiagType_t diagonal, Int m, Int n,    \
                                           const T* alpha, const T* a, Int lda, T* b, Int ldb) {             \
    return triangle_matrix<Value<T>, true>("cublas" #S "trsm", h, side, part, op, diagonal, m, n, alpha, a,  \
                                           lda, b, ldb, b, ldb);                                             \
  }                                                                                                          \
  cublasStatus_t cublas##S##geam##width(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b,    \
                                        Int m, Int n, const T* alpha, const T* a, Int lda, const T* beta,    \
                                        const T* b, Int ldb, T* c, Int ldc) {                                \
    return geam<Value<T>>("cublas" #S "geam", h, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);     \
  }                                                                                                          \
  cublasStatus_t cublas##S##dgmm##width(cublasHandle_t h, cublasSideMode_t side, Int m, Int n, const T* a,   \
                                        Int lda, const T* x, Int sx, T* c, Int ldc) {                        \
    return dgmm<Value<T>>("cublas" #S "dgmm", h, side, m, n, a, lda, x, sx, c, ldc);                         \
  }
#define FOR_SYMMETRIC(S, T, hermitian, Int, width)                                                           \
  cublasStatus_t cublas##S##_v2##width(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t part,       \
                                       Int m, Int n, const T* alpha, const T* a, Int lda, const T* b,        \
                                       Int ldb, const T* beta, T* c, Int ldc) {                              \
    return symm<Value<T>>("cublas" #S, hermitian, h, side, part, m, n, alpha, a, lda, b, ldb, beta, c, ldc); \
  }
#define FOR_RANK_K(S, T, A, hermitian, Int, width)                                                           \
  cublasStatus_t cublas##S##_v2##width(cublasHandle_t h, cublasFillMode_t part, cublasOperation_t op, Int n, \
                                       Int k, const A* alpha, const T* a, Int lda, const A* beta, T* c,      \
                                       Int ldc) {                                                            \
    return syrk<Value<T>, Value<A>, hermitian>("cublas" #S, h, part, op, n, k, alpha, a, lda, beta, c, ldc); \
  }
#define ALL(Int, width)                                                  \
  FOR_TYPE(S, float, Int, width)                                         \
  FOR_TYPE(D, double, Int, width)                                        \
  FOR_TYPE(C, cuComplex, Int, width)                                     \
  FOR_TYPE(Z, cuDoubleComplex, Int, width)                               \
  FOR_SYMMETRIC(Ssymm, float, false, Int, width)                         \
  FOR_SYMMETRIC(Dsymm, double, false, Int, width)                        \
  FOR_SYMMETRIC(Csymm, cuComplex, false, Int, width)                     \
  FOR_SYMMETRIC(Zsymm, cuDoubleComplex, false, Int, width)               \
  FOR_SYMMETRIC(Chemm, cuComplex, true, Int, width)                      \
  FOR_SYMMETRIC(Zhemm, cuDoubleComplex, true, Int, width)                \
  FOR_RANK_K(Ssyrk, float, float, false, Int, width)                     \
  FOR_RANK_K(Dsyrk, double, double, false, Int, width)                   \
  FOR_RANK_K(Csyrk, cuComplex, cuComplex, false, Int, width)             \
  FOR_RANK_K(Zsyrk, cuDoubleComplex, cuDoubleComplex, false, Int, width) \
  FOR_RANK_K(Cherk, cuComplex, float, true, Int, width)                  \
  FOR_RANK_K(Zherk, cuDoubleComplex, double, true, Int, width)
ALL(int, )
ALL(int64_t, _64)
#undef ALL
#undef FOR_RANK_K
#undef FOR_SYMMETRIC
#undef FOR_TYPE
// NOLINTEND(bugprone-macro-parentheses)

}  // extern "C"
