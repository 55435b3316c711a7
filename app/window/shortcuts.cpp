#include "app/window/shortcuts.h"

#include <imgui.h>

#include "app/state/commands.h"

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
  if (name.size() == 2 && name[0] == 'F') return static_cast<ImGuiKey>(ImGuiKey_F1 + (name[1] - '1'));
  return ImGuiKey_None;
}

// Other keys with the same meaning: those of the number block, and + with and without Shift.
bool pressed(const KeyPress& key) {
  const ImGuiKey main = key_of(key.name);
  if (main == ImGuiKey_None) return false;
  const ImGuiKeyChord mods = (key.ctrl ? ImGuiMod_Ctrl : 0) | (key.shift ? ImGuiMod_Shift : 0);
  constexpr ImGuiInputFlags flags = ImGuiInputFlags_RouteGlobal | ImGuiInputFlags_Repeat;
  if (ImGui::Shortcut(mods | main, flags)) return true;
  if (key.name == "+") {
    return ImGui::Shortcut(mods | ImGuiMod_Shift | main, flags) ||
           ImGui::Shortcut(mods | ImGuiKey_KeypadAdd, flags);
  }
  if (key.name == "-") return ImGui::Shortcut(mods | ImGuiKey_KeypadSubtract, flags);
  if (key.name == "0") return ImGui::Shortcut(mods | ImGuiKey_Keypad0, flags);
  return false;
}

}  // namespace

void read_shortcuts(const AppState& state, Actions& actions) {
  for (const Command& command : menu_commands(state)) {
    // While the user types in a text field, undo, redo and similar keys belong to it.
    const bool of_text = ImGui::GetIO().WantTextInput && command.key.ctrl &&
                         (command.key.name == "Z" || command.key.name == "E" || command.key.name == "L");
    if (!of_text && pressed(command.key) && command.enabled) actions.push(command.action);
  }
  // Only in present mode, because elsewhere B is just a letter.
  if (state.frame.present && !ImGui::GetIO().WantTextInput && ImGui::IsKeyPressed(ImGuiKey_B, false))
    actions.push(Blank{!state.frame.blank});
  // A popup and a text field close on Esc by themselves.
  const bool open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (!open && !ImGui::GetIO().WantTextInput && ImGui::IsKeyPressed(ImGuiKey_Escape, false))
    actions.push(Unpin{});
}

}  // namespace warplens
