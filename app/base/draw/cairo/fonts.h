// The program's own fonts for pictures in files. They are part of the program, so that a picture looks the
// same on every machine.
#pragma once

namespace warplens {

// Makes them known to cairo. Only the first call does something.
void use_own_fonts();

}  // namespace warplens
