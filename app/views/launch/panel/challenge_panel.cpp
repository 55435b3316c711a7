#include "app/views/launch/panel/challenge_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/format.h"
#include "app/state/code/offered_code.h"
#include "app/state/parts/course.h"
#include "app/state/parts/judged_answer.h"
#include "app/views/launch/panel/changes_panel.h"
#include "app/widgets/markdown.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "core/lesson/judge/judge_report.h"

namespace warplens {
namespace {

using lesson::Judged;
using lesson::Specification;

// ---- the drawn specification

constexpr uint64_t most_cells = 256;  // of an array that are drawn

struct DrawnCells {
  ImVec2 at;  // of the first cell
  float size = 0;
  uint64_t columns = 1, count = 0;
  ImVec2 centre(uint64_t index) const {
    const uint64_t row = index / columns, column = index % columns;
    return {at.x + (float(column) + 0.5f) * size, at.y + (float(row) + 0.5f) * size};
  }
};

// As many digits as there is room for.
std::string cell_words(double value, float room) {
  std::string words;
  for (const int digits : {6, 4, 3, 2, 1}) {
    words = fmt::format("{:.{}g}", value, digits);
    if (size_of_words(words).x <= room) break;
  }
  return words;
}

bool is_lit(const Specification& spec, const std::optional<SpecifiedCell>& hovered, bool output, size_t array,
            uint64_t index) {
  if (!hovered) return false;
  if (hovered->output == output && hovered->array == array && hovered->index == index) return true;
  return std::ranges::any_of(spec.arrows, [&](const Specification::Arrow& arrow) {
    if (output == hovered->output) return false;
    return output ? arrow.from_array == hovered->array && arrow.from == hovered->index &&
                        arrow.to_array == array && arrow.to == index
                  : arrow.to_array == hovered->array && arrow.to == hovered->index &&
                        arrow.from_array == array && arrow.from == index;
  });
}

DrawnCells draw_cells(const Specification& spec, const Specification::Array& array, bool output,
                      size_t number, const std::optional<SpecifiedCell>& lit,
                      std::optional<SpecifiedCell>& now) {
  const Palette& p = look().palette;
  small_text(array.name + (output ? " · output" : " · input"));
  DrawnCells cells;
  const float room = ImGui::GetContentRegionAvail().x;
  const bool plane = array.height > 1;
  cells.count = std::min<uint64_t>(array.values.size(), most_cells);
  const float least = scaled(44);
  cells.columns = plane ? array.width * std::max(1u, array.channels)
                        : std::clamp<uint64_t>(static_cast<uint64_t>(room / least), 1,
                                               std::max<uint64_t>(cells.count, 1));
  cells.size = std::min(room / float(cells.columns), scaled(52));
  cells.at = ImGui::GetCursorScreenPos();
  const uint64_t rows = cells.count == 0 ? 0 : (cells.count + cells.columns - 1) / cells.columns;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 mouse = ImGui::GetMousePos();
  const bool here = ImGui::IsWindowHovered();
  ImGui::PushFont(look().mono, cells.size < scaled(26) ? small_size * 0.8f : small_size);
  for (uint64_t i = 0; i < cells.count; ++i) {
    const uint64_t row = i / cells.columns, column = i % cells.columns;
    const ImVec2 min{cells.at.x + float(column) * cells.size, cells.at.y + float(row) * cells.size};
    const ImVec2 max{min.x + cells.size - scaled(2), min.y + cells.size - scaled(2)};
    const bool bright = is_lit(spec, lit, output, number, i);
    draw->AddRectFilled(min, max, colour(bright ? mix(p.raised, p.accent, 0.3) : p.raised), scaled(3));
    draw->AddRect(min, max, colour(bright ? p.accent : p.line), scaled(3), 0, scaled(bright ? 2 : 1));
    const std::string words = cell_words(array.values[i], cells.size - scaled(6));
    const ImVec2 text = size_of_words(words);
    if (text.x <= cells.size)
      draw->AddText({(min.x + max.x - text.x) / 2, (min.y + max.y - text.y) / 2}, colour(p.text),
                    words.c_str());
    if (here && mouse.x >= min.x && mouse.x < max.x && mouse.y >= min.y && mouse.y < max.y) {
      now = SpecifiedCell{output, number, i};
      ImGui::SetTooltip("%s[%llu] = %s", array.name.c_str(), static_cast<unsigned long long>(i),
                        lesson::number_text(array.values[i]).c_str());
    }
  }
  ImGui::PopFont();
  ImGui::Dummy({float(cells.columns) * cells.size, float(rows) * cells.size});
  if (cells.count < array.values.size())
    small_text(fmt::format("and {} more", array.values.size() - cells.count));
  return cells;
}

void draw_arrows(const Specification& spec, const SpecifiedCell& hovered,
                 const std::vector<DrawnCells>& inputs, const std::vector<DrawnCells>& outputs) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 ink = colour(look().palette.accent);
  for (const Specification::Arrow& arrow : spec.arrows) {
    const bool its = hovered.output ? arrow.to_array == hovered.array && arrow.to == hovered.index
                                    : arrow.from_array == hovered.array && arrow.from == hovered.index;
    if (!its || arrow.from_array >= inputs.size() || arrow.to_array >= outputs.size()) continue;
    const DrawnCells &from_cells = inputs[arrow.from_array], &to_cells = outputs[arrow.to_array];
    if (arrow.from >= from_cells.count || arrow.to >= to_cells.count) continue;
    ImVec2 from = from_cells.centre(arrow.from), to = to_cells.centre(arrow.to);
    from.y += from_cells.size / 2;
    to.y -= to_cells.size / 2;
    draw->AddLine(from, to, ink, scaled(2));
    const float head = scaled(6), length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1.0f);
    const ImVec2 along{(to.x - from.x) / length, (to.y - from.y) / length};
    draw->AddTriangleFilled(
        to, {to.x - head * (along.x + along.y * 0.6f), to.y - head * (along.y - along.x * 0.6f)},
        {to.x - head * (along.x - along.y * 0.6f), to.y - head * (along.y + along.x * 0.6f)}, ink);
  }
}

