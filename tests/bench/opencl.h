// A launch's kernel in OpenCL C on PoCL, which compiles it for this processor: the same work, data and sizes,
// on one core.
#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/launch/launch_request.h"
#include "core/launch/run_result.h"

namespace warplens::bench {

class OpenClRun {
 public:
  virtual ~OpenClRun() = default;
  // The time of the execution only, without copies and compilation. Negative if it failed.
  virtual double seconds() = 0;
};

// Builds `source` and runs it once. The error says what is missing here, or that the outputs differ from
// those of `expected`.
Result<std::unique_ptr<OpenClRun>> make_opencl_run(const std::string& source, const LaunchRequest& request,
                                                   const RunResult& expected);

}  // namespace warplens::bench
