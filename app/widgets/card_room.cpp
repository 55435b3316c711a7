#include "app/widgets/card_room.h"

#include <imgui_internal.h>

#include <algorithm>

#include "app/widgets/look.h"

namespace warplens {
namespace {

float width_of_card(const ImGuiWindow* window) {
  return std::min(scaled(300), window->InnerRect.GetWidth() * 0.5f);
}

// On a phone held upright, half of the width is too little for the picture.
constexpr float least_beside = 480;

}  // namespace

Box take_room_for_card() {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  const ImRect inner = window->InnerRect;
  if (inner.GetWidth() < scaled(least_beside)) {
    const float height = std::min(scaled(150), inner.GetHeight() * 0.4f), side = scaled(4);
    window->ContentRegionRect.Max.y -= height;
    window->WorkRect.Max.y -= height;
    return Box{inner.Min.x + side, inner.Max.y - height, inner.GetWidth() - 2 * side, height - side};
  }
  const float width = width_of_card(window), edge = scaled(4);
  window->ContentRegionRect.Max.x -= width;
  window->WorkRect.Max.x -= width;
  return Box{inner.Max.x - width, inner.Min.y + edge, width - edge, inner.GetHeight() - 2 * edge};
}

void expect_card(bool may_come) {
  constexpr float least = 740;  // a narrower view is all of the picture's until then
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  const bool wide = window->InnerRect.GetWidth() >= scaled(least);
  window->StateStorage.SetFloat(window->GetID("card_room"), may_come && wide ? width_of_card(window) : 0);
}

float room_of_expected_card() {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  return window->StateStorage.GetFloat(window->GetID("card_room"), 0);
}

}  // namespace warplens
