// The one thing that is asked of the operating system about processes.
#pragma once

namespace warplens {

long own_process_id();
// Is there a process of this id? True where it cannot be known.
bool process_is_alive(long id);

}  // namespace warplens
