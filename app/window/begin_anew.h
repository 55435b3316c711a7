// A window whose OpenGL context the driver gave up is not drawn any more: the program keeps everything and
// begins anew in the same process, with the session that it had.
#pragma once

#include "app/window/shell.h"

namespace warplens {

inline constexpr const char* window_was_lost =
    "The graphics driver gave the window up, as some do after a kernel faulted on the same GPU. It was "
    "opened again; what you had chosen is as it was.";

// This program was begun so.
bool began_anew();
// Does not return: where the program cannot begin anew, or did so a moment ago, it says why and ends with 1.
// What was kept is there at the next start.
[[noreturn]] void begin_anew(Shell& shell);

}  // namespace warplens