void draw_specification(const Specification& spec, ChallengePanelState& own) {
  heading("What it has to do");
  if (!spec.printed.empty()) {
    small_text(spec.arguments.empty() ? std::string("It prints:")
                                      : fmt::format("Called with {}, it prints:", spec.arguments));
    return mono_text_wrapped(spec.printed, look().palette.text);
  }
  small_text("Point at a cell: the arrows show what it is made of.");
  std::optional<SpecifiedCell> now;
  std::vector<DrawnCells> inputs, outputs;
  for (size_t i = 0; i < spec.inputs.size(); ++i)
    inputs.push_back(draw_cells(spec, spec.inputs[i], false, i, own.hovered, now));
  for (size_t i = 0; i < spec.outputs.size(); ++i)
    outputs.push_back(draw_cells(spec, spec.outputs[i], true, i, own.hovered, now));
  if (now) draw_arrows(spec, *now, inputs, outputs);
  own.hovered = now;
}

// ---- goals

// What was reached against what is allowed, which the mark shows.
void draw_meter(const GoalMeter& meter, bool reached) {
  const Palette& p = look().palette;
  const float width = ImGui::GetContentRegionAvail().x, height = scaled(8);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(at, {at.x + width, at.y + height}, colour(p.line), scaled(2));
  draw->AddRectFilled(at, {at.x + width * meter.reached, at.y + height}, colour(reached ? p.right : p.quiet),
                      scaled(2));
  const float mark = at.x + width * meter.limit;
  draw->AddLine({mark, at.y - scaled(3)}, {mark, at.y + height + scaled(3)}, colour(p.text), scaled(2));
  ImGui::Dummy({width, height + scaled(2)});
}

void draw_goal(const GoalLine& line) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour(line.reached ? look().palette.right : look().palette.text));
  show_words(!line.known ? "·" : line.reached ? "✓" : "–");
  ImGui::SameLine();
  show_words(line.stars);
  ImGui::PopStyleColor();
  ImGui::SameLine();
  ImGui::BeginGroup();
  body_text(line.words);
  ImGui::EndGroup();
  if (line.meter) draw_meter(*line.meter, line.reached);
  if (!line.otherwise.empty()) body_text(line.otherwise);
}

std::shared_ptr<const ChallengeGoals> goals_of(const AppState& state, ChallengePanelState& own) {
  const auto& open = state.challenge.open;
  const auto& answer = state.challenge.judged;
  return own.goals.get({open, answer}, true, [open, answer] {
    return challenge_goals(open->challenge, answer && answer->judged ? &*answer->judged : nullptr);
  });
}

void draw_goals(const AppState& state, ChallengePanelState& own) {
  const auto goals = goals_of(state, own);
  if (!goals) return;
  heading("Goals");
  for (const GoalLine& line : goals->lines) draw_goal(line);
  if (!goals->counted_at.empty()) small_text(fmt::format("Counted at {}.", goals->counted_at));
}

// ---- what the judge said

