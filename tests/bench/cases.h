// The kernels whose time is compared with scalar loops.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/image/image.h"
#include "core/launch/launch_request.h"

namespace warplens::bench {

struct Case {
  std::string name;
  std::shared_ptr<const LaunchRequest> request;
  std::function<void()> scalar;  // the same work
  std::string opencl = {};       // the kernel in OpenCL C
};

std::vector<Case> all_cases();

// A built-in kernel over a grid that fits, with these arguments and sizes in place of its own.
std::shared_ptr<const LaunchRequest> request_for(const std::string& kernel,
                                                 const std::map<std::string, double>& values,
                                                 std::shared_ptr<const Image> image = nullptr);
// What a run writes is there before it starts: the first one to write to a page that the system hands out
// lazily pays for it, and that is a cost of the allocation.
void touch_what_is_cleared(std::vector<Step>& steps);

}  // namespace warplens::bench
