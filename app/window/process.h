// The operating system's functions for processes.
#pragma once

namespace warplens {

long own_process_id();
// Whether there is a process with this id. True if that cannot be known.
bool process_is_alive(long id);
// Restarts the program in this process, without arguments and with a further environment variable. It
// returns only if that fails.
void begin_program_anew(const char* variable, const char* value);

}  // namespace warplens
