// The kernels whose time is compared with scalar loops.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/image/image.h"
#include "core/kernels/catalogue.h"
#include "core/launch/backend.h"
#include "core/launch/launch_request.h"

namespace warplens::bench {

struct Case {
  std::string name;
  std::shared_ptr<const LaunchRequest> request;
  std::function<void()> scalar;  // the same work
  std::string opencl = {};       // the kernel in OpenCL C
};

std::vector<Case> all_cases();

// A built-in kernel over a grid that fits, with these arguments and sizes instead of its own.
std::shared_ptr<const LaunchRequest> request_for(const std::string& kernel,
                                                 const std::map<std::string, double>& values,
                                                 std::shared_ptr<const Image> image = nullptr);
// A built-in kernel at its usual size, with this picture, and blocks of this shape if it supports them. x = 0
// means its usual blocks. Null if the kernel cannot run in this way.
std::shared_ptr<const LaunchRequest> usual_request(const KernelDescription& kernel,
                                                   const std::shared_ptr<const Image>& picture, Dim3 block);
// How a case is run, and which observers are attached.
struct Setting {
  const char* name;
  uint32_t workers;
  Observe observe;
  bool record, caches;
  Sanitize sanitize;
};
// The time of the execution only, without copies and parsing. Negative if it failed; standard error says why.
double execute_ms(Backend& backend, const LaunchRequest& base, const Setting& setting);
}  // namespace warplens::bench
