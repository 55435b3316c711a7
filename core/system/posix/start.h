// Starts other programs in posix/: run_program, run_limited, run_heard, run_attached and JoinedProcess use
// it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "core/system/process.h"

namespace warplens::posix {

struct Start {
  std::vector<std::string> words;  // the program's name in lists of processes, and its arguments
  std::string file;                // the file to run in place of words[0]; empty for words[0]
  bool in_path = true;             // if it has no slash, search PATH
  bool in_its_path = false;        // search the PATH of `variables`, not this process's
  std::string folder;              // its working folder; empty for this process's own
  std::vector<std::pair<std::string, std::string>> variables;  // set for it; the last one of a name counts
  bool is_stranger = false;         // it gets only those variables of this process that name places
  int in = -1, out = -1, err = -1;  // descriptors that become its standard streams; -1 for this process's
  bool has_group = false;           // it has its own process group
  bool ends_with_this = false;      // it gets SIGTERM when this process is gone
  void (*first)() = nullptr;        // called first in the child; only calls that are safe there
  const ProcessLimits* limits = nullptr;
};

struct Started {
  pid_t child = -1;
  int error = 0;            // why there is no child; 0 if there is one
  bool no_process = false;  // the system cannot make another process; otherwise this program cannot be run
};

// The program is running when this returns. If nothing must be done between fork and exec, it is spawned,
// which does not copy pages of this process.
Started start(const Start& start);

// Why there is no child. The error is of kind missing if this program cannot be run.
Error why_not(const Start& start, const Started& made);

// Waits for a child whose output is closed, for as long as the limits allow, and kills the processes that are
// left in its group.
void wait_for_end(pid_t child, const ProcessLimits& limits, std::chrono::steady_clock::time_point begin,
                  ProcessEnd& end);

}  // namespace warplens::posix
