// Plays a lesson in the window: types, clicks and presses what its ```solution and ```wrong say.
#pragma once

#include <string>

#include "core/lesson/lesson.h"
#include "tests/ui/driver.h"

namespace warplens {

// The folder as a teacher would have it on disk, below the tests' temporary folder.
std::string folder_on_disk(const lesson::Folder& folder);
// The example of docs/lessons.md.
lesson::Folder example_lesson();

// Opens a lesson of the program at the step with this id, and waits until the window shows it.
void open_step(Driver& d, const std::string& lesson, const std::string& step);
// Makes the strip the reference of what follows: "##number" is a field in it.
void in_strip(Driver& d);
// Presses a button of the strip's bar: "###next".
void press_bar(Driver& d, const char* id);
// Does what the moves say through the strip's controls, and waits for the run.
void do_moves(Driver& d, const lesson::Moves& moves);
// Every step, once wrongly and then rightly, to the end.
void play_to_the_end(Driver& d);

}  // namespace warplens
