// Runs another program to its end, with limits of time, memory and output. It cannot harm this process: at
// worst it is killed, with all processes that it has started.
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
  std::chrono::milliseconds time{60'000};      // wall-clock time
  uint64_t address_bytes = 0;                  // of address space; 0 for no limit
  uint64_t output_bytes = uint64_t{16} << 20;  // of stdout, and of stderr; the rest is dropped
  uint64_t file_bytes = uint64_t{64} << 20;    // of a file that it writes
  // Run it as this user, without a network, in a folder of its own and only with those environment variables
  // that name places of CUDA and WarpLens. Only one program at a time, since the end of one ends them all.
  std::optional<OtherUser> user = {};
};

struct ProcessEnd {
  int status = 0;          // exit status; 128 + signal if it was killed; -1 if it is not known
  int signal = 0;          // 0 if it ended by itself
  bool timed_out = false;  // killed because its time was up
  bool stopped = false;    // killed because `stop` was requested
  std::string out, err;
  uint64_t peak_bytes = 0;  // peak memory of it and its children; at least what this process has
  double milliseconds = 0;  // wall-clock time
};

// `words` is the program's path (found in PATH if it has no slash) and its arguments. An error means that it
// could not be started.
Result<ProcessEnd> run_limited(const std::vector<std::string>& words, std::string_view input,
                               const ProcessLimits& limits, std::stop_token stop = {});

struct HeardProgram {
  std::vector<std::string> words;  // as for run_limited
  std::string folder = {};         // its working folder; empty for this process's
  std::vector<std::pair<std::string, std::string>> variables = {};  // set only for it
  std::chrono::milliseconds time_to_clean_up{10'000};
};
enum class ProgramStream : uint8_t { out, err };

// Runs another program to its end, without limits. `heard` gets its output as it is written, and an empty
// piece about twenty times a second. When `stop` is requested, it gets SIGTERM, so that it can clean up; if
// it does not end, it is killed with all processes that it has started. It also gets SIGTERM when this
// process is killed.
Result<ProcessEnd> run_heard(const HeardProgram& program,
                             const std::function<void(ProgramStream, std::string_view)>& heard,
                             std::stop_token stop = {});

// Like run_heard, but calls back with each line of its standard output, and keeps its standard error (at most
// 1 MiB).
Result<ProcessEnd> run_told(const HeardProgram& program, const std::function<void(std::string_view)>& line,
                            std::stop_token stop = {});

}  // namespace warplens
