// The views that need no run: what can be said of a launch before it starts.
#pragma once

#include "app/cli/render_picture.h"
#include "app/views/occupancy/model.h"

namespace warplens {

// Asks the linker for the kernel's registers on every device of the list; one that it does not know is left
// out, and the view says so.
OccupancyView occupancy_of_job(const Job& job);

}  // namespace warplens
