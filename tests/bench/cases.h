// The kernels whose time is compared with scalar loops.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/launch/launch_request.h"

namespace warplens::bench {

struct Case {
  std::string name;
  std::shared_ptr<const LaunchRequest> request;
  std::function<void()> scalar;  // the same work
  std::string opencl = {};       // the kernel in OpenCL C
};

std::vector<Case> all_cases();

}  // namespace warplens::bench
