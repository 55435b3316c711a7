// Work between two frames of a page, on stacks of its own: it can stop in its midst, let the page draw, and
// go on later. The browser switches the stacks (JavaScript Promise Integration).
#pragma once

#include "app/host/work_time.h"

namespace warplens::host {

// Whether this browser can. If not, a piece of work is done whole between two frames.
bool has_stacks();

// Some work, for about this many seconds. What was stopped goes on once the page's own call has returned.
// False: there is none now.
bool work_for(double seconds);

// What the pieces so far say of how long the next one may be.
const WorkTime& work_time();

}  // namespace warplens::host
