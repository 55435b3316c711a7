#include "app/views/launch/panel/lesson_bar_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

struct BarButton {
  std::string label, hint;
  bool enabled = true, main = false;
  Action action;
};

// How much of the words is left out so that all stands in one row.
enum class Brevity : uint8_t { none, arrows, signs };

std::vector<BarButton> bar_buttons(const AppState& state, Brevity brevity) {
  const size_t at = state.lesson.player.at, count = state.lesson.player.steps.size();
  const lesson::LessonStep& step = *current_step(state);
  const lesson::StepProgress& answers = state.lesson.player.progress();
  const bool hints = answers.hints < step.hints.size();
  const bool words = brevity == Brevity::none, signs = brevity == Brevity::signs;
  const std::string next = !words ? "▶###next" : at + 1 < count ? "Next ▶###next" : "End ▶###next";
  const BarButton reset =
      can_undo_reset(state)
          ? BarButton{signs ? "↩###reset" : "Undo reset###reset", "What you had before the reset comes back.",
                      true, false, UndoReset{}}
          : BarButton{signs ? "↺###reset" : "Reset###reset",
                      "Sets this step as it was, and begins its questions again.", true, false, ResetStep{}};
  return {{words ? "◀ Back###back" : "◀###back", "Page Up", at > 0, false, GoToStep{at - 1}},
          {"Hint###hint",
           step.hints.empty() ? "This step has none."
           : hints            ? ""
                              : "There are no more.",
           hints, false, ShowHint{}},
          reset,
          {next, "Page Down", true, answers.done,
           at + 1 < count ? Action(GoToStep{at + 1}) : Action(ShowDialog{Dialog::learn})}};
}

std::string counter_words(const AppState& state) {
  return fmt::format("{} / {}", state.lesson.player.at + 1, state.lesson.player.steps.size());
}

float width_of(const AppState& state, const std::vector<BarButton>& buttons) {
  float width = size_of_words(counter_words(state)).x;
  for (const BarButton& button : buttons) width += ImGui::GetStyle().ItemSpacing.x + chip_width(button.label);
  return width;
}

void draw_button(const BarButton& button, Actions& actions) {
  if (button.main ? main_button(button.label) : chip(button.label, false, button.enabled))
    actions.push(button.action);
  if (!button.hint.empty()) hover_text(button.hint);
}

// A thin line of one piece a step: done, here, still to come.
void draw_track(const AppState& state) {
  const Palette& p = look().palette;
  const float width = ImGui::GetContentRegionAvail().x, height = scaled(4);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto count = static_cast<float>(state.lesson.player.steps.size());
  const float gap = std::min(scaled(3), width / count / 4), piece = (width - gap * (count - 1)) / count;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (size_t i = 0; i < state.lesson.player.steps.size(); ++i) {
    const float x = at.x + static_cast<float>(i) * (piece + gap);
    const bool here = i == state.lesson.player.at;
    const float up = here ? scaled(2) : 0;
    draw->AddRectFilled({x, at.y - up}, {x + piece, at.y + height + up},
                        colour(here                                ? p.text
                               : state.lesson.player.steps[i].done ? p.right
                                                                   : p.line),
                        scaled(2));
  }
  ImGui::Dummy({width, height + scaled(4)});
}

}  // namespace

float lesson_bar_height() { return scaled(8) + ImGui::GetStyle().ItemSpacing.y + ImGui::GetFrameHeight(); }

void draw_lesson_bar(const AppState& state, Actions& actions) {
  draw_track(state);
  const float width = ImGui::GetContentRegionAvail().x, left = ImGui::GetCursorPosX();
  std::vector<BarButton> buttons;
  for (const Brevity brevity : {Brevity::none, Brevity::arrows, Brevity::signs}) {
    buttons = bar_buttons(state, brevity);
    if (width_of(state, buttons) <= width) break;
  }
  for (size_t i = 0; i < buttons.size(); ++i) {
    const bool last = i + 1 == buttons.size();  // it stays at the right edge, whatever stands before it
    if (last)
      ImGui::SameLine(left + width - chip_width(buttons[i].label));
    else if (i > 0)
      ImGui::SameLine();
    draw_button(buttons[i], actions);
    if (i > 0) continue;
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    show_words(counter_words(state));
  }
}

}  // namespace warplens
