// The differences between the sources of two kernels, after a fix has put one in place of the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/kernels/catalogue.h"

namespace warplens {

struct LineChange {
  bool added = false;  // in the new source; else gone from the old one
  uint32_t line = 0;   // of its source
  std::string text;    // without blanks at its ends
};

// Comments, blank lines and the kernel's own name are left aside.
struct SourceChange {
  std::vector<LineChange> lines;  // from top to bottom; gone ones before new ones
  uint32_t changed = 0, added = 0, removed = 0;
  std::string sentence;  // "vector_add in place of vector_add_unchecked: 2 lines changed"
};
SourceChange source_change(const KernelDescription& from, const KernelDescription& to);

}  // namespace warplens
