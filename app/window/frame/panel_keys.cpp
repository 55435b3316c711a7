#include "app/window/frame/panel_keys.h"

#include <imgui_internal.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace warplens {
namespace {

// From the upper left to the lower right, as far as they are drawn now.
std::vector<std::string> panels_in_order(const AppState& state) {
  std::vector<std::string> names = {"##top",
                                    "###launch",
                                    std::string("###") + row_of(state.frame.view).name,
                                    "###inspector",
                                    "###inspector_card",
                                    "###problems",
                                    "###runs",
                                    "##line"};
  std::erase_if(names, [](const std::string& name) {
    const ImGuiWindow* window = ImGui::FindWindowByName(name.c_str());
    return window == nullptr || !window->Active || window->Hidden;
  });
  return names;
}

bool popup_is_open() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

// Whether Tab found no further item in the panel of this frame.
bool tab_leaves(const ImGuiContext& g) {
  const bool tabbing = g.NavMoveScoringItems && (g.NavMoveFlags & ImGuiNavMoveFlags_IsTabbing) != 0 &&
                       (g.NavMoveFlags & ImGuiNavMoveFlags_FocusApi) == 0;
  const bool starts = g.NavTabbingDir == 0 && g.NavTabbingResultFirst.ID != 0;
  return tabbing && !starts;
}

void go(const AppState& state, PanelKeys& keys, int by) {
  const std::vector<std::string> names = panels_in_order(state);
  if (names.empty()) return;
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  const ImGuiWindow* panel = focused != nullptr ? focused->RootWindow : nullptr;
  const auto at = std::ranges::find_if(
      names, [&](const std::string& name) { return ImGui::FindWindowByName(name.c_str()) == panel; });
  const auto count = std::ssize(names);
  const auto from = at == names.end() ? (by > 0 ? count - 1 : 0) : at - names.begin();
  keys.going = by;
  keys.window = names[static_cast<size_t>((from + by + count) % count)];
}

}  // namespace

void enter_panel(PanelKeys& keys) {
  const int by = std::exchange(keys.going, 0);
  ImGuiWindow* window = by != 0 ? ImGui::FindWindowByName(keys.window.c_str()) : nullptr;
  if (window == nullptr) return;
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGui::ClearActiveID();
  ImGui::FocusWindow(window);
  const bool last = by < 0 && keys.to_last;
  g.NavId = 0;
  g.NavTabbingDir = last ? -1 : 1;
  ImGui::NavMoveRequestSubmit(ImGuiDir_None, last ? ImGuiDir_Up : ImGuiDir_Down,
                              ImGuiNavMoveFlags_IsTabbing | ImGuiNavMoveFlags_Activate,
                              ImGuiScrollFlags_KeepVisibleEdgeX | ImGuiScrollFlags_KeepVisibleEdgeY);
  g.NavTabbingCounter = last ? 0 : 1;  // forwards, the first item is taken; backwards, the last one seen
  ImGui::SetNavCursorVisible(true);
}

void note_panel_keys(const AppState& state, PanelKeys& keys) {
  if (popup_is_open()) return;
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool back = g.IO.KeyShift;
  if (g.IO.KeyCtrl && ImGui::IsKeyPressed(ImGuiKey_Tab)) {
    keys.to_last = false;
    keys.stays = true;
    return go(state, keys, back ? -1 : 1);
  }
  // The editor of the Code view takes the key for itself.
  if (g.IO.WantTextInput && g.ActiveId == 0) return;
  // Backwards, a request that found its place has been resolved too.
  if (!tab_leaves(g)) return;
  const bool entering =
      g.NavTabbingDir < 0 && g.NavId == 0;  // it takes the last item at the end of the frame
  if (entering && g.NavMoveResultLocal.ID != 0) return;
  if (std::exchange(keys.stays, false)) return ImGui::NavMoveRequestCancel();
  const int by = g.NavTabbingDir < 0 || (g.NavTabbingDir == 0 && back) ? -1 : 1;
  ImGui::NavMoveRequestCancel();
  keys.to_last = true;
  go(state, keys, by);
}

}  // namespace warplens
