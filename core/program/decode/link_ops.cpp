#include "core/program/decode/passes.h"
#include "core/program/flow/liveness.h"

namespace warplens::program {

namespace {

// If the compiler does not turn the last call of a handler into a jump, each link needs stack space.
constexpr uint32_t longest_chain = 64;

// Bits of the sources of `second` that are the result of `first`.
uint32_t sources_of(const Op& second, const Op& first) {
  const uint8_t bytes = first.handlers.links->result_bytes;
  const uint32_t slots[3] = {second.a, second.b, second.c};
  uint32_t taken = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    if (second.handlers.links->source_bytes[i] == bytes && slots[i] == first.d) taken |= 1u << i;
  }
  return taken;
}

// `live` is what is live after the instruction, and becomes what is live before it.
void step_back(const ptx::Function& function, const Instruction& instruction, std::vector<uint64_t>& live) {
  if (live.empty()) return;
  const Uses uses = uses_of(function, instruction);
  for (const uint32_t r : uses.writes) live[r / 64] &= ~(uint64_t{1} << (r % 64));
  for (const uint32_t r : uses.reads) live[r / 64] |= uint64_t{1} << (r % 64);
}

// Ops that are never linked: they run only for some lanes, or with another rounding mode.
std::vector<bool> ops_that_stay_alone(const Emitter& emitter) {
  std::vector<bool> alone(emitter.next_op(), false);
  for (size_t i = emitter.code().entry_op; i < alone.size(); ++i) {
    const Op& op = emitter.program().ops[i];
    size_t behind = i + 1;
    if (op.handlers.run[all_lanes] == emitter.table().of(Routine::guard))
      behind = i + static_cast<size_t>(op.jump);
    if (op.handlers.run[all_lanes] == emitter.table().of(Routine::rounded)) behind = i + 2;
    std::fill(alone.begin() + static_cast<std::ptrdiff_t>(i + 1),
              alone.begin() + static_cast<std::ptrdiff_t>(behind), true);
    if (op.handlers.links == nullptr) alone[i] = true;
  }
  return alone;
}

// Whether `first` writes a register that is read only by `second`.
bool is_read_once(const Emitter& emitter, const Op& first, const Op& second,
                  const std::vector<uint64_t>& live) {
  if (live.empty() || first.instruction == second.instruction) return false;
  const Uses uses =
      uses_of(emitter.function(),
              emitter.function().instructions[first.instruction - emitter.code().first_instruction]);
  if (uses.writes.size() != 1) return false;
  const uint32_t r = uses.writes[0];
  return emitter.register_at(r).slot == first.d && !(live[r / 64] >> (r % 64) & 1);
}

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

// Goes from the end to the start, since the form of an op depends on how its result is used.
void link_block(Emitter& emitter, uint32_t b, size_t begin, size_t end, const std::vector<bool>& alone) {
  const BasicBlock& block = emitter.flow().blocks[b];
  std::vector<uint64_t> live = live_behind(emitter, block);  // live before instruction `at`
  uint32_t at = block.first + block.count, chain = 0;
  bool keeps = true;  // ops[i + 1] writes its result to the frame
  for (size_t i = end - 1; i-- > begin;) {
    Op &first = emitter.program().ops[i], &second = emitter.program().ops[i + 1];
    const bool may_link =
        !alone[i] && !alone[i + 1] && chain < longest_chain && first.handlers.links->result_bytes != 0;
    chain = may_link ? chain + 1 : 0;
    const bool passes_on = !keeps;
    keeps = true;
    if (!may_link) continue;
    const auto& forms = second.handlers.links->takes[passes_on ? 0 : 1];
    uint32_t taken = sources_of(second, first);
    if (forms[taken] == nullptr) taken = 0;
    const uint32_t instruction = second.instruction - emitter.code().first_instruction;
    for (; at > instruction + 1; --at)
      step_back(emitter.function(), emitter.function().instructions[at - 1], live);
    const bool is_last = i + 2 == end || emitter.program().ops[i + 2].instruction != second.instruction;
    keeps = taken == 0 || !is_last || !is_read_once(emitter, first, second, live);
    first.handlers.run[all_lanes] = first.handlers.links->first[keeps];
    first.flags |= flag_linked;
    second.linked = forms[taken];
  }
}

// Marks results that are not read after the block. Nothing is known about instructions with several results,
// or that write only a part of a register.
void mark_forgotten(Emitter& emitter, uint32_t b, size_t begin, size_t end) {
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

void link_ops(Emitter& emitter) {
  if (emitter.program().for_stepping) return;
  const std::vector<bool> alone = ops_that_stay_alone(emitter);
  const std::vector<size_t> starts = block_starts(emitter);
  for (uint32_t b = 0; b < starts.size(); ++b) {
    const size_t end = b + 1 < starts.size() ? starts[b + 1] : alone.size();
    link_block(emitter, b, starts[b], end, alone);
    mark_forgotten(emitter, b, starts[b], end);
  }
}

}  // namespace warplens::program
