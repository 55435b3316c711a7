// What is debugged: a list of launches, each of which can be opened. The command line makes it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/dim3.h"
#include "core/base/result.h"
#include "core/job/run_job.h"
#include "core/launch/backend.h"

namespace warplens::dap {

// The settings of a launch, as an editor's configuration has them. Texts are those of the options of
// `warplens run`; empty ones are not given.
struct LaunchSettings {
  std::string program;  // a kernel's name, or a file
  std::vector<std::string> args;
  std::string challenge;  // `program` is an answer to it, and gets its data; empty for none
  std::string device, grid, block, shared, entry, image, data_seed, compiler, recorded;
  std::vector<std::string> set;  // "n=1000"
  uint64_t seed = 0;             // of the order of warps and paths
  uint64_t launch = 0;           // where it begins
  std::string focus;             // "X[,Y[,Z]]": the block in which it begins
  bool stop_on_entry = false;
  bool earlier_blocks = false;  // run the blocks before the one in focus first
  bool optimized = false;       // step the code that runs, without names of variables
};

struct TargetLaunch {
  std::string title;  // "vector_add, 4 blocks of 256 threads"
  Dim3 grid, block;
  uint32_t number = 0;  // of the launches of the job's request
  // Not called before the launch is reached.
  std::function<Result<Job>(std::stop_token)> open;
};

struct DebugTarget {
  std::string name;
  std::string source_path;  // the file of the kernels' source that an editor can open; empty if there is none
  std::string folder;  // of the file that is debugged: what the PTX names may be there; empty if it is none
  std::vector<TargetLaunch> launches;
  std::string printed;             // by a program while it was recorded
  std::vector<std::string> notes;  // sentences for the user
  std::function<std::unique_ptr<Backend>()>
      make_backend;  // runs a whole launch, to know what goes wrong in it
};

using OpenTarget = std::function<Result<DebugTarget>(const LaunchSettings&, std::stop_token)>;

}  // namespace warplens::dap
