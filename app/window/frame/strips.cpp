#include "app/window/frame/strips.h"

#include <algorithm>

#include "app/widgets/widgets.h"

namespace warplens {

float frame_gap(float length) {
  const float scale = ImGui::GetStyle().FontScaleMain;
  return scaled(length) * std::min(1.0f, 1.5f / scale);
}

bool leaves_room_to_read(const AppState& state) {
  return (state.lesson.is_open() || state.challenge.is_open()) &&
         ImGui::GetMainViewport()->Size.y < scaled(420);
}

void draw_strip(const char* id, ImVec2 position, ImVec2 size, float padding_y,
                const std::function<void()>& draw) {
  ImGui::SetNextWindowPos(position);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {scaled(12), padding_y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin(id, nullptr, fixed_flags);
  ImGui::PopStyleVar(2);
  const ImVec2 min = ImGui::GetWindowPos(), room = ImGui::GetWindowSize();
  ImGui::GetWindowDrawList()->AddRectFilled(min, {min.x + room.x, min.y + room.y},
                                            colour(look().palette.panel), scaled(6));
  draw();
  ImGui::End();
}

}  // namespace warplens
