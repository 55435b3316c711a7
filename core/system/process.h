// Runs another program to its end with limits of time, memory and output. What it does cannot harm this
// process: at worst it is killed, with all that it has started.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/system/other_user.h"

namespace warplens {

struct ProcessLimits {
  std::chrono::milliseconds time{60'000};      // by the clock on the wall
  uint64_t address_bytes = 0;                  // of address space; 0 for no limit
  uint64_t output_bytes = uint64_t{16} << 20;  // of stdout, and of stderr; more is cut off
  uint64_t file_bytes = uint64_t{64} << 20;    // of a file that it writes
  // Runs it as this user, without a network, in a folder of its own and without this process's environment
  // but for what names places of CUDA and WarpLens. One program at a time, since its end ends them all.
  std::optional<OtherUser> user = {};
};

struct ProcessEnd {
  int status = 0;          // exit status; 128 + signal if it was killed
  int signal = 0;          // 0 if it ended by itself
  bool timed_out = false;  // killed because its time was up
  bool stopped = false;    // killed because `stop` was requested
  std::string out, err;
  uint64_t peak_bytes =
      0;  // of memory that it and its children had at a time; at least what this process has
  double milliseconds = 0;  // by the clock on the wall
};

// `words` is the program's path (found in PATH if it has no slash) and its arguments. An error means that it
// could not be started.
Result<ProcessEnd> run_limited(const std::vector<std::string>& words, std::string_view input,
                               const ProcessLimits& limits, std::stop_token stop = {});

struct HeardProgram {
  std::vector<std::string> words;                              // as for run_limited
  std::string folder;                                          // that it runs in; empty: this process's own
  std::vector<std::pair<std::string, std::string>> variables;  // set for it alone
  std::chrono::milliseconds time_to_clean_up{10'000};
};
enum class ProgramStream : uint8_t { out, err };

// Runs another program to its end, without limits. `heard` gets what it writes as it comes, and an empty
// piece some twenty times a second. When `stop` is requested it is asked to end (SIGTERM), so that it can
// clean up, and killed with all that it has started if it does not. It is asked to end too when this process
// is killed.
Result<ProcessEnd> run_heard(const HeardProgram& program,
                             const std::function<void(ProgramStream, std::string_view)>& heard,
                             std::stop_token stop = {});

// The same, but tells each line of its standard output, and keeps what it writes to standard error (1 MiB at
// most).
Result<ProcessEnd> run_told(const std::vector<std::string>& words,
                            const std::function<void(std::string_view)>& line, std::stop_token stop = {});

}  // namespace warplens
