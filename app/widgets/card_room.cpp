#include "app/widgets/card_room.h"

#include <imgui_internal.h>

#include <algorithm>

#include "app/widgets/look.h"

namespace warplens {
namespace {

float width_of_card(const ImGuiWindow* window) {
  return std::min(scaled(300), window->InnerRect.GetWidth() * 0.5f);
}

}  // namespace

Box take_room_for_card() {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  const ImRect inner = window->InnerRect;
  const float width = width_of_card(window), edge = scaled(4);
  window->ContentRegionRect.Max.x -= width;
  window->WorkRect.Max.x -= width;
  return Box{inner.Max.x - width, inner.Min.y + edge, width - edge, inner.GetHeight() - 2 * edge};
}

float room_left_for_card() {
  constexpr float least = 740;  // a narrower view is all of the picture's until then
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  if (window->InnerRect.GetWidth() < scaled(least)) return 0;
  const float whole = window->InnerRect.Max.x - window->WindowPadding.x;
  return std::max(0.0f, width_of_card(window) - (whole - window->WorkRect.Max.x));
}

}  // namespace warplens
