// Runs a program of the user's in a process of its own, on a virtual GPU or a real one, and records what it
// does with the device.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/user_program/output_tail.h"
#include "core/base/result.h"
#include "core/device/device.h"
#include "core/recording/recording.h"

namespace warplens::program_run {

struct RecordedRun {
  std::string path;  // of a script or a program (program_file.h), absolute; it runs in its own folder
  // The text of a program in CUDA C++ that is in no file of the user's (given_program.h): only the name of
  // the path counts then.
  std::optional<std::string> text = {};
  std::vector<std::string> arguments;
  Device device;                  // virtual, or a real GPU of this machine
  bool looks_for_all = false;     // also races and uninitialised reads; on a virtual device
  bool variables = false;         // a file in CUDA C++ is compiled for the debugger
  std::string stream_order = {};  // Choices::stream_order; on a virtual device
  std::string launches = {};  // which can be run again (Choices::launches); empty: the first of each kernel
};

struct RunSoFar {
  double seconds = 0;     // by the clock on the wall
  uint64_t launches = 0;  // that its processes have noted
  OutputTail output;      // of stdout and stderr, as they come
  std::string printed;    // stdout from its beginning, at most lesson::most_printed_bytes
  bool prints_more = false;
  bool compiling = false;
};

struct RecordedEnd {
  int status = 0;  // exit status; 128 + signal if one ended it
  int signal = 0;
  bool stopped = false;
  bool compiles = true;
  RunSoFar so_far;
  std::optional<recording::Recording> recording;  // empty: it has not asked for the device
  std::string not_recorded;                       // why there is no recording though it has
};

// `told` is called on this thread while it runs, some ten times a second. When `stop` is requested the
// program is asked to end (SIGTERM) and killed with all that it has started if it does not; what it did until
// then is recorded. Its input is empty. An error says why it could not be started.
Result<RecordedEnd> run_recorded(const RecordedRun& run, const std::function<void(const RunSoFar&)>& told,
                                 std::stop_token stop = {});

}  // namespace warplens::program_run
