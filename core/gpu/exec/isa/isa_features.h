// The features that an instruction set's handlers are compiled for, which a machine must have to run them.
// This is the only list: isa_begin.h makes the compiler's target from it, and isa.h the test of the machine.
//
// CPUID: features that __builtin_cpu_supports of clang 14 does not know.
#pragma once

#define WARPLENS_FEATURES_avx2(BUILTIN, CPUID) \
  BUILTIN(avx2) BUILTIN(fma) BUILTIN(bmi) BUILTIN(bmi2) BUILTIN(popcnt) CPUID(lzcnt)
#define WARPLENS_FEATURES_avx512(BUILTIN, CPUID) \
  BUILTIN(avx512f)                               \
  BUILTIN(avx512bw)                              \
  BUILTIN(avx512vl) BUILTIN(avx512dq) BUILTIN(avx512cd) WARPLENS_FEATURES_avx2(BUILTIN, CPUID)
