// Which launches warplens profile takes, by the options of Nsight Compute's command line.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"
#include "core/base/result.h"

namespace warplens {

// As they were typed.
struct LaunchFilterChoices {
  std::string kernel_name, skip, count;
};
std::vector<CliOption> filter_options(LaunchFilterChoices& choices);

// Of what stands behind --set: the names of ncu's sets of sections. All that is known is printed anyway.
void leave_out_sets(std::vector<std::string>& settings);

// Asked for each launch in turn: of those of the kernel, some are skipped, and so many are taken.
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
