// Which launches warplens profile takes, by the options of Nsight Compute's command line.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/shared/command.h"
#include "core/base/result.h"

namespace warplens {

// The options as they were typed.
struct LaunchFilterChoices {
  std::string kernel_name, skip, count;
};
std::vector<CliOption> filter_options(LaunchFilterChoices& choices);

// Removes the names of ncu's sets of sections after --set. All that is known is printed anyway.
void leave_out_sets(std::vector<std::string>& settings);

// Called for each launch in turn: of the kernel's launches, some are skipped, and then this many are taken.
class LaunchFilter {
 public:
  // A name that is no regular expression and a count that is none are errors.
  static Result<LaunchFilter> make(const LaunchFilterChoices& choices);
  // `kernel` may have template arguments: fill<float>. Its base name counts.
  bool takes(std::string_view kernel);

 private:
  std::optional<std::regex> m_expression;
  std::string m_name;  // empty: any
  uint64_t m_skip = 0, m_count = std::numeric_limits<uint64_t>::max();
};

}  // namespace warplens
