// What the teacher sees in a window of their own while a lesson is presented: notes and answers of the step,
// the votes of the class, and what comes next.
#pragma once

#include <string>

#include "app/state/actions.h"
#include "app/state/state.h"
#include "core/lesson/load/notes.h"

namespace warplens {

// What the teacher was told last. Notes and the title of the next step are empty while they are being made.
struct TeacherNotes {
  std::string notes;
  lesson::StepText next;
};

void draw_teacher_notes(const AppState& state, const TeacherNotes& told, const std::string& clock,
                        Actions& actions);

}  // namespace warplens
