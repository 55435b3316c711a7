#include "app/window/frame/bottom.h"

#include <imgui_internal.h>

#include <algorithm>

#include "app/views/problems/line.h"
#include "app/views/runs/line.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/run_status.h"
#include "app/window/frame/strips.h"

namespace warplens {
namespace {

constexpr const char* open_hint = "Problems and runs (Ctrl+J)";

// Centres the next item, which is `height` high, vertically in the line.
void in_line(float height) {
  ImGui::SetCursorPosY(ImGui::GetCursorStartPos().y + (ImGui::GetFrameHeight() - height) * 0.5f);
}

void coloured(const std::string& words, uint32_t rgb, ImFont* font) {
  ImGui::PushFont(font, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
  in_line(ImGui::GetTextLineHeight());
  ImGui::GetCurrentWindow()->DC.CurrLineTextBaseOffset = 0;  // of a button before it
  show_words(words);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

// The arrow that opens and closes. It points where the panels go.
void draw_arrow_button(const AppState& state, Actions& actions) {
  const float side = ImGui::GetFrameHeight();
  const bool open = state.frame.preferences.bottom_open;
  if (ImGui::Button("###bottom", {side * 1.3f, side})) actions.push(ShowBottom{!open});
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const ImVec2 c{(min.x + max.x) * 0.5f, (min.y + max.y) * 0.5f};
  const float d = side * 0.2f, up = open ? -d * 0.6f : d * 0.6f;
  ImGui::GetWindowDrawList()->AddTriangleFilled({c.x - d, c.y + up}, {c.x + d, c.y + up}, {c.x, c.y - up},
                                                colour(look().palette.text));
  hover_text(open ? "Closes problems and runs (Ctrl+J)" : open_hint);
}

// The parts that the line has room for.
struct LinePlan {
  std::string worst, fix, runs;
  bool tag = false;  // next to the runs
};

LinePlan plan_line(const ProblemsLine& problems, const RunsLine& runs, float room) {
  const float gap = ImGui::GetStyle().ItemSpacing.x, least = scaled(80);
  const std::string tag = source_words(runs.source);
  LinePlan plan;
  room -= problems.counts.empty() ? 0 : text_width(problems.counts) + ImGui::GetFontSize() + 3 * gap;
  const float worst = text_width(problems.worst, look().strong);
  const auto fits = [&](float width, float keep) { return room - width >= std::min(worst, keep); };
  const float fix = problems.fix ? chip_width(problems.fix->label) + gap : 0;
  if (problems.fix && fits(fix, least)) {
    plan.fix = problems.fix->label;
    room -= fix;
  }
  for (const std::string& words : {runs.words, runs.brief}) {
    const float width = text_width(words, look().mono) + 3 * gap;
    if (words.empty() || !plan.runs.empty() || !fits(width, 2 * least)) continue;
    plan.runs = words;
    room -= width;
    plan.tag = fits(text_width(tag) + scaled(14), 4 * least);
    if (plan.tag) room -= text_width(tag) + scaled(14);
  }
  plan.worst = problems.worst.empty() ? "" : cut_to(problems.worst, std::max(room, 0.0f), look().strong);
  return plan;
}

void draw_problem_words(const ProblemsLine& problems, const LinePlan& plan, Actions& actions) {
  const Palette& p = look().palette;
  if (problems.counts.empty()) return coloured("Nothing to report", p.quiet, look().words);
  in_line(ImGui::GetFontSize());
  level_glyph(problems.level);
  ImGui::SameLine();
  coloured(problems.counts, p.quiet, look().words);
  ImGui::SameLine();
  coloured("·", p.quiet, look().words);
  ImGui::SameLine();
  coloured(plan.worst, problems.level == ProblemLevel::fault ? p.fault : p.text, look().strong);
  if (plan.worst != problems.worst) hover_text(problems.worst);
  if (plan.fix.empty()) return;
  ImGui::SameLine();
  in_line(ImGui::GetFrameHeight());
  if (chip(plan.fix + "###fix")) actions.push(ApplyFix{*problems.fix});
  hover_text("Fixes the worst problem that has a fix (Alt+Enter). Ctrl+Z undoes it.");
}

void draw_run_words(const RunsLine& runs, const LinePlan& plan, float right) {
  if (plan.runs.empty()) return;
  const std::string tag = source_words(runs.source);
  const float width =
      text_width(plan.runs, look().mono) + (plan.tag ? text_width(tag) + scaled(14) : 0.0f) + scaled(8);
  ImGui::SameLine(std::max(right - width, ImGui::GetCursorPosX()));
  coloured(plan.runs, look().palette.text, look().mono);
  hover_text(runs.hover);
  if (!plan.tag) return;
  ImGui::SameLine();
  in_line(scaled(small_size) + scaled(2));
  source_tag(runs.source);
}

}  // namespace

float bottom_line_height() { return ImGui::GetFrameHeight() + 2 * frame_gap(4); }

void draw_bottom_line(const AppState& state, Actions& actions) {
  const ProblemsLine problems = problems_line(state.problems);
  // A lesson says what is compared.
  const RunsLine runs = state.lesson.is_open() || any_hidden(state, "time") ? RunsLine{} : runs_line(state);
  const float arrow = ImGui::GetFrameHeight() * 1.3f, gap = ImGui::GetStyle().ItemSpacing.x;
  const float end = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x - arrow - 2 * gap;
  const float left = ImGui::GetCursorPosX();
  const RunStatusView status = run_status(state);
  const float for_status = (end - left) * 0.4f;
  const float right = end - run_status_width(status, for_status) - 2 * gap;
  const LinePlan plan = plan_line(problems, runs, right - left - gap);
  draw_problem_words(problems, plan, actions);
  draw_run_words(runs, plan, right);
  ImGui::SameLine(right + 2 * gap);
  in_line(ImGui::GetFrameHeight());
  draw_run_status(state, status, for_status, actions);
  ImGui::SameLine(end + 2 * gap);
  in_line(ImGui::GetFrameHeight());
  draw_arrow_button(state, actions);
  // The words are a button as well, but the real ones go first.
  const ImVec2 mouse = ImGui::GetMousePos(), at = ImGui::GetWindowPos();
  const bool on_words = mouse.x < at.x + right && ImGui::IsWindowHovered() && !ImGui::IsAnyItemHovered();
  if (on_words) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (on_words && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    actions.push(ShowBottom{!state.frame.preferences.bottom_open});
}

}  // namespace warplens
