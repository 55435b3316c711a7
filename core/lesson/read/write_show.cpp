#include "core/lesson/read/write_show.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/text_line.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

constexpr std::array<std::string_view, 5> kept_keys = {"hide", "change", "warnings", "baseline", "keep"};

std::string extent_words(Dim3 extent) {
  if (extent.z != 1) return fmt::format("({}, {}, {})", extent.x, extent.y, extent.z);
  return extent.y != 1 ? fmt::format("{}x{}", extent.x, extent.y) : fmt::format("{}", extent.x);
}

std::string place_words(const StepPlace& place) {
  switch (place.kind) {
    case StepPlace::Kind::line:
      return place.warp ? fmt::format("line {} of warp {}", place.value, *place.warp)
                        : fmt::format("line {}", place.value);
    case StepPlace::Kind::position:
      return fmt::format("position {}", place.value);
    case StepPlace::Kind::barrier:
      return "barrier";
    case StepPlace::Kind::divergence:
      return "divergence";
    case StepPlace::Kind::conflict:
      return "conflict";
    case StepPlace::Kind::end:
      return "end";
  }
  return "end";
}

bool begins_step(std::string_view line) { return line.starts_with("## "); }
bool is_fence(std::string_view line) { return line.starts_with("```"); }

// The first line of the step that contains a line, and the line after its last: [first, last).
struct Range {
  size_t first = 0, last = 0;
};

std::optional<Range> step_of(const std::vector<std::string_view>& lines, size_t line) {
  bool fenced = false;
  std::optional<Range> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (is_fence(lines[i])) fenced = !fenced;
    if (fenced || !begins_step(lines[i])) continue;
    if (found && i > line) return Range{found->first, i};
    found = Range{i, lines.size()};
  }
  return found;
}

// Keeps the lines of the old block that are not a state, including continued lines.
void keep_what_is_no_state(const std::vector<std::string_view>& lines, Range block, std::string& into) {
  bool keeps = false;
  for (size_t i = block.first; i < block.last; ++i) {
    const std::string_view line = lines[i];
    if (!line.starts_with("  "))
      keeps = line.starts_with('#') || std::ranges::any_of(kept_keys, [&](std::string_view key) {
                return line.starts_with(key) && line.substr(key.size()).starts_with(':');
              });
    if (keeps) into += std::string(line) + "\n";
  }
}

// The lines between the fences of the step's show block. Empty if it has none.
std::optional<Range> show_block(const std::vector<std::string_view>& lines, Range step) {
  for (size_t i = step.first; i < step.last; ++i) {
    if (!is_fence(lines[i])) continue;
    size_t end = i + 1;
    while (end < step.last && !is_fence(lines[end])) ++end;
    if (lines[i].starts_with("```show")) return Range{i + 1, end};
    i = end;
  }
  return std::nullopt;
}

}  // namespace

std::string show_lines(const Show& show) {
  std::string text;
  const auto line = [&](std::string_view key, const auto& value) {
    text += fmt::format("{}: {}\n", key, value);
  };
  const auto word = [&](std::string_view key, const std::optional<std::string>& value) {
    if (value) line(key, *value);
  };
  word("kernel", show.kernel);
  word("code", show.code);
  word("entry", show.entry);
  std::string values;
  for (const auto& [name, value] : show.values)
    values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name, value);
  if (!values.empty()) line("values", values);
  if (show.block) line("block", extent_words(*show.block));
  if (show.grid)
    line("grid", extent_words(*show.grid));
  else if (show.fit_grid && *show.fit_grid)
    line("grid", "fit");
  if (show.shared_bytes) line("shared", *show.shared_bytes);
  if (show.seed) line("seed", *show.seed);
  if (show.order) line("order", *show.order);
  word("image", show.image);
  word("device", show.device);
  word("view", show.view);
  word("part", show.part);
  if (show.pins) {
    if (show.pins->empty()) line("pin", "nothing");
    for (const Target& target : *show.pins) line("pin", text_of(target));
  }
  if (show.step) line("step", place_words(*show.step));
  if (show.lane) line("lane", *show.lane);
  if (show.text_percent) line("text", *show.text_percent);
  return text;
}

Result<std::string> with_recorded_show(std::string_view lesson, uint32_t line, const Show& show) {
  const std::vector<std::string_view> lines = lines_of_text(lesson);
  const std::optional<Range> step = step_of(lines, line == 0 ? 0 : line - 1);
  if (!step)
    return bad_input("There is no step to record this state in: begin one with a line ## Title {#id}.");
  const std::optional<Range> block = show_block(lines, *step);
  // A new block is placed after the text, before the first heading or block of the step.
  size_t place = step->first + 1;
  if (!block)
    while (place < step->last && !is_fence(lines[place]) && !lines[place].starts_with("### ")) ++place;
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (block && i == block->first) {
      text += show_lines(show);
      keep_what_is_no_state(lines, *block, text);
    }
    if (block && i >= block->first && i < block->last) continue;
    if (!block && i == place) text += "```show\n" + show_lines(show) + "```\n\n";
    text += std::string(lines[i]) + "\n";
  }
  if (block && block->first == lines.size()) text += show_lines(show);
  if (block && block->last == lines.size()) text += "```\n";  // its fence was not closed yet
  if (!block && place == lines.size()) {
    if (!text.ends_with("\n\n")) text += "\n";
    text += "```show\n" + show_lines(show) + "```\n";
  }
  return text;
}

std::optional<size_t> step_at_line(const Lesson& lesson, uint32_t line) {
  if (lesson.steps.empty()) return std::nullopt;
  size_t at = 0;
  for (size_t i = 0; i < lesson.steps.size(); ++i)
    if (lesson.steps[i].line <= line) at = i;
  return at;
}

uint32_t first_changed_line(std::string_view before, std::string_view after) {
  if (before == after) return 0;
  const size_t common = std::min(before.size(), after.size());
  size_t at = 0;
  while (at < common && before[at] == after[at]) ++at;
  return 1 +
         static_cast<uint32_t>(std::count(after.begin(), after.begin() + static_cast<ptrdiff_t>(at), '\n'));
}

}  // namespace warplens::lesson
