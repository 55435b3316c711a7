// CUDA C++ Programming Guide, "C++ Language Extensions": function and memory space specifiers.
#pragma once

// Other compilers and other languages see only declarations.
#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#endif
// clang has this only for another language.
#define __managed__ \
  _Pragma("GCC error \"clang has no __managed__ variables in CUDA C++: use cudaMallocManaged, or nvcc\"")
#define __forceinline__ __inline__ __attribute__((always_inline))
// A keyword of clang 15 and later; the C++ library has it inside of __attribute__.
#if !defined(__clang__) || __clang_major__ < 15 || !defined(__CUDA__)
#define __noinline__ __attribute__((noinline))
#endif
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#define __cudart_builtin__
#define __grid_constant__
#define __nv_pure__ __attribute__((pure))

// The device's features decide what is declared. The host's pass only checks that called functions exist.
#ifdef __CUDA_ARCH__
#define WARPLENS_ARCH __CUDA_ARCH__
#else
#define WARPLENS_ARCH 9999
#endif

// For our own headers: a function whose call costs nothing, and whose instructions belong to the line of the
// code that calls it.
#ifdef __clang__
#define WARPLENS_UNSEEN __forceinline__ __attribute__((nodebug))
#else
#define WARPLENS_UNSEEN __forceinline__
#endif
#define WARPLENS_DEVICE static __device__ WARPLENS_UNSEEN
#define WARPLENS_BOTH static __host__ __device__ WARPLENS_UNSEEN

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
