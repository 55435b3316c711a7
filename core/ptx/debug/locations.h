// Location expressions and lists of DWARF: where a value is.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ptx/debug/debug_info.h"
#include "core/ptx/debug/sections.h"

namespace warplens::debug {

// The expression in these bytes of a section.
Place read_expression(const Section& section, uint64_t begin, uint64_t length);
// The list at an offset of .debug_loc. For a truncated list, the part that is there.
std::vector<PlaceRange> read_location_list(const Section& section, uint64_t offset);
// The pairs of labels at an offset of .debug_ranges.
std::vector<LabelRange> read_label_ranges(const Section& section, uint64_t offset);

}  // namespace warplens::debug
