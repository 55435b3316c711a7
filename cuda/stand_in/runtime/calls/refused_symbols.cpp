// The symbols of calls that do not work, and the other names of those that do. The arguments of a refused
// call are never read, so this file does not see CUDA's header, whose types they would have to agree with.
#include <cstdint>

#define MAJOR_both(...) __VA_ARGS__
#if WARPLENS_CUDART_MAJOR == 12
#define MAJOR_only_12(...) __VA_ARGS__
#define MAJOR_only_13(...)
#else
#define MAJOR_only_12(...)
#define MAJOR_only_13(...) __VA_ARGS__
#endif

extern "C" int warplens_refuse_runtime(uint32_t row);

namespace {

enum Row : uint32_t {
#define RUNTIME_CALL(name, majors)
#define RUNTIME_OTHER_NAME(name, majors, same)
#define RUNTIME_REFUSED(name, majors, topic) MAJOR_##majors(row_##name, )
#include "cuda/stand_in/runtime/api.def"
#undef RUNTIME_REFUSED
};

}  // namespace

extern "C" {
#define RUNTIME_REFUSED(name, majors, topic) \
  MAJOR_##majors(int name() { return warplens_refuse_runtime(row_##name); })
#include "cuda/stand_in/runtime/api.def"
#undef RUNTIME_REFUSED
#undef RUNTIME_OTHER_NAME
}

#if defined(__x86_64__)
#define JUMP "jmp "
#elif defined(__aarch64__)
#define JUMP "b "
#else
#error "Write the instruction that jumps to another function."
#endif
#define RUNTIME_REFUSED(name, majors, topic)
#define RUNTIME_OWN_STREAM(name, majors, same)  // own_stream.cpp has them
#define RUNTIME_OTHER_NAME(name, majors, same)                                                               \
  MAJOR_##majors(__asm__(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n" JUMP #same "\n" \
                         ".size " #name ", .-" #name "\n");)
#include "cuda/stand_in/runtime/api.def"
