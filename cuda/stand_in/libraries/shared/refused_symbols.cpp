// The symbols of calls that do not work, by the table WARPLENS_LIBRARY_TABLE
// (cuda/stand_in/libraries/CMakeLists.txt). The arguments of a refused call are never read, so this file does
// not see NVIDIA's header, whose types they would have to agree with.
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
#define LIBRARY_CALL(name)
#define LIBRARY_REFUSED(name) \
  int name() { return warplens_refuse_library(#name); }
#define LIBRARY_REFUSED_TEXT(name)     \
  const char* name() {                 \
    warplens_refuse_library(#name);    \
    return "not provided (" #name ")"; \
  }
#define LIBRARY_REFUSED_VALUE(name) \
  long name() {                     \
    warplens_refuse_library(#name); \
    return 0;                       \
  }
#define LIBRARY_MAKES(name) \
  int name(Handle** made) { return make(made); }
#define LIBRARY_ENDS(name) \
  int name(Handle* handle) { return end(handle); }
#define LIBRARY_SETS_STREAM(name) \
  int name(Handle* handle, void* stream) { return set_stream(handle, stream); }
#define LIBRARY_GETS_STREAM(name) \
  int name(const Handle* handle, void** stream) { return get_stream(handle, stream); }
#include WARPLENS_LIBRARY_TABLE
}
