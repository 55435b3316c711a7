// The arguments of a program as a user types them into one line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens::program_run {

// Splits a line into words as a POSIX shell does (XCU 2.2): blanks part them, '…' and "…" hold them together,
// \ takes the next character as it is. Nothing is expanded: *, $ and ~ stay as they are. An error names what
// is not closed.
Result<std::vector<std::string>> split_words(std::string_view line);

}  // namespace warplens::program_run
