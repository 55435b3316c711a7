// The colours of text editors, by the theme.
#pragma once

#include "app/base/palette.h"

class TextEditor;

namespace warplens {

struct EditorLook {
  Theme theme = Theme::dark;
  bool taken = false;
};

// Gives the editor the theme's colours. False if it has them already.
bool take_editor_look(TextEditor& editor, EditorLook& has);

}  // namespace warplens
