// Links PTX texts: what one declares and another defines becomes one module. The functions that the CUDA
// device runtime would bring for cooperative launches are added if they are used.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warplens::driver {

struct PtxPart {
  std::string_view name, text;
};

// One text for all parts. Errors: no part; a symbol that two parts define.
Result<std::string> merge_ptx(std::span<const PtxPart> parts);

// The text with the definitions of cudaCGGetIntrinsicHandle and cudaCGSynchronize, if it declares them.
std::string with_grid_barrier(std::string ptx);

}  // namespace warplens::driver
