// The target for AVX-512.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/gpu/exec/jit/runtime/lookers.h"
#include "core/gpu/exec/jit/runtime/target.h"

namespace warplens::exec::tier {

// False: this build has no encoder, and nothing is ever compiled.
bool can_compile();

// What the list of targets has for AVX-512.
jit::Made compile_for_avx512(const jit::CompileRequest& request);

// Machine code of some basic blocks. `entered` is where code can begin: an op, and how far behind the start.
// Both are empty where the encoder refused an instruction.
struct Compiled {
  std::vector<uint8_t> bytes;
  std::vector<std::pair<uint32_t, size_t>> entered;
};
// ops: those that run. starts: of them. steps_of_shapes: see Piece. checks: the operands of each instruction,
// for tests. entries: what other code of this mode goes on by (CompiledProgram).
Compiled compile_blocks(const program::Program& program, const Op* ops, const std::vector<uint32_t>& starts,
                        Mode mode, const Lookers& lookers, bool checks,
                        const std::atomic<const void*>* entries, StepsOfShapes& steps_of_shapes);

}  // namespace warplens::exec::tier
