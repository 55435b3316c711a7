// Adjusts the marks of facts that the PTX of a launch does not determine.
#pragma once

#include "core/job/report/profile/facts.h"

namespace warplens::profile {

// Machine code has a stack, loops that wait, and copies past L1 that are not in the PTX. Lowers the marks of
// the counts that depend on them, and raises those that the assembler knows better. `ptx` is the text of the
// launch's module.
void settle_marks(const LaunchRecord& record, std::string_view ptx, bool cooperative, Facts& facts);

}  // namespace warplens::profile
