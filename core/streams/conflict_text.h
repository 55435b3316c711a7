// A conflict of two operations in sentences.
#pragma once

#include <string>
#include <string_view>

#include "core/streams/accesses.h"

namespace warplens::streams {

struct ConflictText {
  std::string what;    // what both do, and that nothing orders them
  std::string advice;  // the call that is missing, and before which line
};

// `memory`: the name of what holds the bytes: "array 3".
ConflictText text_of(const Conflict& conflict, std::string_view memory);

// The stream's argument of the call at a line, as the source has it: the fourth of <<<…>>>, the last of a
// function whose name ends in Async and of cudaGraphLaunch, the first of cudaLaunchHostFunc; `stream=` and
// the third in brackets in Python. Empty if none is found.
std::string stream_argument(std::string_view call, bool python);

}  // namespace warplens::streams
