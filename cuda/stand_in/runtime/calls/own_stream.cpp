// The functions whose names end in _ptds and _ptsz: those without, where 0 is the calling thread's own
// default stream. A symbol jumps to the function that C++ makes of its type.
#include "cuda/stand_in/runtime/state/own_stream.h"

#if defined(__x86_64__)
#define JUMP_TO_WHAT_HOLDS(variable) "jmp *" #variable "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP_TO_WHAT_HOLDS(variable) "adrp x16, " #variable "\nldr x16, [x16, :lo12:" #variable "]\nbr x16\n"
#else
#error "Write the instructions that jump to the function whose address a variable holds."
#endif

// NOLINTNEXTLINE(bugprone-reserved-identifier): CUDA's name
extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);

#define RUNTIME_CALL(name, majors)
#define RUNTIME_OTHER_NAME(name, majors, same)
#define RUNTIME_REFUSED(name, majors, topic)
#define OWN_STREAM(name, same)                                            \
  extern "C" {                                                            \
  [[gnu::visibility("hidden")]] decltype(&(same)) warplens_##name##_own = \
      &warplens::runtime::WithOwnStream<&(same)>::entry;                  \
  }                                                                       \
  __asm__(".text\n.globl " #name "\n.type " #name ", %function\n" #name   \
          ":\n" JUMP_TO_WHAT_HOLDS(warplens_##name##_own) ".size " #name ", .-" #name "\n");
#define RUNTIME_OWN_STREAM(name, majors, same) MAJOR_##majors(OWN_STREAM(name, same))
#include "cuda/stand_in/runtime/api.def"
#undef RUNTIME_CALL
#undef RUNTIME_OTHER_NAME
#undef RUNTIME_REFUSED
#undef OWN_STREAM
#undef JUMP_TO_WHAT_HOLDS
