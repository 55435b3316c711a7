#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

// Removes a word from the start of the text if it is there.
bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  const std::string_view rest = text.substr(word.size());
  if (!rest.empty() && rest.front() != ' ' && rest.front() != '(') return false;
  text = trimmed(rest);
  return true;
}

// Removes "(1, 2, 3)" from the start.
std::optional<Dim3> take_position(std::string_view& text) {
  const size_t close = text.find(')');
  if (!text.starts_with('(') || close == text.npos) return std::nullopt;
  const std::optional<Dim3> position = position_in(text.substr(0, close + 1));
  text = trimmed(text.substr(close + 1));
  return position;
}

std::optional<Target> numbered(Target::Kind kind, std::string_view text, uint64_t maximum) {
  const std::optional<uint64_t> number = whole_number_in(text, maximum);
  if (!number) return std::nullopt;
  Target target;
  target.kind = kind;
  target.index = *number;
  return target;
}

std::optional<Target> thread_in(std::string_view text) {
  Target target;
  target.kind = Target::Kind::thread;
  const std::optional<Dim3> thread = take_position(text);
  if (!thread || !take_word(text, "of") || !take_word(text, "block")) return std::nullopt;
  const std::optional<Dim3> block = take_position(text);
  if (!block || !text.empty()) return std::nullopt;
  target.thread = *thread;
  target.block = *block;
  return target;
}

std::optional<Target> warp_in(std::string_view text) {
  const size_t end = std::min(text.find(' '), text.size());
  std::optional<Target> target = numbered(Target::Kind::warp, text.substr(0, end), 31);
  text = trimmed(text.substr(end));
  if (!target || !take_word(text, "of") || !take_word(text, "block")) return std::nullopt;
  const std::optional<Dim3> block = take_position(text);
  if (!block || !text.empty()) return std::nullopt;
  target->block = *block;
  return target;
}

std::optional<Target> element_of(std::string_view text) {
  const size_t open = text.find('[');
  if (open == text.npos || open == 0 || !text.ends_with(']')) return std::nullopt;
  std::optional<Target> target =
      numbered(Target::Kind::element, trimmed(text.substr(open + 1, text.size() - open - 2)), UINT64_MAX);
  if (target) target->array = std::string(trimmed(text.substr(0, open)));
  return target;
}

}  // namespace

std::optional<double> number_in(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<uint64_t> whole_number_in(std::string_view text, uint64_t maximum) {
  text = trimmed(text);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > maximum) return std::nullopt;
  return value;
}

std::optional<Dim3> position_in(std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with('(') || !text.ends_with(')')) return std::nullopt;
  Dim3 position{0, 0, 0};
  uint32_t* axes[] = {&position.x, &position.y, &position.z};
  const std::vector<std::string_view> parts = parts_of(text.substr(1, text.size() - 2), ',');
  if (parts.size() > 3) return std::nullopt;
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::optional<uint64_t> number = whole_number_in(parts[i], UINT32_MAX);
    if (!number) return std::nullopt;
    *axes[i] = static_cast<uint32_t>(*number);
  }
  return position;
}

std::optional<Dim3> dim3_in(std::string_view text) {
  text = trimmed(text);
  Dim3 size;
  uint32_t* axes[] = {&size.x, &size.y, &size.z};
  const bool bracket = text.starts_with('(') && text.ends_with(')');
  const std::vector<std::string_view> parts =
      bracket ? parts_of(text.substr(1, text.size() - 2), ',') : parts_of(text, 'x');
  if (parts.size() > 3) return std::nullopt;
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::optional<uint64_t> number = whole_number_in(parts[i], UINT32_MAX);
    if (!number || *number == 0) return std::nullopt;
    *axes[i] = static_cast<uint32_t>(*number);
  }
  return size;
}

std::optional<std::pair<double, double>> range_in(std::string_view text) {
  const size_t dots = text.find("..");
  if (dots == text.npos) return std::nullopt;
  const std::optional<double> low = number_in(text.substr(0, dots)), high = number_in(text.substr(dots + 2));
  if (!low || !high || *low > *high) return std::nullopt;
  return std::pair{*low, *high};
}

