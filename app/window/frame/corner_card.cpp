#include "app/window/frame/corner_card.h"

#include <imgui_internal.h>

#include "app/widgets/widgets.h"

namespace warplens {
namespace {

constexpr float corner_edge = 18;

}  // namespace

float below_corner_card() { return 2.6f * ImGui::GetFrameHeight() + scaled(corner_edge); }

void begin_corner_card(const char* id, float width, float most_height) {
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({room.x - scaled(corner_edge), room.y - below_corner_card()}, ImGuiCond_Always,
                          {1, 1});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, most_height});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colour(look().palette.raised));
  ImGui::PushStyleColor(ImGuiCol_Border, colour(look().palette.line));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, scaled(1));
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
  if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel))
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
}

}  // namespace warplens
