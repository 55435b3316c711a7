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

// A built-in kernel over a grid that fits, with these arguments and sizes in place of its own.
std::shared_ptr<const LaunchRequest> request_for(const std::string& kernel,
                                                 const std::map<std::string, double>& values,
                                                 std::shared_ptr<const Image> image = nullptr);
// A built-in kernel at its usual size, with this picture, and blocks of this shape where it may have them; x
// = 0: its usual ones. Null where it cannot be.
std::shared_ptr<const LaunchRequest> usual_request(const KernelDescription& kernel,
                                                   const std::shared_ptr<const Image>& picture, Dim3 block);
// How a case is run, and who looks.
struct Setting {
  const char* name;
  uint32_t workers;
  Observe observe;
  bool record, caches;
  Sanitize sanitize;
};
// The execution alone, without copies and parsing; negative: it failed, and standard error says why.
double execute_ms(Backend& backend, const LaunchRequest& base, const Setting& setting);
}  // namespace warplens::bench
