// What the Code view says about the shown text: compiled, in which time, or why not.
#pragma once

#include <string>

#include "app/state/parts/code.h"
#include "core/kernels/catalogue.h"

namespace warplens {

struct CodeStatus {
  std::string words;      // "compiled in 78.5 ms", "has errors"
  bool measured = false;  // the words hold the compiler's time, and have its tag
  bool errors = false;
};
CodeStatus status_of(const CodeState& code);

// The kernel of a recorded program may be written in Python, with Numba.
inline bool is_python(const KernelDescription& kernel) { return kernel.source_name.ends_with(".py"); }

}  // namespace warplens