std::optional<Target> target_in(std::string_view text) {
  text = trimmed(text);
  if (text == "nothing") return Target{};
  if (take_word(text, "thread")) return thread_in(text);
  if (take_word(text, "block")) {
    Target target;
    target.kind = Target::Kind::block;
    const std::optional<Dim3> block = take_position(text);
    if (!block || !text.empty()) return std::nullopt;
    target.block = *block;
    return target;
  }
  if (take_word(text, "warp")) return warp_in(text);
  if (take_word(text, "lane")) return numbered(Target::Kind::lane, text, 31);
  if (take_word(text, "bank")) return numbered(Target::Kind::bank, text, 31);
  if (take_word(text, "line")) return numbered(Target::Kind::line, text, UINT32_MAX);
  if (take_word(text, "element")) return numbered(Target::Kind::element, text, UINT64_MAX);
  return element_of(text);
}

std::string text_of(const Target& target) {
  const auto place = [](Dim3 d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); };
  switch (target.kind) {
    case Target::Kind::nothing:
      return "nothing";
    case Target::Kind::thread:
      return fmt::format("thread {} of block {}", place(target.thread), place(target.block));
    case Target::Kind::block:
      return "block " + place(target.block);
    case Target::Kind::warp:
      return fmt::format("warp {} of block {}", target.index, place(target.block));
    case Target::Kind::lane:
      return fmt::format("lane {}", target.index);
    case Target::Kind::bank:
      return fmt::format("bank {}", target.index);
    case Target::Kind::line:
      return fmt::format("line {}", target.index);
    case Target::Kind::element:
      break;
  }
  return target.array.empty() ? fmt::format("element {}", target.index)
                              : fmt::format("{}[{}]", target.array, target.index);
}

std::optional<bool> yes_or_no(std::string_view text) {
  if (text == "yes") return true;
  if (text == "no") return false;
  return std::nullopt;
}

std::optional<Tolerance> tolerance_in(std::string_view text) {
  text = trimmed(text);
  Tolerance tolerance{Tolerance::Kind::absolute, 0};
  if (text.ends_with('%')) {
    tolerance.kind = Tolerance::Kind::percent;
    text = trimmed(text.substr(0, text.size() - 1));
  } else if (take_word(text, "factor")) {
    tolerance.kind = Tolerance::Kind::factor;
  }
  const std::optional<double> value = number_in(text);
  if (!value || *value < (tolerance.kind == Tolerance::Kind::factor ? 1 : 0)) return std::nullopt;
  tolerance.value = *value;
  return tolerance;
}

std::optional<StepPlace> step_place_in(std::string_view text) {
  text = trimmed(text);
  StepPlace place;
  if (text == "barrier") place.kind = StepPlace::Kind::barrier;
  if (text == "divergence") place.kind = StepPlace::Kind::divergence;
  if (text == "conflict") place.kind = StepPlace::Kind::conflict;
  if (text == "end") place.kind = StepPlace::Kind::end;
  if (place.kind != StepPlace::Kind::line) return place;
  if (take_word(text, "position")) {
    place.kind = StepPlace::Kind::position;
  } else if (!take_word(text, "line")) {
    return std::nullopt;
  }
  const size_t end = std::min(text.find(' '), text.size());
  const std::optional<uint64_t> value = whole_number_in(text.substr(0, end), UINT32_MAX);
  if (!value) return std::nullopt;
  place.value = *value;
  text = trimmed(text.substr(end));
  if (text.empty()) return place;
  if (place.kind != StepPlace::Kind::line || !take_word(text, "of") || !take_word(text, "warp"))
    return std::nullopt;
  const std::optional<uint64_t> warp = whole_number_in(text, 31);
  if (!warp) return std::nullopt;
  place.warp = static_cast<uint32_t>(*warp);
  return place;
}

bool is_file_name(std::string_view text) {
  return !text.empty() && text.size() <= 200 && text.front() != '.' && text.find('/') == text.npos &&
         text.find('\\') == text.npos;
}

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= 60 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == text.npos;
}

}  // namespace warplens::lesson
