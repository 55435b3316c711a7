#include "app/window/frame/teacher_notes.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/views/launch/lesson_words.h"
#include "app/widgets/markdown.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/strips.h"

namespace warplens {
namespace {

void draw_votes(const lesson::LessonStep& step, const lesson::StepProgress& answers) {
  for (size_t i = 0; i < step.questions.size(); ++i) {
    const auto& votes = answers.questions[i].votes;
    const uint32_t most = *std::ranges::max_element(votes);
    if (most == 0) continue;
    heading("Votes of the class");
    const Palette& p = look().palette;
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
    for (size_t letter = 0; letter < step.questions[i].choices.size() && letter < votes.size(); ++letter) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float left = at.x + scaled(70),
                  share = static_cast<float>(votes[letter]) / static_cast<float>(most);
      ImGui::GetWindowDrawList()->AddRectFilled(
          {left, at.y}, {left + (width - scaled(70)) * share, at.y + height}, colour(p.accent), scaled(2));
      show_words(fmt::format("{}  {}", static_cast<char>('A' + letter), votes[letter]));
    }
  }
}

void draw_bar(const AppState& state, Actions& actions) {
  const size_t at = state.lesson.player.at, count = state.lesson.player.steps.size();
  if (chip("‹ Back", false, at > 0)) actions.push(GoToStep{at - 1});
  ImGui::SameLine();
  if (main_button("Next ›", at + 1 < count)) actions.push(GoToStep{at + 1});
  ImGui::SameLine();
  if (chip("Hint")) actions.push(ShowHint{});
  wrap_before(chip_width("Reveal"));
  if (chip("Reveal")) actions.push(RevealStep{});
  wrap_before(on_off_width("Blank"));
  if (on_off("Blank", state.frame.blank)) actions.push(Blank{!state.frame.blank});
}

// The time of day, and how long it has been presented.
void draw_times(const AppState& state, const std::string& clock, Actions& actions) {
  ImGui::PushFont(look().strong, title_size);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(clock.c_str());
  ImGui::SameLine();
  const std::string timer = clock_text(state.frame.now_s - state.frame.presenting_since_s);
  if (chip(timer + "###timer")) actions.push(RestartTimer{});
  ImGui::PopFont();
  hover_text("Since the presentation began. A click sets it back to 0:00.");
}

void draw_next_step(const AppState& state, const lesson::StepText& told) {
  heading("Next");
  const auto& steps = state.lesson.open->lesson.steps;
  if (state.lesson.player.at + 1 >= steps.size()) return body_text("It was the last step.");
  if (told.title.empty()) return;
  ImGui::PushFont(look().strong, body_size);
  body_text(fmt::format("{} / {}  {}", told.number + 1, steps.size(), told.title));
  ImGui::PopFont();
  draw_markdown(told.text);
}

}  // namespace

void draw_teacher_notes(const AppState& state, const TeacherNotes& told, const std::string& clock,
                        Actions& actions) {
  const lesson::LessonStep* step = current_step(state);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetMainViewport()->Size);
  ImGui::Begin("##notes", nullptr,
               fixed_flags & ~(ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse));
  if (step != nullptr) {
    draw_bar(state, actions);
    draw_times(state, clock, actions);
    ImGui::Dummy({0, scaled(4)});
    if (told.notes.empty())
      quiet_text("The notes are being made…");
    else
      body_text(told.notes);
    draw_votes(*step, *current_answers(state));
    draw_next_step(state, told.next);
  }
  ImGui::End();
}

}  // namespace warplens
