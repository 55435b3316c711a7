#include "app/frame/present.h"

#include <cmath>

#include "app/frame/strips.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

// Everything but a circle around the pointer is a little darker.
void draw_spotlight() {
  const ImVec2 mouse = ImGui::GetIO().MousePos, room = ImGui::GetMainViewport()->Size;
  if (!ImGui::IsMousePosValid(&mouse)) return;
  ImDrawList* draw = ImGui::GetForegroundDrawList();
  const ImDrawListFlags flags = draw->Flags;
  draw->Flags &= ~ImDrawListFlags_AntiAliasedFill;  // it would leave seams between the parts of the ring
  const float inner = scaled(90), outer = room.x + room.y;
  constexpr int parts = 96;
  const auto at = [&](int part, float radius) {
    const float angle = 2 * 3.14159265f * float(part) / parts;
    return ImVec2(mouse.x + radius * std::cos(angle), mouse.y + radius * std::sin(angle));
  };
  for (int part = 0; part < parts; ++part) {
    draw->AddQuadFilled(at(part, inner), at(part, outer), at(part + 1, outer), at(part + 1, inner),
                        colour(0x000000, 0.3f));
  }
  draw->Flags = flags;
}

}  // namespace

void draw_present(const AppState& state, FrameMemory& memory, Actions& actions) {
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(room);
  keep_spaces_alive();
  draw_strip("##present", {0, 0}, room, scaled(12), [&] {
    if (state.frame.blank) {
      ImGui::GetWindowDrawList()->AddRectFilled({0, 0}, room, colour(0x000000));
    } else {
      memory.panels[state.frame.view].draw(state, actions);
    }
    draw_dialogs(state, memory.dialogs, actions);
  });
  if (!state.frame.blank && state.frame.preferences.spotlight) draw_spotlight();
  memory.focused.reset();  // the tab comes to the front again afterwards
}

}  // namespace warplens
