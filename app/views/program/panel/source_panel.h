// The editor of the program's own text in the Program view, with the program's output beside it.
#pragma once

#include <memory>
#include <string_view>

#include "app/widgets/panel.h"

namespace warplens {

struct ProgramEditor;

struct SourcePanelState {
  std::shared_ptr<ProgramEditor> editor;  // null until it is needed
};

// The button that opens and closes the editor; nothing for a program that is no text.
void draw_edit_chip(const AppState& state, Actions& actions);
// Nothing while the editor is closed.
void draw_program_source(const AppState& state, SourcePanelState& own, Actions& actions);

}  // namespace warplens
