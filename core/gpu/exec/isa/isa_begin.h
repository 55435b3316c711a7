// Raises the target for the code that follows, after all other includes: inline functions of the standard
// library stay baseline code, so that the linker cannot pick an AVX copy of one for a machine without AVX.
// The file that includes this one ends with isa_end.h.
#include "core/gpu/exec/isa/isa_features.h"

#define WARPLENS_ISA_CODE_baseline 0
#define WARPLENS_ISA_CODE_avx2 1
#define WARPLENS_ISA_CODE_avx512 2
#define WARPLENS_JOIN_(a, b) a##b
#define WARPLENS_JOIN(a, b) WARPLENS_JOIN_(a, b)
#define WARPLENS_ISA_CODE WARPLENS_JOIN(WARPLENS_ISA_CODE_, WARPLENS_ISA)
#define WARPLENS_ISA_NAMESPACE WARPLENS_JOIN(isa_, WARPLENS_ISA)

// The text of a #pragma is not macro-expanded, but the string of _Pragma can be built by macros. sse2, which
// every x86-64 has, is written first so that each feature can follow a comma.
#define WARPLENS_PRAGMA_(...) _Pragma(#__VA_ARGS__)
#define WARPLENS_PRAGMA(...) WARPLENS_PRAGMA_(__VA_ARGS__)
#define WARPLENS_COMMA_FEATURE(name) "," #name

#if WARPLENS_ISA_CODE == 1
#define WARPLENS_ISA_TARGET "sse2" WARPLENS_FEATURES_avx2(WARPLENS_COMMA_FEATURE, WARPLENS_COMMA_FEATURE)
#define WARPLENS_ISA_WIDTH ""
#elif WARPLENS_ISA_CODE == 2
#define WARPLENS_ISA_TARGET "sse2" WARPLENS_FEATURES_avx512(WARPLENS_COMMA_FEATURE, WARPLENS_COMMA_FEATURE)
#define WARPLENS_ISA_WIDTH ",prefer-vector-width=512"
#endif

#if WARPLENS_ISA_CODE != 0
#if defined(__clang__)
WARPLENS_PRAGMA(clang attribute push(__attribute__((target(WARPLENS_ISA_TARGET))), apply_to = function))
#else
#pragma GCC push_options
WARPLENS_PRAGMA(GCC target(WARPLENS_ISA_TARGET WARPLENS_ISA_WIDTH))
#endif
#endif
