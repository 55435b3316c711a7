// The symbols of calls that do not work, and the other names of those that do. Their types do not matter:
// their arguments are never read. So this file does not see CUDA's header, whose types they would have to
// agree with.
#include <cstdint>

extern "C" int warplens_refuse(uint32_t row);

namespace {

enum Row : uint32_t {
#define DRIVER_CALL(name, version, symbol)
#define DRIVER_OTHER_NAME(name, version, symbol, same)
#define DRIVER_REFUSED(name, version, symbol, topic) row_##symbol,
#include "cuda/stand_in/driver/api.def"
#undef DRIVER_REFUSED
};

}  // namespace

extern "C" {
#define DRIVER_REFUSED(name, version, symbol, topic) \
  int symbol() { return warplens_refuse(row_##symbol); }
#include "cuda/stand_in/driver/api.def"
#undef DRIVER_REFUSED
#undef DRIVER_OTHER_NAME
}

#if defined(__x86_64__)
#define JUMP "jmp "
#elif defined(__aarch64__)
#define JUMP "b "
#else
#error "Write the instruction that jumps to another function."
#endif
#define DRIVER_REFUSED(name, version, symbol, topic)
#define DRIVER_OWN_STREAM(name, version, symbol, same)  // own_stream.cpp has them
#define DRIVER_OTHER_NAME(name, version, symbol, same)                                         \
  __asm__(".text\n.globl " #symbol "\n.type " #symbol ", %function\n" #symbol ":\n" JUMP #same \
          "\n"                                                                                 \
          ".size " #symbol ", .-" #symbol "\n");
#include "cuda/stand_in/driver/api.def"
