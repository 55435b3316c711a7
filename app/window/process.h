// What is asked of the operating system about processes.
#pragma once

namespace warplens {

long own_process_id();
// Is there a process of this id? True where it cannot be known.
bool process_is_alive(long id);
// Runs this program from its beginning in place of what runs now, without arguments and with one more
// variable in its environment. Returns only where that does not go.
void begin_program_anew(const char* variable, const char* value);

}  // namespace warplens
