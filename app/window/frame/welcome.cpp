#include "app/window/frame/welcome.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/state/parts/course.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/corner_card.h"

namespace warplens {
namespace {

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

// "Text at 150 %"; empty if none is offered.
std::string text_offer(float scale) {
  return scale > 0 ? fmt::format("Text at {:.0f} %###text_size", 100 * scale) : "";
}

}  // namespace

// The cards stand in the corner of the views, take no focus and dim nothing.
void draw_welcome(const AppState& state, Actions& actions) {
  const bool offers = state.drafts.offered && !state.drafts.offered->in_other_window;
  if (offers && !state.lesson.is_open() && !state.challenge.is_open()) return draw_offer(state, actions);
  if (!state.frame.welcome) return;
  // One row, so that it covers nothing of what the first picture shows.
  const float words = text_width("New here?"), gap = ImGui::GetStyle().ItemSpacing.x;
  const std::string text = text_offer(state.frame.proposed_text_scale);
  const float row = words + chip_width("First lesson") + chip_width("Manual") + chip_width("Close") +
                    3 * gap + (text.empty() ? 0 : chip_width(text) + gap);
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  begin_corner_card("##welcome", std::min(row + 2 * ImGui::GetStyle().WindowPadding.x + 1, room.x * 0.9f),
                    room.y * 0.6f);
  ImGui::AlignTextToFramePadding();
  show_words("New here?");
  wrap_before(chip_width("First lesson"));
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
  if (!text.empty()) {
    wrap_before(chip_width(text));
    if (chip(text)) actions.push(SetTextScale{state.frame.proposed_text_scale});
    hover_text("This screen is large. Ctrl+0 makes the text as small as it was.");
  }
  wrap_before(chip_width("Close"));
  if (chip("Close")) actions.push(ShowWelcome{false});
  ImGui::End();
}

}  // namespace warplens
