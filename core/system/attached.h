// Programs with this process's own input and output, which a person at a terminal takes for this one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace warplens {

// While it lives, requests to end (SIGTERM, SIGHUP, and SIGINT and SIGQUIT that do not come from the
// terminal, which tells the program by itself) go to the program, and this process goes on: it has a report
// to write. A signal that was ignored stays so. Only one at a time.
class SignalsForProgram {
 public:
  SignalsForProgram();
  ~SignalsForProgram();
  SignalsForProgram(const SignalsForProgram&) = delete;
  SignalsForProgram& operator=(const SignalsForProgram&) = delete;
};

// The program's exit status as a shell tells it: 128 and the signal where one ended it. Without a terminal
// the program is a process group of its own, and what is passed on reaches all that it started; with one it
// stays in this one's group, as job control needs it. Where this process is killed, it is ended (SIGTERM; a
// group of its own also by SIGKILL, two seconds later). Kind missing where there is no such program.
Result<int> run_attached(const std::vector<std::string>& command,
                         const std::vector<std::pair<std::string, std::string>>& variables);

// The same for a program that is nobody's but the person's: nothing is passed on to it, and it goes on where
// this process is killed.
Result<int> run_beside(const std::vector<std::string>& command);

}  // namespace warplens
