// Two or four numbers in a word: CUDA Math API, "SIMD Intrinsics", with the video instructions (PTX ISA,
// "Scalar Video Instructions" and the sections after it). Averages do not use them, since PTX rounds averages
// in another way.
#pragma once

#define WARPLENS_SIMD(NAME, PTX)                                         \
  WARPLENS_DEVICE unsigned int NAME(unsigned int a, unsigned int b) {    \
    unsigned int result;                                                 \
    asm(PTX " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(0)); \
    return result;                                                       \
  }
// 2 or 4 numbers; for a true comparison, __vcmp gives all bits of the number, and __vset gives 1.
#define WARPLENS_SIMD_COMPARE(N, NAME, TYPES)                                    \
  WARPLENS_SIMD(__vset##NAME##N, "vset" #N "." TYPES)                            \
  WARPLENS_DEVICE unsigned int __vcmp##NAME##N(unsigned int a, unsigned int b) { \
    return __vset##NAME##N(a, b) * (N == 4 ? 0xffu : 0xffffu);                   \
  }
#define WARPLENS_SIMD_OF(N)                                                          \
  WARPLENS_SIMD(__vadd##N, "vadd" #N ".u32.u32.u32")                                 \
  WARPLENS_SIMD(__vaddss##N, "vadd" #N ".s32.s32.s32.sat")                           \
  WARPLENS_SIMD(__vaddus##N, "vadd" #N ".u32.u32.u32.sat")                           \
  WARPLENS_SIMD(__vsub##N, "vsub" #N ".u32.u32.u32")                                 \
  WARPLENS_SIMD(__vsubss##N, "vsub" #N ".s32.s32.s32.sat")                           \
  WARPLENS_SIMD(__vsubus##N, "vsub" #N ".u32.u32.u32.sat")                           \
  WARPLENS_SIMD(__vabsdiffu##N, "vabsdiff" #N ".u32.u32.u32")                        \
  WARPLENS_SIMD(__vabsdiffs##N, "vabsdiff" #N ".s32.s32.s32")                        \
  WARPLENS_SIMD(__vmaxs##N, "vmax" #N ".s32.s32.s32")                                \
  WARPLENS_SIMD(__vmaxu##N, "vmax" #N ".u32.u32.u32")                                \
  WARPLENS_SIMD(__vmins##N, "vmin" #N ".s32.s32.s32")                                \
  WARPLENS_SIMD(__vminu##N, "vmin" #N ".u32.u32.u32")                                \
  WARPLENS_SIMD(__vsads##N, "vabsdiff" #N ".s32.s32.s32.add")                        \
  WARPLENS_SIMD(__vsadu##N, "vabsdiff" #N ".u32.u32.u32.add")                        \
  WARPLENS_SIMD_COMPARE(N, eq, "u32.u32.eq")                                         \
  WARPLENS_SIMD_COMPARE(N, ne, "u32.u32.ne")                                         \
  WARPLENS_SIMD_COMPARE(N, ltu, "u32.u32.lt")                                        \
  WARPLENS_SIMD_COMPARE(N, leu, "u32.u32.le")                                        \
  WARPLENS_SIMD_COMPARE(N, gtu, "u32.u32.gt")                                        \
  WARPLENS_SIMD_COMPARE(N, geu, "u32.u32.ge")                                        \
  WARPLENS_SIMD_COMPARE(N, lts, "s32.s32.lt")                                        \
  WARPLENS_SIMD_COMPARE(N, les, "s32.s32.le")                                        \
  WARPLENS_SIMD_COMPARE(N, gts, "s32.s32.gt")                                        \
  WARPLENS_SIMD_COMPARE(N, ges, "s32.s32.ge")                                        \
  WARPLENS_DEVICE unsigned int __vneg##N(unsigned int a) { return __vsub##N(0, a); } \
  WARPLENS_DEVICE unsigned int __vnegss##N(unsigned int a) { return __vsubss##N(0, a); }
WARPLENS_SIMD_OF(2)
WARPLENS_SIMD_OF(4)
#undef WARPLENS_SIMD_OF
#undef WARPLENS_SIMD_COMPARE
#undef WARPLENS_SIMD
