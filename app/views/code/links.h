// Which lines of the PTX belong to which lines of the source, both ways, from the .loc directives.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/catalogue.h"

namespace warplens {

std::vector<std::string_view> lines_of(std::string_view text);

// Line numbers count from 1.
struct CodeLinks {
  std::shared_ptr<const std::string> ptx;  // what `ptx_lines` points into
  std::vector<std::string_view> ptx_lines;
  std::vector<uint32_t> source_of;  // by PTX line − 1: the line of the kernel's source; 0: none
  std::map<uint32_t, std::vector<uint32_t>> ptx_of;  // source line → PTX lines, ascending
  uint32_t entry_line = 1, entry_end = 1;            // of the kernel in the PTX
};

// Code that was inlined belongs to its own line and to the lines that called it; `source_of` has the own one,
// or, where that is in another file, the nearest caller in this one.
CodeLinks link_code(const KernelDescription& kernel);

}  // namespace warplens
