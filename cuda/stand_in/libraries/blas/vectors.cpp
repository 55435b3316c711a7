// Level 1: vectors (cuBLAS documentation, 2.5). A count of 0 or less is no work, and no error.
#include <cmath>

#include "cuda/stand_in/libraries/blas/handle.h"

using namespace warplens::blas;

namespace {

template <class T>
Call call_of(const char* name, int64_t n, double operations_each, bool waits = false) {
  return {name, warplens::libraries::shape_of({n}), double(n) * operations_each, unit_of<T>, waits};
}

template <class T>
cublasStatus_t axpy(const char* name, cublasHandle_t handle, int64_t n, const void* alpha, const void* x,
                    int64_t step_x, void* y, int64_t step_y) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  if (alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return run(*handle, call_of<T>(name, n, operations_of<T>),
             [=, a = Scalar<T>(*handle, alpha)](const Memory& memory) {
               T factor;
               const auto from = memory.vector<const T>(x, n, step_x, warplens_reads);
               const auto to = memory.vector<T>(y, n, step_y, warplens_updates);
               if (!a.read(memory, factor) || !from || !to) return false;
               for (int64_t i = 0; i < n; ++i) to[i] += factor * from[i];
               return true;
             });
}

// A: the type of the factor.
template <class T, class A>
cublasStatus_t scal(const char* name, cublasHandle_t handle, int64_t n, const void* alpha, void* x,
                    int64_t step) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0 || step <= 0) return CUBLAS_STATUS_SUCCESS;
  if (alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return run(*handle, call_of<T>(name, n, operations_of<T> / 2),
             [=, a = Scalar<A>(*handle, alpha)](const Memory& memory) {
               A factor;
               const auto to = memory.vector<T>(x, n, step, warplens_updates);
               if (!a.read(memory, factor) || !to) return false;
               for (int64_t i = 0; i < n; ++i) to[i] *= factor;
               return true;
             });
}

// each(x, y) on all pairs of elements. Both are written unless X is const.
template <class T, class X, class F>
cublasStatus_t on_pairs(const Call& call, cublasHandle_t handle, int64_t n, X* x, int64_t step_x, void* y,
                        int64_t step_y, F each) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return run(*handle, call, [=](const Memory& memory) {
    const auto one = memory.vector<T>(x, n, step_x, std::is_const_v<X> ? warplens_reads : warplens_updates);
    const auto other =
        memory.vector<T>(y, n, step_y, std::is_const_v<X> ? warplens_writes : warplens_updates);
    if (!one || !other) return false;
    for (int64_t i = 0; i < n; ++i) each(one[i], other[i]);
    return true;
  });
}

template <class T>
cublasStatus_t rot(const char* name, cublasHandle_t handle, int64_t n, void* x, int64_t step_x, void* y,
                   int64_t step_y, const void* cosine, const void* sine) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  if (cosine == nullptr || sine == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return run(*handle, call_of<T>(name, n, 6),
             [=, c = Scalar<T>(*handle, cosine), s = Scalar<T>(*handle, sine)](const Memory& memory) {
               T by_c, by_s;
               const auto one = memory.vector<T>(x, n, step_x, warplens_updates);
               const auto other = memory.vector<T>(y, n, step_y, warplens_updates);
               if (!c.read(memory, by_c) || !s.read(memory, by_s) || !one || !other) return false;
               for (int64_t i = 0; i < n; ++i) {
                 const T a = one[i], b = other[i];
                 one[i] = by_c * a + by_s * b;
                 other[i] = by_c * b - by_s * a;
               }
               return true;
             });
}

// One value of vectors: of(x, n, y) with y empty where there is one vector. R: the type of the result.
template <class T, class R, class F>
cublasStatus_t reduce(const Call& call, cublasHandle_t handle, int64_t n, const void* x, int64_t step_x,
                      const void* y, int64_t step_y, void* to, bool is_nothing, F of) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (to == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Result<R> result(*handle, static_cast<R*>(to));
  Call called = call;
  called.waits = result.waits();
  return run(*handle, called, [=](const Memory& memory) {
    if (is_nothing) return result.write(memory, R{});
    const auto one = memory.vector<const T>(x, n, step_x, warplens_reads);
    const auto other =
        y == nullptr ? Strided<const T>{} : memory.vector<const T>(y, n, step_y, warplens_reads);
    if (!one || (y != nullptr && !other)) return false;
    return result.write(memory, of(one, n, other));
  });
}

