// How posix/ starts another program: one way, behind run_program, run_limited, run_heard, run_attached and
// JoinedProcess.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "core/system/process.h"

namespace warplens::posix {

struct Start {
  std::vector<std::string> words;  // the program, for lists of processes as well, and its arguments
  std::string file;                // that is run in place of words[0]; empty: that
  bool in_path = true;             // where it has no slash, PATH says where it is
  bool in_its_path = false;        // that of `variables`, not this process's
  std::string folder;              // that it runs in; empty: this process's own
  std::vector<std::pair<std::string, std::string>> variables;  // set for it; the last of a name counts
  bool is_stranger = false;         // of this process's environment it gets only what names places
  int in = -1, out = -1, err = -1;  // descriptors that become its standard streams; -1: this process's
  bool has_group = false;           // of processes, with its own number
  bool ends_with_this = false;      // asked to end (SIGTERM) when this process is gone
  void (*first)() = nullptr;        // called in it before all else; only calls that are safe there
  const ProcessLimits* limits = nullptr;
};

struct Started {
  pid_t child = -1;
  int error = 0;            // why there is no child; 0: there is
  bool no_process = false;  // the system has no room for one; else this program cannot be run
};

// The program runs when this returns. What needs nothing between fork and exec is spawned, which copies no
// pages of this process.
Started start(const Start& start);

// Why there is no child: of kind missing where this program cannot be run.
Error why_not(const Start& start, const Started& made);

// Waits for a child whose output is closed, for as long as the limits let it run, and kills what it has left
// behind in its group.
void wait_for_end(pid_t child, const ProcessLimits& limits, std::chrono::steady_clock::time_point begin,
                  ProcessEnd& end);

}  // namespace warplens::posix
