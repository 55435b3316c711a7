#include "app/frame/welcome.h"

#include <algorithm>

#include "app/frame/corner_card.h"
#include "app/state/parts/course.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

void fact(const char* where, const char* words) {
  ImGui::PushFont(look().strong, 0.0f);
  show_words(where);
  ImGui::PopFont();
  quiet_text(words);
}

// Where the last window was left.
void draw_offer(const AppState& state, Actions& actions) {
  const std::string words = state.drafts.offered->words();
  begin_corner_card("##continue", std::min(scaled(330), ImGui::GetMainViewport()->Size.x * 0.6f),
                    ImGui::GetMainViewport()->Size.y * 0.6f);
  quiet_text("What you typed and answered there was kept.");
  if (main_button("Continue: " + words + "###continue")) actions.push(Continue{});
  wrap_before(chip_width("Not now"));
  if (chip("Not now")) actions.push(Continue{false});
  ImGui::End();
}

}  // namespace

// The cards stand in the corner of the views, take no focus and dim nothing.
void draw_welcome(const AppState& state, Actions& actions) {
  const bool offers = state.drafts.offered && !state.drafts.offered->in_other_window;
  if (offers && !state.lesson.is_open() && !state.challenge.is_open()) return draw_offer(state, actions);
  if (!state.frame.welcome) return;
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  begin_corner_card("##welcome", std::min(scaled(330), room.x * 0.45f), room.y * 0.6f);
  fact("Left: what runs", "Kernel, data, block and grid. Every change runs at once; Ctrl+Z takes it back.");
  fact("Centre: what it did", "Click a pixel, a block or a thread to see where it came from. Esc lets go.");
  fact("Below: problems", "The worst problem, with a button that fixes it. Ctrl+P finds every command.");
  ImGui::Dummy({0, scaled(2)});
  if (main_button("First lesson")) {
    actions.push(ShowWelcome{false});
    const CourseLesson* next = next_lesson(state.progress);
    actions.push(next != nullptr ? Action(OpenLesson{next->name}) : Action(ShowDialog{Dialog::learn}));
  }
  wrap_before(chip_width("Manual"));
  if (chip("Manual")) {
    actions.push(ShowWelcome{false});
    actions.push(ShowManual{});
  }
  ImGui::SameLine();
  if (chip("Close")) actions.push(ShowWelcome{false});
  ImGui::End();
}

}  // namespace warplens
