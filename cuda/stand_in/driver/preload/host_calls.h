// What the driver gives to host_calls.c, in the same process. Both are C, as the library that is loaded first
// is.
#pragma once

#include <stdint.h>  // NOLINT(modernize-deprecated-headers): it is also C

struct WarpLensHostCalls {
  // The first address in [begin, end) that is guarded against reading (or writing); 0: none.
  uintptr_t (*guarded)(uintptr_t begin, uintptr_t end, int writes);
  // The program is about to handle this signal itself: opens all pages if it is SIGSEGV.
  void (*handles)(int signal);
  // The program is about to protect [begin, end) itself: these pages are its own from now on.
  void (*protects)(uintptr_t begin, uintptr_t end);
};

// Exported by the library that is loaded first. They live as long as the process.
#define WARPLENS_WATCH_HOST_CALLS "warplens_watch_host_calls"
