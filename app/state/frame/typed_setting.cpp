#include "app/state/frame/typed_setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "app/base/language.h"
#include "core/base/figures.h"
#include "core/base/text.h"

namespace warplens {
namespace {

struct Typed {
  bool grid = false;
  std::vector<uint64_t> sizes;  // of x, y and z, as far as they are typed
};

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

void skip_blanks(std::string_view& text) {
  while (take(text, " ")) {
  }
}

// "×", "x", "*" or nothing but a blank between two numbers.
void skip_times(std::string_view& text) {
  skip_blanks(text);
  for (const std::string_view sign : {"×", "x", "*"})
    if (take(text, sign)) break;
  skip_blanks(text);
}

// A whole number, which may have commas between its thousands.
std::optional<uint64_t> take_number(std::string_view& text) {
  std::string digits;
  const auto is_digit = [&](size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  while (is_digit(0) || (take(text, ",") && !digits.empty() && is_digit(0) && is_digit(1) && is_digit(2))) {
    digits += text.front();
    text.remove_prefix(1);
  }
  uint64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// The word for block or grid, in English or as the window says it.
bool take_word(std::string_view& text, std::string_view english) {
  std::string_view rest = text;
  const std::string own = lower_case(shown(english));
  if (!take(rest, lower_case(english)) && !take(rest, own)) return false;
  if (!rest.empty() && rest.front() != ' ' && (rest.front() < '0' || rest.front() > '9')) return false;
  text = rest;
  skip_blanks(text);
  return true;
}

std::optional<Typed> parsed(std::string_view typed) {
  const std::string lower = lower_case(typed);
  std::string_view text = lower;
  skip_blanks(text);
  Typed found;
  found.grid = take_word(text, "Grid");
  const bool named = found.grid || take_word(text, "Block");
  const size_t least = named ? 1 : 2;
  while (!text.empty()) {
    const std::optional<uint64_t> size = take_number(text);
    if (!size || found.sizes.size() == 3) return std::nullopt;
    found.sizes.push_back(*size);
    skip_times(text);
  }
  return found.sizes.size() >= least ? std::optional(found) : std::nullopt;
}

std::string size_words(const std::vector<uint64_t>& sizes) {
  std::string words;
  for (const uint64_t size : sizes) words += (words.empty() ? "" : " × ") + thousands(size);
  return words;
}

// What the axis that is out of its limits may have. Empty if all are within.
std::string beyond(const std::vector<uint64_t>& sizes, Dim3 most) {
  const std::array<uint32_t, 3> limits = {most.x, most.y, most.z};
  for (size_t axis = 0; axis < sizes.size(); ++axis)
    if (sizes[axis] < 1 || sizes[axis] > limits[axis])
      return fmt::format("{} is from 1 to {} on this device", "xyz"[axis], thousands(limits[axis]));
  return "";
}

Dim3 extent_of(const std::vector<uint64_t>& sizes) {
  Dim3 extent{1, 1, 1};
  const std::array<uint32_t*, 3> axes = {&extent.x, &extent.y, &extent.z};
  for (size_t axis = 0; axis < sizes.size(); ++axis)
    *axes[axis] = static_cast<uint32_t>(std::min<uint64_t>(sizes[axis], UINT32_MAX));
  return extent;
}

}  // namespace

std::optional<Command> typed_setting(const AppState& state, std::string_view typed) {
  const std::optional<Typed> found = parsed(typed);
  if (!found || state.setup.kernel == nullptr) return std::nullopt;
  const DeviceLimits& limits = state.setup.device.limits;
  const Dim3 extent = extent_of(found->sizes);
  Command command{Menu::none, "", {}, found->grid ? Action(SetGrid{extent}) : Action(SetBlock{extent})};
  const std::string what = fmt::format("{} {}", found->grid ? "Grid" : "Block", size_words(found->sizes));
  std::string why = beyond(found->sizes, found->grid ? limits.max_grid : limits.max_block);
  if (why.empty()) why = why_not_allowed(state, command.action);
  command.enabled = why.empty();
  if (!why.empty())
    command.title = what + " · " + why;
  else if (found->grid)
    command.title = fmt::format("{} · {} blocks", what, thousands(extent.count()));
  else
    command.title = fmt::format("{} · {} threads of at most {}", what, thousands(extent.count()),
                                thousands(limits.max_threads_per_block));
  return command;
}

}  // namespace warplens
