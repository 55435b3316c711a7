// The colours of text editors, by the theme, and the key that runs what they have.
#pragma once

#include "app/base/palette.h"

class TextEditor;
struct ImGuiWindow;

namespace warplens {

struct EditorLook {
  Theme theme = Theme::dark;
  bool taken = false;
};

// Gives the editor the theme's colours. False if it has them already.
bool take_editor_look(TextEditor& editor, EditorLook& has);

// Whether Ctrl+Enter is pressed in the window of an editor, which would take it for a new line. Call it
// before the editor is drawn.
bool takes_run_key(const ImGuiWindow& editor);

}  // namespace warplens
