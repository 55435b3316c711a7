// Places of blocks and threads as people write them, and what a line counted.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/dim3.h"
#include "core/launch/run_result.h"

namespace warplens::dap {

// "(3,0,0)".
std::string text_of(Dim3 place);
// "3", "3,1" or "(3,1,0)", counted from 0.
std::optional<Dim3> parse_place(std::string_view text);

// "320 warp instructions, 50 % of lanes, 375 sectors (120 needed)". What is 0 is left out.
std::string words_of(const LineCounters& line);

}  // namespace warplens::dap
