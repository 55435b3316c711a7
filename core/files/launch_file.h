// Launch files (docs/launch-file.md): everything that one run needs, in one JSON file beside its raw buffers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/job/run_job.h"
#include "core/launch/launch_request.h"

namespace warplens {

// All buffers of a launch file together.
constexpr uint64_t max_launch_file_bytes = uint64_t{2} << 30;

struct LaunchFile {
  // Without device and options. The module is there for "ptx", has only its source for "source", and is null
  // for "kernel". A launch without "entry" has an empty one.
  LaunchRequest request;
  std::string kernel;  // "kernel": a name of the catalogue
  std::vector<Expectation> expectations;
  std::vector<std::string> warnings;  // unknown keys
};

// Errors name the file and the place in it: "launch.json: buffers[1].bytes: must not be negative, and is -4".
Result<LaunchFile> read_launch_file(const std::string& path);
// `folder` is what relative paths start from; `name` names the text in messages.
Result<LaunchFile> parse_launch_file(std::string_view text, const std::string& name,
                                     const std::string& folder);

}  // namespace warplens
