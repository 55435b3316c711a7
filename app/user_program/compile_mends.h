// What a compiler refuses for want of an option, or because newer versions of CUDA removed it, and the words
// of the command line that mend it. Data: a row for each kind.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens::nvcc {

struct Mend {
  std::string_view option;             // of nvcc; empty: one of our own headers
  std::vector<std::string_view> said;  // the compiler said one of these
  std::string_view needed_by;          // what needs the option
  bool joins_files = false;            // only where files are several; their warnings count as well
  bool nccl = false;                   // the header is NCCL's, and not the names that CUDA 13 removed
};

struct CommandShape {
  const std::vector<std::string>& words;  // of nvcc's command line
  bool several_files = false;
  bool adds_options = false;  // --add-options: otherwise only headers
  bool failed = true;
};

// The first row for what the compiler said whose option the command has not, and that was not tried; null if
// there is none. `tried` are rows.
const Mend* mend_for(std::string_view said, const CommandShape& command,
                     const std::vector<const Mend*>& tried);
bool still_says(const Mend& mend, std::string_view said);

// The words that a row adds. Errors: a header cannot be written.
Result<std::vector<std::string>> words_of(const Mend& mend);

}  // namespace warplens::nvcc
