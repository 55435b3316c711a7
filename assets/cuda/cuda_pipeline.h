// Copies from global to shared memory in the background: CUDA C++ Programming Guide, "Pipeline Primitives
// Interface". PTX ISA, "cp.async" (sm_80 and later; before, a copy is done at once).
#pragma once
#include "warplens_cuda.h"

WARPLENS_DEVICE void __pipeline_memcpy_async(void* __restrict__ to, const void* __restrict__ from,
                                             size_t bytes, size_t zeros = 0) {
#if WARPLENS_ARCH >= 800
  const unsigned int shared = (unsigned int)(__cvta_generic_to_shared(to));
  const unsigned int read = (unsigned int)(bytes - zeros);
  if (bytes == 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from), "r"(read)
                 : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared), "l"(from), "r"(read)
                 : "memory");
  else if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(read)
                 : "memory");
  else
    __trap();  // CUDA takes 4, 8 and 16
#else
  for (size_t i = 0; i < bytes; ++i) ((char*)to)[i] = i < bytes - zeros ? ((const char*)from)[i] : 0;
#endif
}
WARPLENS_DEVICE void __pipeline_commit() {
#if WARPLENS_ARCH >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits until all groups except the `newest` last committed ones have arrived. The number is an operand of
// the instruction, so it must be a compile-time constant; more than eight wait as eight do.
WARPLENS_DEVICE void __pipeline_wait_prior(size_t newest) {
#if WARPLENS_ARCH >= 800
#define WARPLENS_WAIT(N)                                      \
  case N:                                                     \
    asm volatile("cp.async.wait_group " #N ";" ::: "memory"); \
    break;
  switch (newest) {
    WARPLENS_WAIT(0)
    WARPLENS_WAIT(1)
    WARPLENS_WAIT(2)
    WARPLENS_WAIT(3)
    WARPLENS_WAIT(4)
    WARPLENS_WAIT(5)
    WARPLENS_WAIT(6)
    WARPLENS_WAIT(7)
    default:
      asm volatile("cp.async.wait_group 8;" ::: "memory");
  }
#undef WARPLENS_WAIT
#endif
}
