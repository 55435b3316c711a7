// Runs programs that share this process's input and output, so that they look like this process to the user.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace warplens {

// While it exists, signals that request an end are passed on to the program: SIGTERM, SIGHUP, and SIGINT and
// SIGQUIT unless they come from the terminal, which signals the program by itself. This process continues,
// since it has a report to write. Ignored signals stay ignored. Only one such object may exist at a time.
class SignalsForProgram {
 public:
  SignalsForProgram();
  ~SignalsForProgram();
  SignalsForProgram(const SignalsForProgram&) = delete;
  SignalsForProgram& operator=(const SignalsForProgram&) = delete;
};

// Returns the program's exit status as a shell does: 128 plus the number of the signal that ended it, if any.
// Without a terminal, the program is in a process group of its own, and signals reach all processes that it
// started. With a terminal it stays in this process's group, as job control requires. If this process is
// killed, the program is ended (SIGTERM; its own group also gets SIGKILL two seconds later). The error is of
// kind missing if there is no such program.
Result<int> run_attached(const std::vector<std::string>& command,
                         const std::vector<std::pair<std::string, std::string>>& variables);

}  // namespace warplens
