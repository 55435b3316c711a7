// Figures as Nsight Compute writes them.
#pragma once

#include <string>

#include "core/job/report/profile/profile.h"

namespace warplens::profile {

struct Shown {
  std::string value, unit;
};
// 16384 byte/block → "16.38", "Kbyte/block"; "n/a" if it is not known.
Shown shown_for_people(const Figure& figure);
// In base units and without separators, so that a script can read the number. `digits` after the decimal
// point.
std::string shown_for_scripts(const Figure& figure, int digits);
// "modelled", and where its error was measured, "modelled ±7.1 %".
std::string shown_mark(const Figure& figure);
std::string shown_extents(Dim3 extents);  // "(256, 1, 1)"

}  // namespace warplens::profile
