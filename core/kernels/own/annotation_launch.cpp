// Reads the annotation of the grid and the block.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/kernels/own/annotation_text.h"

namespace warplens {

namespace {

std::vector<TextSpan> axes_of(const TextSpan& value) {
  if (value.text.starts_with('(') && closing(value.text, 0) == value.text.size() - 1)
    return split(value.part(1, value.text.size() - 2));
  return {value};
}

}  // namespace

void read_axes(Reading& reading, const TextSpan& value, std::array<PlacedText, 3>& axes) {
  const std::vector<TextSpan> parts = axes_of(value);
  const bool twice = !reading.into.grid[0].empty() || !reading.into.threads[0].empty();
  if (twice) return reading.fail(value.place(), "the grid is given already: write grid= or threads=, once");
  if (parts.size() > 3 || std::ranges::any_of(parts, [](const TextSpan& part) { return part.text.empty(); }))
    return reading.fail(
        value.place(), "write one expression, or up to three in brackets: (ceil(width/16), ceil(height/16))");
  for (size_t i = 0; i < parts.size(); ++i) axes[i] = {std::string(parts[i].text), parts[i].place()};
}

// 256, 16x16, (16, 16).
void read_block(Reading& reading, const TextSpan& value) {
  std::vector<std::string_view> parts;
  for (const TextSpan& axis : axes_of(value)) {
    std::string_view text = axis.text;
    for (size_t x = text.find_first_of("xX"); x != std::string_view::npos; x = text.find_first_of("xX")) {
      parts.push_back(text.substr(0, x));
      text.remove_prefix(x + 1);
    }
    parts.push_back(text);
  }
  std::array<uint32_t, 3> axes{1, 1, 1};
  bool good = parts.size() <= 3 && !reading.into.block;
  for (size_t i = 0; i < parts.size() && good; ++i) {
    const std::optional<double> number = number_of(parts[i]);
    good = number && *number >= 1 && *number <= 4294967295.0 && *number == std::floor(*number);
    if (good) axes[i] = static_cast<uint32_t>(*number);
  }
  if (!good)
    return reading.fail(
        value.place(),
        reading.into.block
            ? std::string("the block is given already: write it once")
            : fmt::format(
                  "\"{}\" is no block: write its threads as whole numbers, as in 256, 16x16 or (8, 8, 4)",
                  value.text));
  reading.into.block = Dim3{axes[0], axes[1], axes[2]};
}

}  // namespace warplens
