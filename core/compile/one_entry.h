// Reduces the text of a module to one of its kernels.
#pragma once

#include <string>
#include <string_view>

namespace warplens {

// The PTX without all other kernels; functions and variables stay. CUDA's assembler takes half a minute
// for the 418 kernels of a library of Thrust's sorts, and a few milliseconds for one of them.
std::string with_one_entry(std::string_view ptx, std::string_view entry);

}  // namespace warplens
