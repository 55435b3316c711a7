// The source in the editor of ImGuiColorTextEdit, with errors and counters at their lines.
#pragma once

#include <memory>
#include <vector>

#include "app/views/model/incident_marks.h"
#include "app/widgets/panel.h"

namespace warplens {

struct CodeEditor;
struct SourceChange;

std::shared_ptr<CodeEditor> make_code_editor();

// The faults and findings of the shown run, if the shown text is the one that ran.
std::vector<IncidentMark> incidents_of_kernel(const AppState& state);

// Loads texts that come from elsewhere, and returns what the user types. It shows the chosen line and lets
// the user choose another one. The new lines of `change` are marked; it may be null. `chosen` is the line of
// the shared selection, or 0 if there is none.
void draw_code_editor(const AppState& state, CodeEditor& editor, uint32_t chosen, float width, float height,
                      const SourceChange* change, Actions& actions);

}  // namespace warplens