// What sums are kept in: one float after the other added to a float no longer counts from 2^24 of them on. A
// GPU adds in parts, which are short.
template <class T>
struct WideOf {
  using type = double;
};
template <class R>
struct WideOf<std::complex<R>> {
  using type = std::complex<double>;
};
template <class T>
using Wide = typename WideOf<T>::type;

template <class T, bool conjugated>
cublasStatus_t dot(const char* name, cublasHandle_t handle, int64_t n, const void* x, int64_t step_x,
                   const void* y, int64_t step_y, void* to) {
  return reduce<T, T>(call_of<T>(name, n, operations_of<T>), handle, n, x, step_x, y, step_y, to, n <= 0,
                      [](const Strided<const T>& a, int64_t count, const Strided<const T>& b) {
                        Wide<T> sum{};
                        for (int64_t i = 0; i < count; ++i)
                          sum += Wide<T>(conjugated ? conjugate(a[i]) : a[i]) * Wide<T>(b[i]);
                        return static_cast<T>(sum);
                      });
}

// |re| + |im|, as BLAS measures complex numbers.
template <class T>
Real<T> size_of(T value) {
  if constexpr (is_complex<T>) return std::abs(value.real()) + std::abs(value.imag());
  return std::abs(value);
}

template <class T>
cublasStatus_t asum(const char* name, cublasHandle_t handle, int64_t n, const void* x, int64_t step,
                    void* to) {
  return reduce<T, Real<T>>(call_of<T>(name, n, operations_of<T> / 2), handle, n, x, step, nullptr, 0, to,
                            n <= 0 || step <= 0,
                            [](const Strided<const T>& a, int64_t count, const Strided<const T>&) {
                              double sum = 0;
                              for (int64_t i = 0; i < count; ++i) sum += size_of(a[i]);
                              return static_cast<Real<T>>(sum);
                            });
}

// By the largest element, so that squares neither overflow nor vanish.
template <class T>
cublasStatus_t nrm2(const char* name, cublasHandle_t handle, int64_t n, const void* x, int64_t step,
                    void* to) {
  return reduce<T, Real<T>>(call_of<T>(name, n, operations_of<T>), handle, n, x, step, nullptr, 0, to,
                            n <= 0 || step <= 0,
                            [](const Strided<const T>& a, int64_t count, const Strided<const T>&) {
                              Real<T> most = 0;
                              double sum = 0;
                              for (int64_t i = 0; i < count; ++i) {
                                const Real<T> size = std::abs(a[i]);
                                if (!(size <= most)) most = size;
                              }
                              if (most == 0 || !std::isfinite(most)) return most;
                              for (int64_t i = 0; i < count; ++i) {
                                const double size = double(std::abs(a[i])) / double(most);
                                sum += size * size;
                              }
                              return static_cast<Real<T>>(double(most) * std::sqrt(sum));
                            });
}

