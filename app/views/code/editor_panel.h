// The source in ImGuiColorTextEdit's editor, with errors at their lines and counters beside them.
#pragma once

#include <memory>

#include "app/widgets/panel.h"

namespace warplens {

struct CodeEditor;

std::shared_ptr<CodeEditor> make_code_editor();

// Takes texts that did not come from it, hands back what was typed, follows and sets the chosen line.
// `chosen`: the line of the shared selection; 0: none.
void draw_code_editor(const AppState& state, CodeEditor& editor, uint32_t chosen, float width, float height,
                      Actions& actions);

}  // namespace warplens
