// Launch files (docs/launch-file.md): everything that one run needs, in a JSON file next to its raw buffers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/job/run_job.h"
#include "core/launch/launch_request.h"

namespace warplens {

// The limit for all buffers of a launch file together.
constexpr uint64_t max_launch_file_bytes = uint64_t{2} << 30;

struct LaunchFile {
  // The request without device and options. The module is complete for "ptx", has only its source for
  // "source", and is null for "kernel". If a launch gives no "entry", its entry is empty.
  LaunchRequest request;
  std::string kernel;  // from "kernel": a name in the catalogue
  std::vector<Expectation> expectations;
  std::vector<std::string> warnings;  // unknown keys
};

// Errors name the file and the place in it: "launch.json: buffers[1].bytes: must not be negative, and is -4".
Result<LaunchFile> read_launch_file(const std::string& path);
// Relative paths start from `folder`. Messages call the text by `name`.
Result<LaunchFile> parse_launch_file(std::string_view text, const std::string& name,
                                     const std::string& folder);

}  // namespace warplens
