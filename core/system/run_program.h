// Runs another program to its end and returns its output.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warplens {

struct ProgramEnd {
  int status = 0;      // its exit status; -1 if a signal ended it
  std::string output;  // of standard output and standard error, at most the first MiB
};

// `program` is a path. It gets no input, and is killed after `longest`. An error says that it could not be
// started (kind missing), or that it was killed.
Result<ProgramEnd> run_program(const std::string& program, const std::vector<std::string>& arguments,
                               std::chrono::milliseconds longest);

}  // namespace warplens
