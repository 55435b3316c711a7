#include "app/cli/measure/sweep_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/shared/values.h"

namespace warplens {
namespace {

constexpr size_t most_points = 1000;
constexpr uint64_t largest_size = uint64_t{1} << 32;

Result<std::vector<std::string>> parts_of(std::string_view option, const std::string& text) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(',', start), text.size());
    parts.push_back(text.substr(start, end - start));
    if (parts.back().empty())
      return bad_input(fmt::format("{} {}: there is nothing between two commas", option, text));
    start = end + 1;
  }
  if (parts.size() > most_points)
    return bad_input(fmt::format("{}: at most {} are tried at once", option, most_points));
  return parts;
}

}  // namespace

Result<std::vector<Dim3>> parse_blocks(std::string_view option, const std::string& text) {
  const auto parts = parts_of(option, text);
  if (!parts) return parts.error();
  std::vector<Dim3> blocks;
  for (const std::string& part : *parts) {
    const Result<Dim3> block = parse_extent(option, part);
    if (!block) return block.error();
    blocks.push_back(*block);
  }
  return blocks;
}

Result<std::vector<uint64_t>> parse_sizes(std::string_view option, const std::string& text) {
  const auto parts = parts_of(option, text);
  if (!parts) return parts.error();
  std::vector<uint64_t> sizes;
  for (const std::string& part : *parts) {
    const Result<uint64_t> size = parse_count(option, part, 1, largest_size);
    if (!size) return size.error();
    sizes.push_back(*size);
  }
  return sizes;
}

}  // namespace warplens
