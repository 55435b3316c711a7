// The functions whose names end in _ptds and _ptsz: those without, where 0 is the calling thread's own
// default stream. A symbol jumps to the function that C++ makes of its type.
#include "cuda/stand_in/driver/state/own_stream.h"

#include "cuda/stand_in/driver/api.h"

#if defined(__x86_64__)
#define JUMP_TO_WHAT_HOLDS(variable) "jmp *" #variable "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP_TO_WHAT_HOLDS(variable) "adrp x16, " #variable "\nldr x16, [x16, :lo12:" #variable "]\nbr x16\n"
#else
#error "Write the instructions that jump to the function whose address a variable holds."
#endif

#define DRIVER_CALL(name, version, symbol)
#define DRIVER_OTHER_NAME(name, version, symbol, same)
#define DRIVER_REFUSED(name, version, symbol, topic)
#define DRIVER_OWN_STREAM(name, version, symbol, same)                        \
  extern "C" {                                                                \
  [[gnu::visibility("hidden")]] decltype(&(same)) warplens_##symbol##_own =   \
      &warplens::driver::WithOwnStream<&(same)>::entry;                       \
  }                                                                           \
  __asm__(".text\n.globl " #symbol "\n.type " #symbol ", %function\n" #symbol \
          ":\n" JUMP_TO_WHAT_HOLDS(warplens_##symbol##_own) ".size " #symbol ", .-" #symbol "\n");
#include "cuda/stand_in/driver/api.def"
#undef DRIVER_CALL
#undef DRIVER_OTHER_NAME
#undef DRIVER_REFUSED
#undef JUMP_TO_WHAT_HOLDS
