// Barriers of a block, clocks and waiting: CUDA C++ Programming Guide, "Synchronization Functions", "Time
// Function", "Nanosleep Function".
#pragma once

// Not clang's builtins: LLVM takes its own intrinsics for calls that change no variable of the module, and
// moves loads and stores of shared variables past them (GlobalsAA).
WARPLENS_DEVICE void warplens_syncthreads() { asm volatile("bar.sync 0;" : : : "memory"); }
#define __syncthreads() warplens_syncthreads()

WARPLENS_DEVICE int __syncthreads_count(int holds) {
  int count;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(count)
               : "r"(holds)
               : "memory");
  return count;
}
#define WARPLENS_BARRIER(NAME, OPERATION)                                      \
  WARPLENS_DEVICE int NAME(int holds) {                                        \
    int result;                                                                \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." OPERATION \
                 ".pred q, 0, p; selp.s32 %0, 1, 0, q; }"                      \
                 : "=r"(result)                                                \
                 : "r"(holds)                                                  \
                 : "memory");                                                  \
    return result;                                                             \
  }
WARPLENS_BARRIER(__syncthreads_and, "and")
WARPLENS_BARRIER(__syncthreads_or, "or")
#undef WARPLENS_BARRIER

#define WARPLENS_CLOCK(NAME, TYPE, REGISTER_NAME, KIND, REGISTER)                           \
  WARPLENS_DEVICE TYPE NAME() {                                                             \
    TYPE now;                                                                               \
    asm volatile("mov." KIND " %0, %%" REGISTER_NAME ";" : "=" REGISTER(now) : : "memory"); \
    return now;                                                                             \
  }
typedef long clock_t;
WARPLENS_CLOCK(warplens_clock, unsigned int, "clock", "u32", "r")
WARPLENS_CLOCK(clock64, long long, "clock64", "u64", "l")
WARPLENS_CLOCK(__globaltimer, unsigned long long, "globaltimer", "u64", "l")
#undef WARPLENS_CLOCK
WARPLENS_DEVICE clock_t clock() { return clock_t(int(warplens_clock())); }
#if WARPLENS_ARCH >= 700
WARPLENS_DEVICE void __nanosleep(unsigned int nanoseconds) {
  asm volatile("nanosleep.u32 %0;" : : "r"(nanoseconds) : "memory");
}
#endif
WARPLENS_DEVICE void __trap() { __builtin_trap(); }
WARPLENS_DEVICE void __brkpt() { asm volatile("brkpt;"); }
WARPLENS_DEVICE void __prof_trigger(int) {}
