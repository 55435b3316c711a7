// Links neighbouring ops of a basic block: the second finds the first one's result in vector registers
// (Links). Where no other op reads it, it need not be written to the frame at all.
#include "core/program/decode/decoder.h"
#include "core/program/flow/liveness.h"

namespace warplens::program {

namespace {

// Where a compiler makes no jump of the last call in a handler, each link takes room on the stack.
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

// `live` is what is read behind the instruction, and becomes what is read from it on.
void step_back(const ptx::Function& function, const Instruction& instruction, std::vector<uint64_t>& live) {
  if (live.empty()) return;
  const Uses uses = uses_of(function, instruction);
  for (const uint32_t r : uses.writes) live[r / 64] &= ~(uint64_t{1} << (r % 64));
  for (const uint32_t r : uses.reads) live[r / 64] |= uint64_t{1} << (r % 64);
}

}  // namespace

// Ops that run only for some lanes, or with another rounding mode, stay alone.
std::vector<bool> Decoder::ops_that_stay_alone() const {
  std::vector<bool> alone(m_program.ops.size(), false);
  for (size_t i = m_code.entry_op; i < alone.size(); ++i) {
    const Op& op = m_program.ops[i];
    size_t behind = i + 1;
    if (op.handlers.run[all_lanes] == m_table.of(Routine::guard)) behind = i + static_cast<size_t>(op.jump);
    if (op.handlers.run[all_lanes] == m_table.of(Routine::rounded)) behind = i + 2;
    std::fill(alone.begin() + static_cast<std::ptrdiff_t>(i + 1),
              alone.begin() + static_cast<std::ptrdiff_t>(behind), true);
    if (op.handlers.links == nullptr) alone[i] = true;
  }
  return alone;
}

// What `first` writes is a register that is read by `second` and then no more.
bool Decoder::is_read_once(const Op& first, const Op& second, const std::vector<uint64_t>& live) const {
  if (live.empty() || first.instruction == second.instruction) return false;
  const Uses uses =
      uses_of(m_function, m_function.instructions[first.instruction - m_code.first_instruction]);
  if (uses.writes.size() != 1) return false;
  const uint32_t r = uses.writes[0];
  return m_register_slots[r] == first.d && !(live[r / 64] >> (r % 64) & 1);
}

// From the end to the start, for how an op takes its sources depends on what becomes of its result.
void Decoder::link_block(uint32_t b, const std::vector<bool>& alone) {
  const size_t begin = m_block_op[b], end = b + 1 < m_block_op.size() ? m_block_op[b + 1] : alone.size();
  const BasicBlock& block = m_flow.blocks[b];
  std::vector<uint64_t> live = live_behind(block);  // what is read from instruction `at` on
  uint32_t at = block.first + block.count, chain = 0;
  bool keeps = true;  // ops[i + 1] writes its result to the frame
  for (size_t i = end - 1; i-- > begin;) {
    Op &first = m_program.ops[i], &second = m_program.ops[i + 1];
    const bool may_link =
        !alone[i] && !alone[i + 1] && chain < longest_chain && first.handlers.links->result_bytes != 0;
    chain = may_link ? chain + 1 : 0;
    const bool passes_on = !keeps;
    keeps = true;
    if (!may_link) continue;
    const auto& forms = second.handlers.links->takes[passes_on ? 0 : 1];
    uint32_t taken = sources_of(second, first);
    if (forms[taken] == nullptr) taken = 0;
    const uint32_t instruction = second.instruction - m_code.first_instruction;
    for (; at > instruction + 1; --at) step_back(m_function, m_function.instructions[at - 1], live);
    const bool is_last = i + 2 == end || m_program.ops[i + 2].instruction != second.instruction;
    keeps = taken == 0 || !is_last || !is_read_once(first, second, live);
    first.handlers.run[all_lanes] = first.handlers.links->first[keeps];
    first.flags |= flag_linked;
    second.linked = forms[taken];
  }
}

void Decoder::link_ops() {
  if (m_program.for_stepping) return;
  const std::vector<bool> alone = ops_that_stay_alone();
  for (uint32_t b = 0; b < m_block_op.size(); ++b) link_block(b, alone);
}

}  // namespace warplens::program
