// The shown lane: where it is, how its index came about, and what it has read and written so far.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <vector>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/step/picture_sections.h"
#include "core/base/text.h"
#include "core/base/text_line.h"
#include "core/launch/footprint.h"

namespace warplens {
namespace {

constexpr size_t most_accesses = 12;

std::string access_text(const StepSnapshot& shown, const stepping::LoggedAccess& access, uint32_t lane) {
  return fmt::format("{} {} = {}", verb_of(access.kind),
                     stepping::place_text(shown.named, access.space, access.address[lane], access.bytes),
                     stepping::value_text(shown.named, access, lane));
}

// "in[i]", if the line names the array once; a second one would be ambiguous.
std::string expression_on(std::string_view line, const std::string& array) {
  line = line.substr(0, line.find("//"));
  std::string found;
  for (size_t at = line.find(array); at != line.npos; at = line.find(array, at + 1)) {
    size_t end = at + array.size();
    if ((at > 0 && is_in_name(line[at - 1])) || end >= line.size() || line[end] != '[') continue;
    if (!found.empty()) return {};
    while (end < line.size() && line[end] == '[') {
      int depth = 0;
      do {
        depth += line[end] == '[' ? 1 : line[end] == ']' ? -1 : 0;
        ++end;
      } while (end < line.size() && depth > 0);
      if (depth != 0) return {};
    }
    found = line.substr(at, end - at);
  }
  return found;
}

StepValue value_of_access(const StepViewInput& input, const stepping::LoggedAccess& access) {
  const StepSnapshot& shown = *input.shown;
  const auto first = static_cast<uint32_t>(std::countr_zero(access.lanes));
  const stepping::NamedArray* array = stepping::array_at(shown.named, access.space, access.address[first]);
  StepValue value;
  const std::string name = array == nullptr || array->name.empty() ? "memory" : array->name;
  const std::string expression =
      access.line == 0 ? "" : expression_on(line_of(input.source, access.line), name);
  value.name = expression.empty() ? name : expression;
  value.type = verb_of(access.kind);
  value.set = access.lanes & access.known;
  // A load shows what was there already.
  if (access.kind != AccessKind::load) value.changed = value.set;
  bool equal = true;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if ((value.set >> lane & 1) == 0) continue;
    value.lanes[lane] = stepping::value_text(shown.named, access, lane);
    equal = equal && value.lanes[lane] == value.lanes[first];
  }
  if (equal && value.set == 0xffffffff) value.folded = value.lanes[first] + " in all lanes";
  return value;
}

std::string state_words(const StepViewInput& input) {
  const StepSnapshot& shown = *input.shown;
  const stepping::WarpView& warp = shown.warps[shown.warp];
  if ((warp.live >> input.lane & 1) == 0) return "It has finished, or there is no such thread.";
  const std::vector<std::string> words = words_of_paths(shown);
  for (size_t i = 0; i < warp.paths.size(); ++i) {
    const stepping::PathView& path = warp.paths[i];
    if ((path.lanes >> input.lane & 1) == 0) continue;
    const std::string line = path.at.line != 0 ? fmt::format("line {}", path.at.line)
                                               : fmt::format("PTX line {}", path.at.ptx_line);
    if (warp.state == exec::WarpState::fault) return "stopped at " + line + ": fault";
    if (path.wait == stepping::Wait::barrier) return words_of_warp(shown, shown.warp);
    if (path.wait != stepping::Wait::none)
      return fmt::format("waits at {} for {}", line, lanes_words(path.waits_for));
    return fmt::format("{} is {}", line, path.runs_next ? "next" : "later: another path runs first");
  }
  return "";
}

float draw_formula(Picture& picture, const Style& style, Box box, const StepViewInput& input) {
  if (input.formula.empty()) return box.y;
  const Palette& p = style.palette;
  float y = draw_heading(picture, style, {box.x, box.y}, "HOW ITS INDEX CAME ABOUT");
  for (const FormulaLine& line : input.formula) {
    y = draw_paragraph(picture, style, {box.x, y}, line.line, Font::mono, style.small(), solid(p.text),
                       box.width);
    if (line.value)
      y = draw_paragraph(picture, style, {box.x + style.px(12), y},
                         fmt::format("= {} = {}", line.with_numbers, *line.value), Font::mono, style.small(),
                         solid(p.accent), box.width - style.px(12));
  }
  return y + style.px(8);
}

float draw_done(Picture& picture, const Style& style, Box box, const StepViewInput& input) {
  const StepSnapshot& shown = *input.shown;
  const Palette& p = style.palette;
  float y = draw_heading(picture, style, {box.x, box.y}, "WHAT IT HAS DONE");
  const auto say = [&](std::string_view words) {
    return draw_paragraph(picture, style, {box.x, y}, words, Font::words, style.small(), solid(p.quiet),
                          box.width);
  };
  if (!shown.log) return say("Collecting its accesses…") + style.px(8);
  std::vector<const stepping::LoggedAccess*> done;
  for (const stepping::LoggedAccess& access : shown.log->accesses)
    if (access.position <= shown.position && (access.lanes >> input.lane & 1) != 0) done.push_back(&access);
  if (shown.log->covered < shown.position) y = say("Only its first accesses are listed: it makes very many.");
  if (done.empty()) return say("It has touched neither global nor shared memory.") + style.px(8);
  const size_t from = done.size() > most_accesses ? done.size() - most_accesses : 0;
  if (from > 0) y = say(fmt::format("and {} before these", with_separators(from)));
  const float number = style.width("9999", Font::mono, style.small()) + style.px(6), row = style.px(20);
  for (size_t i = from; i < done.size(); ++i, y += row) {
    const stepping::LoggedAccess& access = *done[i];
    const bool now = i + 1 == done.size();
    const std::string words = access_text(shown, access, input.lane);
    picture.text({box.x + number - style.px(8), y + row / 2},
                 access.line != 0 ? std::to_string(access.line) : "–", Font::mono, style.small(),
                 solid(p.quiet), AlignX::right, AlignY::middle);
    picture.text({box.x + number, y + row / 2},
                 shortened(style, words, Font::mono, style.small(), box.width - number), Font::mono,
                 style.small(), solid(now ? p.accent : p.text), AlignX::left, AlignY::middle);
    picture.area({box.x, y, box.width, row},
                 input.interactive ? Click(StepVerb::at, access.position) : Click(),
                 words + fmt::format("\nClick: go to position {}", with_separators(access.position)));
  }
  return y + style.px(8);
}

}  // namespace

