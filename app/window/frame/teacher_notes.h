// What the teacher sees in a window of their own while a lesson is presented: notes and answers of the step,
// the votes of the class, and what comes next.
#pragma once

#include <string>

#include "app/state/actions.h"
#include "app/state/state.h"
#include "app/worker/notes_teller.h"

namespace warplens {

// `notes` are empty while they are being made.
void draw_teacher_notes(const AppState& state, const StepNotes& notes, const std::string& clock,
                        Actions& actions);

}  // namespace warplens
