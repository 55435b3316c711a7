// Parses lists of block shapes and sizes from the command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dim3.h"
#include "core/base/result.h"

namespace warplens {

// "32,64,16x16": commas separate shapes, x separates axes. Empty text gives an empty list.
Result<std::vector<Dim3>> parse_blocks(std::string_view option, const std::string& text);
// "1000,10000", each at least 1.
Result<std::vector<uint64_t>> parse_sizes(std::string_view option, const std::string& text);

}  // namespace warplens
