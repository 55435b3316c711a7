#include "app/frame/present_bar.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/frame/inspector_card.h"
#include "app/widgets/slider.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

constexpr const char* bar_name = "##present_bar";

bool pointer_moved_from(ImVec2 from) {
  const ImVec2 now = ImGui::GetMousePos();
  return std::abs(now.x - from.x) + std::abs(now.y - from.y) > 12;
}

// At the lower edge, in the bar itself, or in a list that was opened from it.
bool is_wanted(PresentBarState& own) {
  if (!own.was_here) {
    own.was_here = own.new_here = true;
    own.began_at = ImGui::GetMousePos();
  }
  if (ImGui::IsKeyPressed(ImGuiKey_Tab, false)) {
    if (!own.by_keys) ImGui::SetNextWindowFocus();
    own.by_keys = true;
    own.began_at = ImGui::GetMousePos();
  }
  if (pointer_moved_from(own.began_at)) own.new_here = own.by_keys = false;
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiWindow* bar = ImGui::FindWindowByName(bar_name);
  const bool in_use = bar != nullptr && g.ActiveIdWindow != nullptr && g.ActiveIdWindow->RootWindow == bar;
  const bool list = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  const float height = ImGui::GetMainViewport()->Size.y;
  const float edge = bar != nullptr && bar->WasActive ? bar->Pos.y : height * 0.9f;
  return own.new_here || own.by_keys || in_use || list || ImGui::GetMousePos().y >= edge;
}

void quiet_word(const char* words) {
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
  ImGui::TextUnformatted(words);
  ImGui::PopStyleColor();
  ImGui::SameLine();
}

// "Block [16] × [16] × [1]"
void draw_extent(const char* words, const std::string& id, Dim3 extent, Dim3 largest,
                 const std::function<void(Dim3, bool)>& set, Actions& actions) {
  quiet_word(words);
  const uint32_t limits[] = {largest.x, largest.y, largest.z};
  const char* axes[] = {"x", "y", "z"};
  for (size_t axis = 0; axis < 3; ++axis) {
    Dim3 to = extent;
    uint32_t& value = axis == 0 ? to.x : axis == 1 ? to.y : to.z;
    if (axis > 0) quiet_word("×");
    const SliderRow row{id + "_" + axes[axis], axes[axis], double(value), 1.0,
                        double(std::max(limits[axis], value))};
    const SliderChange change = number_box(row);
    if (change.changed) {
      value = static_cast<uint32_t>(change.value);
      set(to, change.dragging);
    }
    if (change.ended) actions.push(EndGesture{});
    ImGui::SameLine();
  }
}

void draw_controls(const AppState& state, PresentBarState& own, Actions& actions) {
  draw_kernel_picker(state, own.pickers, actions);
  ImGui::SameLine();
  const auto& limits = state.setup.device.limits;
  draw_extent(
      "Block", "block", state.setup.launch.block, limits.max_block,
      [&](Dim3 to, bool dragging) {
        actions.push(SetBlock{to, dragging});
      },
      actions);
  draw_extent(
      "Grid", "grid", state.setup.launch.grid, limits.max_grid,
      [&](Dim3 to, bool dragging) {
        actions.push(SetGrid{to, dragging});
      },
      actions);
  if (chip("fit", state.setup.launch.fit_grid)) actions.push(SetFitGrid{!state.setup.launch.fit_grid});
  hover_text("The grid fits the problem.");
}

}  // namespace

float draw_present_bar(const AppState& state, PresentBarState& own, Actions& actions) {
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  if (!is_wanted(own)) return room.y;
  ImGui::SetNextWindowPos({room.x * 0.5f, room.y - scaled(8)}, ImGuiCond_Always, {0.5f, 1});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {room.x, room.y});
  push_card_look();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {scaled(10), scaled(5)});
  ImGui::Begin(bar_name, nullptr,
               card_flags | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleVar();
  pop_card_look();
  const bool list = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (!list) ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());  // over the inspector's card
  const float top = ImGui::GetWindowPos().y;
  draw_controls(state, own, actions);
  ImGui::End();
  return top;
}

}  // namespace warplens
