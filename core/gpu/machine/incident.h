// A fault as the executor knows it → an incident with kernel file and line, block, thread and a sentence.
#pragma once

#include <string>
#include <vector>

#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/state/memory.h"
#include "core/launch/run_result.h"
#include "core/program/program.h"

namespace warplens {

struct SourcePlace {
  std::string file;
  uint32_t line = 0;
};

// Where an instruction comes from: its innermost .loc. Line 0 is "no line"; then the nearest line before it
// in the text.
SourcePlace source_place(const program::Program& program, uint32_t instruction);

// Of inlined code: where the functions were called that it was inlined into, the innermost first.
std::vector<SourcePlace> inlined_at(const program::Program& program, uint32_t instruction);

Incident describe(const exec::Fault& fault, const program::Program& program, const exec::Memory& memory,
                  Dim3 block_position, Dim3 block_extent);

}  // namespace warplens
