// What the Code view says about the shown text: compiled, in which time, or why not.
#pragma once

#include <string>

#include "app/state/code.h"

namespace warplens {

struct CodeStatus {
  std::string words;      // "compiled in 78.5 ms", "has errors"
  bool measured = false;  // the words hold the compiler's time, and have its tag
  bool errors = false;
};
CodeStatus status_of(const CodeState& code);

}  // namespace warplens
