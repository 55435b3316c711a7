// Raises the target for the code that follows, after all other includes: inline functions of the standard
// library stay baseline code, so that the linker cannot pick an AVX copy of one for a machine without AVX.
// The file that includes this one ends with isa_end.h.
#define WARPLENS_ISA_CODE_baseline 0
#define WARPLENS_ISA_CODE_avx2 1
#define WARPLENS_ISA_CODE_avx512 2
#define WARPLENS_JOIN_(a, b) a##b
#define WARPLENS_JOIN(a, b) WARPLENS_JOIN_(a, b)
#define WARPLENS_ISA_CODE WARPLENS_JOIN(WARPLENS_ISA_CODE_, WARPLENS_ISA)
#define WARPLENS_ISA_NAMESPACE WARPLENS_JOIN(isa_, WARPLENS_ISA)

#if WARPLENS_ISA_CODE == 1
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2,popcnt,lzcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,popcnt,lzcnt")
#endif
#elif WARPLENS_ISA_CODE == 2
#if defined(__clang__)
#pragma clang attribute push(                                                                              \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx2,fma,bmi,bmi2,popcnt,lzcnt"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target( \
    "avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx2,fma,bmi,bmi2,popcnt,lzcnt,prefer-vector-width=512")
#endif
#endif
