#include "app/widgets/editor_look.h"

#include <ImGuiColorTextEdit/TextEditor.h>
#include <imgui_internal.h>

#include "app/widgets/look.h"

namespace warplens {

bool take_editor_look(TextEditor& editor, EditorLook& has) {
  if (has.taken && has.theme == look().theme) return false;
  has = {look().theme, true};
  using EditorColour = TextEditor::Color;
  const warplens::Palette& p = look().palette;
  TextEditor::Palette palette =
      look().theme == Theme::dark ? TextEditor::GetDarkPalette() : TextEditor::GetLightPalette();
  const auto set = [&](EditorColour which, uint32_t rgb, float alpha = 1) {
    palette[static_cast<size_t>(which)] = colour(rgb, alpha);
  };
  const bool dark = look().theme == Theme::dark;
  set(EditorColour::text, p.text);
  set(EditorColour::identifier, p.text);
  set(EditorColour::knownIdentifier, p.text);
  set(EditorColour::punctuation, mix(p.text, p.quiet, 0.4));
  set(EditorColour::comment, p.quiet);
  set(EditorColour::keyword, p.accent);
  set(EditorColour::declaration, p.accent);
  set(EditorColour::number, dark ? 0xA9C7FF : 0x2A55B8);
  set(EditorColour::string, dark ? 0x7BC98F : 0x1B6E33);
  set(EditorColour::preprocessor, dark ? 0xCC79A7 : 0x8B3A68);
  set(EditorColour::background, p.panel);
  set(EditorColour::cursor, p.text);
  set(EditorColour::selection, p.accent, 0.3f);
  set(EditorColour::lineNumber, p.quiet);
  set(EditorColour::currentLineNumber, p.text);
  editor.SetPalette(palette);
  return true;
}

bool takes_run_key(const ImGuiWindow& editor) {
  constexpr ImGuiKeyChord run_key = ImGuiMod_Ctrl | ImGuiKey_Enter;
  if (ImGui::GetCurrentContext()->NavWindow != &editor || !ImGui::IsKeyChordPressed(run_key)) return false;
  ImGui::SetKeyOwner(ImGuiKey_Enter, editor.ID, ImGuiInputFlags_LockThisFrame);
  return true;
}

}  // namespace warplens
