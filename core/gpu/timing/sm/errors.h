// How far the model of an SM is from the profiler, where the two were compared: assets/timing/sm_errors.json,
// which tests/data/truth/sm_page.py writes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warplens::sm {

struct Errors {
  std::string device;                // "NVIDIA H200"; nothing was compared on others
  uint32_t launches = 0;             // of one full wave at least
  uint32_t largest_stall_equal = 0;  // launches whose largest stall is the profiler's
  // Relative, in the median of the launches.
  double cycles = 0;
  std::map<std::string, double, std::less<>> metrics;  // by the profiler's name

  std::optional<double> of_metric(std::string_view name) const;  // empty if the model does not make it
};

Result<Errors> parse_errors(std::string_view json, std::string_view file);
// The built-in ones.
const Errors& measured_errors();

}  // namespace warplens::sm
