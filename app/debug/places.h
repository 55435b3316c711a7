// Places of blocks and threads as people write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/dim3.h"

namespace warplens::dap {

// "(3,0,0)".
std::string text_of(Dim3 place);
// "3", "3,1" or "(3,1,0)", counted from 0.
std::optional<Dim3> parse_place(std::string_view text);

}  // namespace warplens::dap