void draw_case(const Judged& judged) {
  std::string words;
  for (const auto& [name, value] : judged.failed->at.values)
    words += (words.empty() ? "" : ", ") + name + " = " + lesson::number_text(value);
  if (judged.failed->at.block)
    words += fmt::format("{}block = ({}, {}, {})", words.empty() ? "" : ", ", judged.failed->at.block->x,
                         judged.failed->at.block->y, judged.failed->at.block->z);
  if (judged.failed->order != 0) words += fmt::format(", order {}", judged.failed->order);
  mono_text_wrapped("smallest case: " + words, look().palette.quiet);
}

// The verdict in large words on a ground of its own colour.
void draw_banner(const std::string& words, uint32_t rgb) {
  const float pad = scaled(8), width = ImGui::GetContentRegionAvail().x;
  ImGui::PushFont(look().strong, title_size);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end{at.x + width, at.y + ImGui::GetTextLineHeight() + 2 * pad};
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(at, end, colour(mix(look().palette.panel, rgb, 0.16)), scaled(6));
  draw->AddRectFilled(at, {at.x + scaled(5), end.y}, colour(rgb), scaled(3));
  ImGui::SetCursorScreenPos({at.x + scaled(5) + pad, at.y + pad});
  ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
  show_words(words);
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::SetCursorScreenPos({at.x, end.y});
  ImGui::Dummy({width, scaled(2)});
}

// Which goal is missed, with what was reached and what is allowed.
void draw_missed(const AppState& state, ChallengePanelState& panel) {
  const auto goals = goals_of(state, panel);
  if (!goals) return;
  for (const std::string& goal : missed_goals(*goals)) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.warning));
    show_wrapped("Missed: " + goal);
    ImGui::PopStyleColor();
  }
}

void draw_verdict(const AppState& state, ChallengePanelState& panel, Actions& actions) {
  const ChallengeState& own = state.challenge;
  if (own.judging) return quiet_text("The judge runs your answer at sizes that you have not seen…");
  if (!own.judged) return;
  if (!own.judged->error.empty()) return body_text(own.judged->error);
  if (!own.judged->judged) return;
  const Judged& judged = *own.judged->judged;
  draw_banner(judged.right() ? lesson::stars_text(judged.stars) + " Right" : "✗ Not right yet",
              judged.right() ? look().palette.right : look().palette.warning);
  draw_missed(state, panel);
  if (!judged.message.empty()) body_text(judged.message);
  for (const Diagnostic& one : judged.diagnostics)
    mono_text_wrapped(fmt::format("{}:{}: {}", one.file, one.line, one.message), look().palette.quiet);
  if (judged.failed) {
    draw_case(judged);
    if (chip("Step to it")) actions.push(StepToCase{});
    hover_text("Sets this case, and opens Step at the first element that is wrong.");
  }
  const CourseChallenge* next = judged.right() ? challenge_after(own.open->folder.name, spoken()) : nullptr;
  if (next != nullptr && main_button("Next: " + next->title + " ›###next_challenge"))
    actions.push(OpenChallenge{next->name});
  if (judged.right())
    small_text(fmt::format("{} cases, {} runs, {} ms on this machine", judged.cases, judged.runs,
                           significant(judged.compile_ms + judged.run_ms)));
  if (!own.judged->file.empty())
    small_text("This is about " + own.judged->file + ", as it was on disk then.");
  else if (answer_source(state) != own.judged->source)
    small_text("Your answer has changed since then.");
}

void draw_challenge_hints(const AppState& state) {
  const auto& hints = state.challenge.open->challenge.hints;
  for (size_t i = 0; i < std::min(state.challenge.hints, hints.size()); ++i) {
    ImGui::Dummy({0, scaled(2)});
    heading(fmt::format("Hint {} of {}", i + 1, hints.size()));
    draw_markdown(hints[i].text);
  }
}

// An answer in Python is a file: the window's editor is for CUDA C++.
void draw_python(const AppState& state) {
  const LoadedChallenge& loaded = *state.challenge.open;
  const lesson::ChallengeFile* starter = loaded.challenge.starter(".py");
  const auto text = starter ? loaded.folder.files.find(starter->name) : loaded.folder.files.end();
  if (text == loaded.folder.files.end() || lacks_compiler(state)) return;  // nothing judges it in such a page
  if (!ImGui::TreeNodeEx(shown_label("In Python with Numba###python").c_str(),
                         ImGuiTreeNodeFlags_SpanAvailWidth))
    return;
  body_text(
      "Begin with this, save it as a file that ends in .py, and drop it into the window to have it judged.");
  mono_text_wrapped(text->second, look().palette.text);
  if (chip("Copy")) ImGui::SetClipboardText(text->second.c_str());
  ImGui::TreePop();
}

