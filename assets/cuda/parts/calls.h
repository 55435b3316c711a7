// Functions that the device's runtime has: PTX Interoperability, "System Calls". printf's arguments are
// packed by clang.
#pragma once

extern "C" {
__device__ int printf(const char* format, ...);
__device__ void* malloc(size_t bytes);
__device__ void free(void* at);
// While clang makes PTX it reads the host's functions too.
__host__ __device__ void __assertfail(const void* condition, const void* file, unsigned int line,
                                      const void* function, size_t letter_bytes);
// When clang compiles for the host, it checks device code too, which then uses glibc's name.
__device__ void __assert_fail(const char* condition, const char* file, unsigned int line,
                              const char* function);
}
#include "parts/assert.h"
WARPLENS_DEVICE void* memcpy(void* to, const void* from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
WARPLENS_DEVICE void* memset(void* at, int value, size_t bytes) { return __builtin_memset(at, value, bytes); }
// For device code that creates objects. clang defines these next to the standard library's <new>.
#if __has_include(<new>)
#include <new>
#else
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winline-new-delete"
__device__ inline void* operator new(size_t bytes) { return malloc(bytes); }
__device__ inline void* operator new[](size_t bytes) { return malloc(bytes); }
__device__ inline void operator delete(void* at) noexcept { free(at); }
__device__ inline void operator delete[](void* at) noexcept { free(at); }
__device__ inline void operator delete(void* at, size_t) noexcept { free(at); }
__device__ inline void operator delete[](void* at, size_t) noexcept { free(at); }
#pragma clang diagnostic pop
#endif
