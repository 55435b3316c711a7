// Starts a program and waits for it. The only file of the launcher that knows processes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace warplens::program_run {

// The program's exit status as a shell tells it: 128 and the signal where one ended it. Input and output are
// this process's own; Ctrl-C goes to the program, and so do requests to end. Kind missing where there is no
// such program.
Result<int> run_child(const std::vector<std::string>& command,
                      const std::vector<std::pair<std::string, std::string>>& variables);

}  // namespace warplens::program_run