// The first largest or smallest element, counted from 1; 0 where there is none.
template <class T, class Int, bool largest>
cublasStatus_t extreme(const char* name, cublasHandle_t handle, int64_t n, const void* x, int64_t step,
                       void* to) {
  return reduce<T, Int>(call_of<T>(name, n, 1), handle, n, x, step, nullptr, 0, to, n <= 0 || step <= 0,
                        [](const Strided<const T>& a, int64_t count, const Strided<const T>&) {
                          int64_t best = 0;
                          for (int64_t i = 1; i < count; ++i)
                            if (largest ? size_of(a[i]) > size_of(a[best]) : size_of(a[i]) < size_of(a[best]))
                              best = i;
                          return static_cast<Int>(best + 1);
                        });
}

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and parts of names.
#define FOR_TYPE(S, s, T, Int, width)                                                                   \
  cublasStatus_t cublas##S##axpy_v2##width(cublasHandle_t h, Int n, const T* alpha, const T* x, Int sx, \
                                           T* y, Int sy) {                                              \
    return axpy<Value<T>>("cublas" #S "axpy", h, n, alpha, x, sx, y, sy);                               \
  }                                                                                                     \
  cublasStatus_t cublas##S##scal_v2##width(cublasHandle_t h, Int n, const T* alpha, T* x, Int sx) {     \
    return scal<Value<T>, Value<T>>("cublas" #S "scal", h, n, alpha, x, sx);                            \
  }                                                                                                     \
  cublasStatus_t cublas##S##copy_v2##width(cublasHandle_t h, Int n, const T* x, Int sx, T* y, Int sy) { \
    return on_pairs<Value<T>>(call_of<Value<T>>("cublas" #S "copy", n, 0), h, n, x, sx, y, sy,          \
                              [](Value<T> from, Value<T>& to) { to = from; });                          \
  }                                                                                                     \
  cublasStatus_t cublas##S##swap_v2##width(cublasHandle_t h, Int n, T* x, Int sx, T* y, Int sy) {       \
    return on_pairs<Value<T>>(call_of<Value<T>>("cublas" #S "swap", n, 0), h, n, x, sx, y, sy,          \
                              [](Value<T>& a, Value<T>& b) { std::swap(a, b); });                       \
  }                                                                                                     \
  cublasStatus_t cublasI##s##amax_v2##width(cublasHandle_t h, Int n, const T* x, Int sx, Int* to) {     \
    return extreme<Value<T>, Int, true>("cublasI" #s "amax", h, n, x, sx, to);                          \
  }                                                                                                     \
  cublasStatus_t cublasI##s##amin_v2##width(cublasHandle_t h, Int n, const T* x, Int sx, Int* to) {     \
    return extreme<Value<T>, Int, false>("cublasI" #s "amin", h, n, x, sx, to);                         \
  }
#define FOR_NORM(S, T, R, Int, width)                                                            \
  cublasStatus_t cublas##S##asum_v2##width(cublasHandle_t h, Int n, const T* x, Int sx, R* to) { \
    return asum<Value<T>>("cublas" #S "asum", h, n, x, sx, to);                                  \
  }                                                                                              \
  cublasStatus_t cublas##S##nrm2_v2##width(cublasHandle_t h, Int n, const T* x, Int sx, R* to) { \
    return nrm2<Value<T>>("cublas" #S "nrm2", h, n, x, sx, to);                                  \
  }
#define FOR_DOT(S, T, conjugated, Int, width)                                                           \
  cublasStatus_t cublas##S##_v2##width(cublasHandle_t h, Int n, const T* x, Int sx, const T* y, Int sy, \
                                       T* to) {                                                         \
    return dot<Value<T>, conjugated>("cublas" #S, h, n, x, sx, y, sy, to);                              \
  }
#define FOR_REAL(S, T, Int, width)                                                                         \
  cublasStatus_t cublas##S##rot_v2##width(cublasHandle_t h, Int n, T* x, Int sx, T* y, Int sy, const T* c, \
                                          const T* s) {                                                    \
    return rot<T>("cublas" #S "rot", h, n, x, sx, y, sy, c, s);                                            \
  }
#define FOR_REAL_FACTOR(S, T, R, Int, width)                                                        \
  cublasStatus_t cublas##S##scal_v2##width(cublasHandle_t h, Int n, const R* alpha, T* x, Int sx) { \
    return scal<Value<T>, R>("cublas" #S "scal", h, n, alpha, x, sx);                               \
  }
#define ALL(Int, width)                              \
  FOR_TYPE(S, s, float, Int, width)                  \
  FOR_TYPE(D, d, double, Int, width)                 \
  FOR_TYPE(C, c, cuComplex, Int, width)              \
  FOR_TYPE(Z, z, cuDoubleComplex, Int, width)        \
  FOR_NORM(S, float, float, Int, width)              \
  FOR_NORM(D, double, double, Int, width)            \
  FOR_NORM(Sc, cuComplex, float, Int, width)         \
  FOR_NORM(Dz, cuDoubleComplex, double, Int, width)  \
  FOR_DOT(Sdot, float, false, Int, width)            \
  FOR_DOT(Ddot, double, false, Int, width)           \
  FOR_DOT(Cdotu, cuComplex, false, Int, width)       \
  FOR_DOT(Cdotc, cuComplex, true, Int, width)        \
  FOR_DOT(Zdotu, cuDoubleComplex, false, Int, width) \
  FOR_DOT(Zdotc, cuDoubleComplex, true, Int, width)  \
  FOR_REAL(S, float, Int, width)                     \
  FOR_REAL(D, double, Int, width)                    \
  FOR_REAL_FACTOR(Cs, cuComplex, float, Int, width)  \
  FOR_REAL_FACTOR(Zd, cuDoubleComplex, double, Int, width)
ALL(int, )
ALL(int64_t, _64)
#undef ALL
#undef FOR_DOT
#undef FOR_NORM
#undef FOR_REAL
#undef FOR_REAL_FACTOR
#undef FOR_TYPE
// NOLINTEND(bugprone-macro-parentheses)

}  // extern "C"
