// A fault as the executor knows it → an incident with kernel file and line, block, thread and a sentence.
#pragma once

#include <string>
#include <vector>

#include "core/backend/run_result.h"
#include "core/exec/grid.h"
#include "core/exec/memory.h"
#include "core/ir/program.h"

namespace warplens {

struct SourcePlace {
  std::string file;
  uint32_t line = 0;
};

// Where an instruction comes from: its innermost .loc. Line 0 is "no line"; then the nearest line before it
// in the text.
SourcePlace source_place(const ir::Program& program, uint32_t instruction);

// Of inlined code: where the functions were called that it was inlined into, the innermost first.
std::vector<SourcePlace> inlined_at(const ir::Program& program, uint32_t instruction);

Incident describe(const exec::Fault& fault, const ir::Program& program, const exec::Memory& memory,
                  Dim3 block_position, Dim3 block_extent);

}  // namespace warplens
