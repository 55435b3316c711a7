// For tests of out-of-memory errors: code for EXPECT_EXIT, in whose process the system provides little
// memory.
#pragma once

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

#include "tests/core/sanitized.h"

namespace warplens::exec::test {

// The sanitizers' own shadow memory is larger than any limit.
constexpr bool memory_can_be_limited = !is_sanitized;

// From here on, this process can get only so many more bytes.
inline void limit_memory(size_t bytes) {
  mallopt(M_ARENA_MAX, 1);  // an arena for each thread would take most of it
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t most = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE)) + bytes;
  const rlimit limit{most, most};
  setrlimit(RLIMIT_AS, &limit);
}

}  // namespace warplens::exec::test
