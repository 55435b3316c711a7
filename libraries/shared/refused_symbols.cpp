// The symbols of calls that do not work, by the table WARPLENS_LIBRARY_TABLE (cmake/libraries.cmake). Nobody
// reads the arguments of a call that is refused, so this file does not see NVIDIA's header, whose types they
// would have to agree with.
#include "libraries/shared/refused.h"

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
#include WARPLENS_LIBRARY_TABLE
}
