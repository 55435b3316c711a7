// Barriers of a block, clocks and waiting: CUDA C++ Programming Guide, "Synchronization Functions", "Time
// Function", "Nanosleep Function".
#pragma once

// __syncthreads() is a builtin of clang.
#define WARPLENS_BARRIER(NAME, BUILTIN) \
  WARPLENS_DEVICE int NAME(int holds) { return BUILTIN(holds); }
WARPLENS_BARRIER(__syncthreads_count, __nvvm_bar0_popc)
WARPLENS_BARRIER(__syncthreads_and, __nvvm_bar0_and)
WARPLENS_BARRIER(__syncthreads_or, __nvvm_bar0_or)
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
