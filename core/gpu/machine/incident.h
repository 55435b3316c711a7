// Turns a fault of the executor into an incident with kernel file and line, block, thread and a sentence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/state/memory.h"
#include "core/launch/run_result.h"
#include "core/program/program.h"

namespace warplens {

// What to do about an access past the end of an array, and about one that is far from all, if nothing more is
// known.
inline constexpr std::string_view index_advice =
    "Test the index against the size before the access, as in if (i < n).";
inline constexpr std::string_view address_advice =
    "Check how the address is made: the index may be too large, or the memory may have been freed.";

struct SourcePlace {
  std::string file;
  uint32_t line = 0;
};

// The source of an instruction: its innermost .loc. If that has line 0 ("no line"), it is the nearest line
// before it in the text.
SourcePlace source_place(const program::Program& program, uint32_t instruction);

// For inlined code: the calls through which it was inlined, the innermost first.
std::vector<SourcePlace> inlined_at(const program::Program& program, uint32_t instruction);

// The array that an access to global memory was meant for: the one that holds the address, else the one below
// it. Null if there is none, and for addresses past the end of all device memory, such as those of host
// memory.
const exec::Allocation* array_near(const exec::Memory& memory, uint64_t address);

Incident describe(const exec::Fault& fault, const program::Program& program, const exec::Memory& memory,
                  Dim3 block_position, Dim3 block_extent);

}  // namespace warplens
