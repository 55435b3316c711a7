#include "app/cli/measure/profile_filter.h"

#include <fmt/format.h>

#include "app/cli/shared/values.h"

namespace warplens {

std::vector<CliOption> filter_options(LaunchFilterChoices& choices) {
  return {
      {"-k,--kernel-name", &choices.kernel_name,
       "Only launches of this kernel, or regex:EXPRESSION, as with ncu", "NAME"},
      {"-s,--launch-skip", &choices.skip, "Of these, leave out the first N", "N"},
      {"-c,--launch-count", &choices.count, "Of the rest, profile N", "N"},
  };
}

void leave_out_sets(std::vector<std::string>& settings) {
  std::erase_if(settings, [](const std::string& word) {
    return word == "basic" || word == "detailed" || word == "full" || word == "roofline";
  });
}

Result<LaunchFilter> LaunchFilter::make(const LaunchFilterChoices& choices) {
  LaunchFilter filter;
  constexpr std::string_view regex_form = "regex:";
  if (choices.kernel_name.starts_with(regex_form)) {
    try {
      filter.m_expression.emplace(choices.kernel_name.substr(regex_form.size()), std::regex::ECMAScript);
    } catch (const std::regex_error& error) {
      return bad_input(fmt::format("--kernel-name {}: this is no regular expression: {}", choices.kernel_name,
                                   error.what()));
    }
  } else {
    filter.m_name = choices.kernel_name;
  }
  if (!choices.skip.empty()) {
    const Result<uint64_t> skip = parse_count("--launch-skip", choices.skip, 0, UINT64_MAX);
    if (!skip) return skip.error();
    filter.m_skip = *skip;
  }
  if (!choices.count.empty()) {
    const Result<uint64_t> count = parse_count("--launch-count", choices.count, 1, UINT64_MAX);
    if (!count) return count.error();
    filter.m_count = *count;
  }
  return filter;
}

bool LaunchFilter::takes(std::string_view kernel) {
  const std::string base(kernel.substr(0, kernel.find_first_of("<(")));
  if (!m_name.empty() && base != m_name) return false;
  if (m_expression && !std::regex_search(base, *m_expression)) return false;
  if (m_skip > 0) {
    --m_skip;
    return false;
  }
  if (m_count == 0) return false;
  --m_count;
  return true;
}

}  // namespace warplens