// ---- the whole

void draw_challenge_head(const AppState& state, Actions& actions) {
  const lesson::Challenge& challenge = state.challenge.open->challenge;
  const auto kept = state.progress.challenges.find(state.challenge.open->folder.name);
  const uint32_t stars = kept == state.progress.challenges.end() ? 0 : kept->second.stars;
  const float room = ImGui::GetContentRegionAvail().x - chip_width("×") - ImGui::GetStyle().ItemSpacing.x;
  const std::string number = challenge.number == 0 ? "" : fmt::format(" {}", challenge.number);
  const std::string words =
      fmt::format("Challenge{} · level {} · {}", number, challenge.level, lesson::stars_text(stars));
  const bool fits = heading_width(words) <= room;
  const float start = ImGui::GetCursorPosX();
  heading(fits ? words : "Challenge" + number);
  if (!fits) hover_text(words);
  ImGui::SameLine(start + room + ImGui::GetStyle().ItemSpacing.x);
  if (chip("×###close")) actions.push(CloseChallenge{});
  hover_text("Closes the challenge. Your code stays.");
  ImGui::PushTextWrapPos(0);
  title(challenge.title);
  ImGui::PopTextWrapPos();
}

void draw_challenge_bar(const AppState& state, Actions& actions) {
  const ChallengeState& own = state.challenge;
  const bool hints = own.hints < own.open->challenge.hints.size();
  if (chip("Hint###hint", false, hints)) actions.push(ShowHint{});
  wrap_before(chip_width("Reset"));
  if (chip("Reset###reset")) actions.push(ResetStep{});
  hover_text("Your code becomes the starter again.");
  if (can_undo_reset(state)) {
    wrap_before(chip_width("Undo reset"));
    if (chip("Undo reset###undo_reset")) actions.push(UndoReset{});
    hover_text("Your code from before the reset comes back.");
  }
  wrap_before(chip_width("Hand in…"));
  if (chip("Hand in…###hand_in")) actions.push(AskHandIn{});
  hover_text(
      "Writes one file for the teacher: your code, the result, the time that you took, and what you have "
      "done in "
      "lessons and challenges so far.");
  wrap_before(chip_width("Judge"));
  if (own.judging) {
    if (chip("Cancel###cancel_judge")) actions.push(CancelRun{});
    hover_text("Stops the judge (Esc).");
    return;
  }
  // After a right answer the next challenge is the next thing to do.
  const bool solved = own.judged && own.judged->judged && own.judged->judged->right() &&
                      answer_source(state) == own.judged->source;
  if (solved ? chip("Judge###judge") : main_button("Judge###judge")) actions.push(JudgeAnswer{});
  hover_text("Runs it at sizes and data that you have not seen, in several orders, against a reference.");
}

}  // namespace

void draw_challenge(const AppState& state, const LaunchView& launch, ChallengePanelState& own,
                    Actions& actions) {
  const lesson::Challenge& challenge = state.challenge.open->challenge;
  const float line = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
  const float undo = can_undo_reset(state) ? chip_width("Undo reset") + ImGui::GetStyle().ItemSpacing.x : 0;
  const float needed = undo + chip_width("Hint") + chip_width("Reset") + chip_width("Hand in…") +
                       chip_width("Judge") + 3 * ImGui::GetStyle().ItemSpacing.x;
  const float bar = line * (needed > ImGui::GetContentRegionAvail().x ? 2 : 1);
  const float body = std::max(ImGui::GetContentRegionAvail().y - bar, scaled(60));
  ImGui::BeginChild("challenge", {0, body}, ImGuiChildFlags_NavFlattened);
  // What the judge says stands at the top.
  if (std::exchange(own.judging, state.challenge.judging) != state.challenge.judging) ImGui::SetScrollY(0);
  draw_challenge_head(state, actions);
  draw_verdict(state, own, actions);
  draw_markdown(challenge.task.text);
  if (!challenge.change.empty()) draw_changes_of(state, launch, challenge.change, actions);
  if (state.challenge.judged && state.challenge.judged->specification)
    draw_specification(*state.challenge.judged->specification, own);
  draw_goals(state, own);
  draw_python(state);
  draw_challenge_hints(state);
  if (state.challenge.judged && state.challenge.judged->judged && state.challenge.judged->judged->right() &&
      !challenge.then.empty()) {
    ImGui::Dummy({0, scaled(4)});
    draw_markdown(challenge.then.text);
  }
  ImGui::EndChild();
  draw_challenge_bar(state, actions);
}

}  // namespace warplens
