#pragma once
// Types and macros as libcu++ declares them for NVRTC, since a kernel may include both.
#include <limits.h>
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef signed short int16_t;
typedef unsigned short uint16_t;
typedef signed int int32_t;
typedef unsigned int uint32_t;
typedef signed long long int64_t;
typedef unsigned long long uint64_t;
typedef int8_t int_least8_t;
typedef uint8_t uint_least8_t;
typedef int16_t int_least16_t;
typedef uint16_t uint_least16_t;
typedef int32_t int_least32_t;
typedef uint32_t uint_least32_t;
typedef int64_t int_least64_t;
typedef uint64_t uint_least64_t;
typedef int8_t int_fast8_t;
typedef uint8_t uint_fast8_t;
typedef int16_t int_fast16_t;
typedef uint16_t uint_fast16_t;
typedef int32_t int_fast32_t;
typedef uint32_t uint_fast32_t;
typedef int64_t int_fast64_t;
typedef uint64_t uint_fast64_t;
typedef int64_t intptr_t;
typedef int64_t intmax_t;
typedef uint64_t uintptr_t;
typedef uint64_t uintmax_t;
#define INT8_MIN SCHAR_MIN
#define INT8_MAX SCHAR_MAX
#define UINT8_MAX UCHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define UINT16_MAX USHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define INT64_MIN LLONG_MIN
#define INT64_MAX LLONG_MAX
#define UINT64_MAX ULLONG_MAX
// clang-format off
// With the words of libcu++, which may be included later and defines them again.
#if __CUDACC_VER_MAJOR__ >= 13
#define SIZE_MAX UINT64_MAX
#define INTPTR_MIN INT64_MIN
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define INT8_C(X) ((::int_least8_t)(X))
#define UINT8_C(X) ((::uint_least8_t)(X))
#define INT16_C(X) ((::int_least16_t)(X))
#define UINT16_C(X) ((::uint_least16_t)(X))
#define INT32_C(X) ((::int_least32_t)(X))
#define UINT32_C(X) ((::uint_least32_t)(X))
#define INT64_C(X) ((::int_least64_t)(X))
#define UINT64_C(X) ((::uint_least64_t)(X))
#else
#define SIZE_MAX ULLONG_MAX
#define INTPTR_MIN LLONG_MIN
#define INTPTR_MAX LLONG_MAX
#define UINTPTR_MAX ULLONG_MAX
#define INT8_C(X) ((int_least8_t) (X))
#define UINT8_C(X) ((uint_least8_t) (X))
#define INT16_C(X) ((int_least16_t) (X))
#define UINT16_C(X) ((uint_least16_t) (X))
#define INT32_C(X) ((int_least32_t) (X))
#define UINT32_C(X) ((uint_least32_t) (X))
#define INT64_C(X) ((int_least64_t) (X))
#define UINT64_C(X) ((uint_least64_t) (X))
#endif
// clang-format on
#define PRId32 "d"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRId64 "lld"
#define PRIu64 "llu"
#define PRIx64 "llx"
namespace std {
using ::int8_t, ::uint8_t, ::int16_t, ::uint16_t, ::int32_t, ::uint32_t, ::int64_t, ::uint64_t;
using ::intptr_t, ::uintptr_t, ::intmax_t, ::uintmax_t, ::size_t;
}  // namespace std
