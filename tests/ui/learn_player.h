// Plays a lesson in the window: types, clicks and presses as its ```solution and ```wrong describe.
#pragma once

#include <string>

#include "core/lesson/format/lesson.h"
#include "tests/ui/driver.h"

namespace warplens {

// The folder as on a teacher's disk, inside the tests' temporary folder.
std::string folder_on_disk(const lesson::Folder& folder);
// The example of docs/lessons.md.
lesson::Folder example_lesson();

// Opens a lesson of the program at the step with this id, and waits until the window shows it.
void open_step(Driver& d, const std::string& lesson, const std::string& step);
// Makes the part of the strip that asks the base of the following references: "$$0/##number" is then a field
// in it. If nothing is asked, the part above it is the base.
void in_strip(Driver& d);
// Presses a button of the strip's bar: "###next".
void press_bar(Driver& d, const char* id);
// Applies the moves with the strip's controls, and waits for the run.
void do_moves(Driver& d, const lesson::Moves& moves);
// Plays every step, first wrongly and then rightly, to the end.
void play_to_the_end(Driver& d);

}  // namespace warplens
