#include "app/window/shortcuts.h"

#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/state/frame/commands.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

ImGuiKey key_of(std::string_view name) {
  if (name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z')
    return static_cast<ImGuiKey>(ImGuiKey_A + (name[0] - 'A'));
  if (name.size() == 1 && name[0] >= '0' && name[0] <= '9')
    return static_cast<ImGuiKey>(ImGuiKey_0 + (name[0] - '0'));
  if (name == "+") return ImGuiKey_Equal;
  if (name == "-") return ImGuiKey_Minus;
  if (name == "F11") return ImGuiKey_F11;
  if (name == "Enter") return ImGuiKey_Enter;
  if (name.size() == 2 && name[0] == 'F') return static_cast<ImGuiKey>(ImGuiKey_F1 + (name[1] - '1'));
  return ImGuiKey_None;
}

// Other keys with the same meaning: those of the number block, and + with and without Shift.
bool pressed(const KeyPress& key) {
  const ImGuiKey main = key_of(key.name);
  if (main == ImGuiKey_None) return false;
  const ImGuiKeyChord mods =
      (key.ctrl ? ImGuiMod_Ctrl : 0) | (key.shift ? ImGuiMod_Shift : 0) | (key.alt ? ImGuiMod_Alt : 0);
  const bool repeats = key.name == "+" || key.name == "-" || key.name == "Z";
  const ImGuiInputFlags flags =
      ImGuiInputFlags_RouteGlobal | (repeats ? ImGuiInputFlags_Repeat : ImGuiInputFlags_None);
  if (ImGui::Shortcut(mods | main, flags)) return true;
  if (key.name == "+") {
    return ImGui::Shortcut(mods | ImGuiMod_Shift | main, flags) ||
           ImGui::Shortcut(mods | ImGuiKey_KeypadAdd, flags);
  }
  if (key.name == "-") return ImGui::Shortcut(mods | ImGuiKey_KeypadSubtract, flags);
  if (key.name == "0") return ImGui::Shortcut(mods | ImGuiKey_Keypad0, flags);
  return false;
}

// Not the editor's or a field's either, in which these keys would only scroll.
bool turns(ImGuiKey key) {
  return ImGui::Shortcut(
      key, ImGuiInputFlags_RouteGlobal | ImGuiInputFlags_RouteOverFocused | ImGuiInputFlags_RouteOverActive);
}

// The keys of clickers: the step of the lesson, or the view, before and after.
void turn_pages(const AppState& state, Actions& actions) {
  const int by = turns(ImGuiKey_PageDown) - turns(ImGuiKey_PageUp);
  if (by == 0) return;
  if (state.lesson.is_open()) {
    const size_t at = state.lesson.player.at;
    if (by > 0 && at + 1 < state.lesson.player.steps.size()) actions.push(GoToStep{at + 1});
    if (by < 0 && at > 0) actions.push(GoToStep{at - 1});
    return;
  }
  const std::vector<const ViewRow*> tabs = offered_tabs(state.program);
  const auto now = std::ranges::find(tabs, state.frame.view, &ViewRow::view) - tabs.begin();
  const auto next = now + by;
  if (next >= 0 && next < std::ssize(tabs)) actions.push(ShowView{tabs[static_cast<size_t>(next)]->view});
}

}  // namespace

void read_shortcuts(const AppState& state, Actions& actions) {
  if (state.frame.blank) return;  // what ends it is read where it is drawn
  const bool typing = is_typing();
  for (const Command& command : menu_commands(state)) {
    if (typing && belongs_to_text(command.key)) continue;
    if (pressed(command.key) && command.enabled) actions.push(command.action);
  }
  // A popup and a text field close on Esc by themselves.
  if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return;
  if (!typing && ImGui::IsKeyPressed(ImGuiKey_Escape, false)) actions.push(Unpin{});
  if (state.frame.present || state.lesson.is_open()) turn_pages(state, actions);
}

}  // namespace warplens