std::string words_of_access(const StepSnapshot& shown, uint32_t line, uint32_t lane) {
  constexpr size_t most = 4;
  std::vector<std::string> words;
  for (const stepping::LoggedAccess& access : shown.touched)
    if (access.warp == shown.warp && access.line == line && (access.lanes >> lane & 1) != 0)
      words.push_back(access_text(shown, access, lane));
  std::string text;
  for (size_t i = words.size() > most ? words.size() - most : 0; i < words.size(); ++i)
    text += (text.empty() ? "" : ", ") + words[i];
  return text;
}

std::vector<StepValue> accessed_values(const StepViewInput& input) {
  constexpr size_t most = 3;
  std::vector<StepValue> values;
  const auto& touched = input.shown->touched;
  for (auto access = touched.rbegin(); access != touched.rend() && values.size() < most; ++access)
    if (access->warp == input.shown->warp) values.insert(values.begin(), value_of_access(input, *access));
  return values;
}

float draw_step_thread(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout&) {
  const StepSnapshot& shown = *input.shown;
  const Palette& p = style.palette;
  const uint64_t index = uint64_t{shown.warp} * warp_lanes + input.lane;
  const bool there = index < input.threads.count();
  float y = draw_heading(picture, style, {box.x, box.y},
                         there ? fmt::format("THREAD {}", position_text(position_at(index, input.threads)))
                               : fmt::format("LANE {}", input.lane));
  for (const std::string& line : {fmt::format("block {}", position_text(input.block)),
                                  fmt::format("warp {}, lane {}", shown.warp, input.lane)})
    y = draw_paragraph(picture, style, {box.x, y}, line, Font::mono, style.small(), solid(p.text), box.width);
  if (!there)
    return draw_paragraph(picture, style, {box.x, y}, "The block has no thread in this lane.", Font::words,
                          style.small(), solid(p.quiet), box.width) +
           style.px(8);
  y = draw_paragraph(picture, style, {box.x, y}, state_words(input), Font::words, style.small(),
                     solid(p.text), box.width) +
      style.px(8);
  y = draw_formula(picture, style, {box.x, y, box.width, 0}, input);
  y = draw_done(picture, style, {box.x, y, box.width, 0}, input);
  if (!input.interactive || !input.target) return y;
  // Named unlike the buttons above, which do the same.
  const auto click = [](StepMoveKind kind) {
    const auto number = static_cast<uint64_t>(kind);
    return Click(StepVerb::move, number, fmt::format("{}:of", number));
  };
  return draw_chips(picture, style, {box.x, y, box.width, 0},
                    {{"who wrote " + input.target->name + "?",
                      click(StepMoveKind::who_wrote),
                      "Back to the write that made its value (U)",
                      false,
                      {}},
                     {"next write to " + input.target->name,
                      click(StepMoveKind::next_write),
                      "On to where it is written next (N)",
                      false,
                      {}}}) +
         style.px(8);
}

}  // namespace warplens
