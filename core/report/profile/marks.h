// What of a launch cannot be told from its PTX: what follows from it is modelled, or known otherwise.
#pragma once

#include "core/report/profile/facts.h"

namespace warplens::profile {

// Machine code has a stack, loops that wait, and copies past L1 that the PTX says nothing of. Lowers the
// marks of the counts that depend on them, and sets those that the assembler tells better. `ptx` is the text
// of the launch's module.
void settle_marks(const LaunchRecord& record, std::string_view ptx, bool cooperative, Facts& facts);

}  // namespace warplens::profile
