// A symbol for each function that NVIDIA's headers of the library declare, by the table
// WARPLENS_LIBRARY_TABLE, which cuda/stand_in/libraries/CMakeLists.txt makes of them:
//   LIBRARY_Create(name), LIBRARY_Destroy(name), LIBRARY_SetStream(name), LIBRARY_GetStream(name)
//                                works: of a handle that only keeps its stream
//   LIBRARY_REFUSED(name)        says once that it does not work, and returns the library's code for that
//   LIBRARY_REFUSED_TEXT(name)   the same, of a function that returns a text
//   LIBRARY_REFUSED_VALUE(name)  the same, of one that returns no status: a number, or nothing
// Each is weak: where the library's sources define the function, it works. The arguments of a refused call
// are never read, so this file does not see NVIDIA's header, whose types they would have to agree with.
#include "cuda/stand_in/libraries/shared/refused.h"

#include <new>

namespace {

// A handle by which nothing is computed. Programs make one in advance, also those that never use it.
struct Handle {
  void* stream = nullptr;
};
constexpr int not_initialized = 1;  // CUSOLVER_STATUS_NOT_INITIALIZED, and those of cuSPARSE and cuBLASLt

[[maybe_unused]] int make(Handle** made) {
  return made != nullptr && (*made = new (std::nothrow) Handle) != nullptr ? 0 : not_initialized;
}
[[maybe_unused]] int end(Handle* handle) {
  delete handle;
  return handle != nullptr ? 0 : not_initialized;
}
[[maybe_unused]] int set_stream(Handle* handle, void* stream) {
  if (handle == nullptr) return not_initialized;
  handle->stream = stream;
  return 0;
}
[[maybe_unused]] int get_stream(const Handle* handle, void** stream) {
  if (handle == nullptr || stream == nullptr) return not_initialized;
  *stream = handle->stream;
  return 0;
}

}  // namespace

extern "C" {
#define LIBRARY_REFUSED(name) \
  [[gnu::weak]] int name() { return warplens_refuse_library(#name); }
#define LIBRARY_REFUSED_TEXT(name)     \
  [[gnu::weak]] const char* name() {   \
    warplens_refuse_library(#name);    \
    return "not provided (" #name ")"; \
  }
#define LIBRARY_REFUSED_VALUE(name) \
  [[gnu::weak]] long name() {       \
    warplens_refuse_library(#name); \
    return 0;                       \
  }
#define LIBRARY_Create(name) \
  [[gnu::weak]] int name(Handle** made) { return make(made); }
#define LIBRARY_Destroy(name) \
  [[gnu::weak]] int name(Handle* handle) { return end(handle); }
#define LIBRARY_SetStream(name) \
  [[gnu::weak]] int name(Handle* handle, void* stream) { return set_stream(handle, stream); }
#define LIBRARY_GetStream(name) \
  [[gnu::weak]] int name(const Handle* handle, void** stream) { return get_stream(handle, stream); }
#include WARPLENS_LIBRARY_TABLE
}
