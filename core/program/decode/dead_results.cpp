#include "core/program/decode/passes.h"
#include "core/program/flow/liveness.h"

namespace warplens::program {

namespace {

// Registers that are live after the block; empty if unknown.
std::vector<uint64_t> live_behind(Emitter& emitter, const BasicBlock& block) {
  const auto& live_at_start = emitter.live_at_start();
  if (live_at_start.empty()) return {};
  std::vector<uint64_t> live((emitter.function().registers.size() + 63) / 64);
  for (const uint32_t next : block.successors) {
    for (size_t w = 0; w < live.size(); ++w) live[w] |= live_at_start[next][w];
  }
  return live;
}

// Nothing is known about instructions with several results, or that write only a part of a register.
void mark_block(Emitter& emitter, uint32_t b, size_t begin, size_t end) {
  const std::vector<uint64_t> live = live_behind(emitter, emitter.flow().blocks[b]);
  if (live.empty()) return;
  const uint32_t first = emitter.code().first_instruction;
  uint32_t before = UINT32_MAX, result = UINT32_MAX;
  for (size_t i = begin; i < end; ++i) {
    Op& op = emitter.program().ops[i];
    if (op.instruction != before) {
      before = op.instruction;
      const Uses uses = uses_of(emitter.function(), emitter.function().instructions[op.instruction - first]);
      result = uses.writes.size() == 1 ? uses.writes[0] : UINT32_MAX;
    }
    if (result == UINT32_MAX || emitter.register_at(result).slot != op.d) continue;
    if ((live[result / 64] >> (result % 64) & 1) == 0) op.flags |= flag_dead_out;
  }
}

}  // namespace

void mark_dead_results(Emitter& emitter) {
  if (emitter.program().for_stepping) return;
  const std::vector<size_t> starts = block_starts(emitter);
  for (uint32_t b = 0; b < starts.size(); ++b)
    mark_block(emitter, b, starts[b], b + 1 < starts.size() ? starts[b + 1] : emitter.next_op());
}

}  // namespace warplens::program
