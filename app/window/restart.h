// If the driver gives up the OpenGL context of the window, nothing that is drawn becomes visible any more.
// The program then saves everything and restarts in the same process, with the same session.
#pragma once

#include "app/window/shell.h"

namespace warplens {

inline constexpr const char* window_was_lost =
    "The graphics driver gave the window up, as some do after a kernel faulted on the same GPU. It was "
    "opened again; what you had chosen is as it was.";

// Whether the program was started in this way.
bool was_restarted();
// Restarts the program and does not return. If it cannot restart, or did so a moment ago, it says why and
// ends with status 1. The next start finds the saved session.
[[noreturn]] void restart(Shell& shell);

}  // namespace warplens
