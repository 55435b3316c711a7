// Work between two frames of a page, on separate stacks: it can stop at any point, let the page draw, and
// continue later. The browser switches the stacks (JavaScript Promise Integration).
#pragma once

#include "app/host/work_time.h"

namespace warplens::host {

// Whether this browser can switch stacks. If not, a piece of work runs to its end between two frames.
bool has_stacks();

// Works for about this many seconds. Stopped work continues after the page's own call has returned.
// False if there is no work now.
bool work_for(double seconds);

// Computes the time of the next piece from those before.
const WorkTime& work_time();

}  // namespace warplens::host
