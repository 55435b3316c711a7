// The lines of the PTX that belong to each line of the source, and the other way round, from the .loc
// directives.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/views/model/code_lines.h"
#include "core/kernels/catalogue.h"

namespace warplens {

// Line numbers count from 1.
struct CodeLinks {
  std::shared_ptr<const std::string> ptx;  // what `ptx_lines` points into
  std::vector<std::string_view> ptx_lines;
  std::vector<uint32_t> source_of;                   // source line of PTX line i + 1; 0 if none
  std::map<uint32_t, std::vector<uint32_t>> ptx_of;  // source line → PTX lines, ascending
  uint32_t entry_line = 1, entry_end = 1;            // of the kernel in the PTX
};

// Inlined code belongs to its own line and to the lines that called it. `source_of` has its own line, or the
// nearest calling line in this file if its own is in another file.
CodeLinks link_code(const KernelDescription& kernel);

}  // namespace warplens
