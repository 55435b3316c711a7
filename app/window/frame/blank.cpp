#include "app/window/frame/blank.h"

#include <imgui.h>

#include <algorithm>

#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/strips.h"

namespace warplens {
namespace {

constexpr ImGuiKey ending_keys[] = {ImGuiKey_Escape,     ImGuiKey_B,        ImGuiKey_LeftArrow,
                                    ImGuiKey_RightArrow, ImGuiKey_UpArrow,  ImGuiKey_DownArrow,
                                    ImGuiKey_PageUp,     ImGuiKey_PageDown, ImGuiKey_F11};

// A click ends it when the button comes up: what appears then has no part of the click.
bool is_ended() {
  const bool key =
      std::ranges::any_of(ending_keys, [](ImGuiKey one) { return ImGui::IsKeyPressed(one, false); });
  return key || ImGui::IsMouseReleased(ImGuiMouseButton_Left) ||
         ImGui::IsMouseReleased(ImGuiMouseButton_Right);
}

}  // namespace

void end_blank(Actions& actions) {
  if (is_ended()) actions.push(Blank{false});
}

void draw_blank(Actions& actions) {
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(room);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colour(0x000000));
  ImGui::Begin("##blank", nullptr, fixed_flags | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleColor();
  if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
  ImGui::GetWindowDrawList()->AddRectFilled({0, 0}, room, colour(0x000000));
  ImGui::PushFont(nullptr, small_size);
  const char* words = "The screen is blank. B, Esc, an arrow key or a click ends it.";
  const ImVec2 size = size_of_words(words);
  ImGui::GetWindowDrawList()->AddText({(room.x - size.x) / 2, room.y - 2 * size.y}, colour(0x6E6E6E),
                                      shown(words).c_str());
  ImGui::PopFont();
  ImGui::End();
  end_blank(actions);
}

}  // namespace warplens
