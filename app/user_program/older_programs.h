// Programs that were written for CUDA 12 and before, with a compiler of CUDA 13: names that CUDA 13 has
// removed from the runtime API (CUDA 13.0 release notes, "Deprecated or Dropped Features") are declared
// again, by a header before the program's own text. Only where a file does not compile without it.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warplens::nvcc {

// Whether a compiler's messages name one of these.
bool misses_removed_names(std::string_view errors);

// Writes the header into the cache, where dependency files may name it for long, and gives its path. Errors:
// it cannot be written.
Result<std::string> write_older_names();

}  // namespace warplens::nvcc
