// Reads the debug sections of a PTX text: DWARF 2, as CUDA's compilers write it (-G, or Numba's debug=True).
#pragma once

#include "core/base/result.h"
#include "core/ptx/debug/debug_info.h"
#include "core/ptx/tree.h"

namespace warplens::debug {

// A text without debug sections, and one with -lineinfo only, gives no functions. Tags, attributes and
// operations that are not known are skipped. An error names the line of the PTX.
Result<DebugInfo> read_debug_info(const ptx::Module& module);

}  // namespace warplens::debug
