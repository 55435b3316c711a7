#include "cuda/stand_in/relay/next.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace {

CUresult not_there() { return CUDA_ERROR_NOT_SUPPORTED; }

}  // namespace

// Each symbol is a jump to the driver's own, and weak: where cuda/stand_in/relay/calls has a function of the
// name, that is the symbol.
#if defined(__x86_64__)
#define RELAY_JUMP(symbol)                                                                            \
  __asm__(".pushsection .text\n.weak " #symbol "\n.type " #symbol ", @function\n.p2align 4\n" #symbol \
          ":\n\tendbr64\n\tjmp *warplens_next_" #symbol "(%rip)\n.size " #symbol ", .-" #symbol       \
          "\n.popsection\n");
#elif defined(__aarch64__)
#define RELAY_JUMP(symbol)                                                                            \
  __asm__(".pushsection .text\n.weak " #symbol "\n.type " #symbol ", @function\n.p2align 4\n" #symbol \
          ":\n\tadrp x16, warplens_next_" #symbol "\n\tldr x16, [x16, :lo12:warplens_next_" #symbol   \
          "]\n\tbr x16\n.size " #symbol ", .-" #symbol "\n.popsection\n");
#endif

#define RELAY_ROW(symbol)                                             \
  void* warplens_next_##symbol = reinterpret_cast<void*>(&not_there); \
  RELAY_JUMP(symbol)
#define DRIVER_CALL(name, version, symbol) RELAY_ROW(symbol)
#define DRIVER_OTHER_NAME(name, version, symbol, same) RELAY_ROW(symbol)
#define DRIVER_REFUSED(name, version, symbol, topic) RELAY_ROW(symbol)
extern "C" {
#include "cuda/stand_in/driver/api.def"
}
#undef DRIVER_CALL
#undef DRIVER_OTHER_NAME
#undef DRIVER_REFUSED

namespace {

struct Entry {
  const char* symbol;
  void** next;
};

const Entry entries[] = {
#define DRIVER_CALL(name, version, symbol) {#symbol, &warplens_next_##symbol},
#define DRIVER_OTHER_NAME(name, version, symbol, same) {#symbol, &warplens_next_##symbol},
#define DRIVER_REFUSED(name, version, symbol, topic) {#symbol, &warplens_next_##symbol},
#include "cuda/stand_in/driver/api.def"
};

// Before any call: no program has an address of this library yet.
__attribute__((constructor)) void find_next() {
  const char* path = std::getenv("WARPLENS_PROGRAM_NEXT");
  // Its own calls of its own functions must not come here, where the program is linked with this library.
  void* library =
      path == nullptr || *path == 0 ? nullptr : dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr) {
    std::fprintf(stderr, "warplens: NVIDIA's driver (%s) could not be loaded: %s\n",
                 path == nullptr ? "WARPLENS_PROGRAM_NEXT" : path, path == nullptr ? "not set" : dlerror());
    return;
  }
  for (const Entry& entry : entries) {
    if (void* found = dlsym(library, entry.symbol); found != nullptr) *entry.next = found;
  }
}

}  // namespace

namespace warplens::relay {

bool has_next(const void* next) { return next != reinterpret_cast<const void*>(&not_there); }

}  // namespace warplens::relay
