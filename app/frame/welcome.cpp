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

}  // namespace

// It stands in the corner of the views, takes no focus and dims nothing.
void draw_welcome(const AppState& state, Actions& actions) {
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
