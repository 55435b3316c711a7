#include "core/gpu/machine/tally.h"
#include "core/gpu/exec/state/counters.h"

#include <algorithm>
#include <map>

#include "core/gpu/machine/chains.h"
#include "core/gpu/machine/incident.h"
#include "core/gpu/machine/issue_unit.h"

namespace warplens {

namespace {

using program::CountedOp;

// Instructions after a fault in its basic block did not run, although the block was counted as entered.
std::vector<exec::BlockCount> per_instruction(const exec::GridOutcome& outcome,
                                              const program::Program& program) {
  std::vector<exec::BlockCount> counts(program.instructions());
  for (size_t b = 0; b < program.flow.blocks.size(); ++b) {
    const program::BasicBlock& block = program.flow.blocks[b];
    for (uint32_t i = block.first; i < block.first + block.count; ++i) counts[i] = outcome.counts[b];
  }
  if (outcome.end == exec::GridOutcome::End::fault && outcome.fault.active != 0) {
    const uint32_t at = outcome.fault.op->instruction;
    const program::BasicBlock& block = program.flow.blocks[program.flow.block_of[at]];
    for (uint32_t i = at + 1; i < block.first + block.count; ++i) {
      if (counts[i].warps == 0) continue;
      --counts[i].warps;
      counts[i].threads -= std::min<uint64_t>(counts[i].threads, outcome.fault.active);
    }
  }
  return counts;
}

// A background copy has a counter for each end. The counter of the target knows both.
void add_copy(const CountedOp& op, const exec::MemoryOpState& state, Counters& c) {
  if (op.space != Space::shared) return;
  c.async_copy_requests += state.requests;
  c.async_copy_global_sectors += state.sectors;
  c.async_copy_shared_wavefronts += state.wavefronts;
  c.async_copy_bank_conflicts += state.conflicts;
}

void add_access(const CountedOp& op, const exec::MemoryOpState& state, Counters& c) {
  switch (op.space) {
    case Space::global:
    case Space::generic:
      if (op.access == AccessKind::load) {
        c.global_load_requests += state.requests;
        c.global_load_sectors += state.sectors;
      } else if (op.access == AccessKind::store) {
        c.global_store_requests += state.requests;
        c.global_store_sectors += state.sectors;
      } else {
        c.atomic_requests += state.requests;
        c.atomic_sectors += state.sectors;
      }
      break;
    case Space::shared:
      if (op.access == AccessKind::load) {
        c.shared_load_requests += state.requests;
        c.shared_load_wavefronts += state.wavefronts;
        c.shared_load_bank_conflicts += state.conflicts;
      } else if (op.access == AccessKind::store) {
        c.shared_store_requests += state.requests;
        c.shared_store_wavefronts += state.wavefronts;
        c.shared_store_bank_conflicts += state.conflicts;
      } else {
        c.shared_atomic_requests += state.requests;
        // A comparison sends two operands to the banks, one after the other (docs/counters.md).
        c.shared_atomic_wavefronts += state.wavefronts * (op.two_operands ? 2 : 1);
        c.shared_atomic_bank_conflicts += state.conflicts;
      }
      break;
    case Space::local:
      (op.access == AccessKind::load ? c.local_load_sectors : c.local_store_sectors) += state.sectors;
      break;
    case Space::constant:
      c.constant_load_requests += state.requests;
      break;
    case Space::parameter:
      break;  // parameters are operands of instructions on the hardware, not requests
  }
}

void add_to_mix(const program::Program& program, uint32_t instruction, const exec::BlockCount& count,
                InstructionMix& mix) {
  const IssueCost cost = issue_cost(*program.code_of(instruction).function, program.instruction(instruction));
  mix.of(cost.unit) += count.warps;
  mix.float_operations += count.threads * cost.float_operations;
  mix.double_operations += count.threads * cost.double_operations;
  mix.integer_operations += count.threads * cost.integer_operations;
}

void add_chains(const program::Program& program, const std::vector<exec::BlockCount>& blocks,
                InstructionMix& mix) {
  for (size_t b = 0; b < program.flow.blocks.size(); ++b) {
    if (blocks[b].warps == 0) continue;
    const Chain chain = chain_of(program, program.flow.blocks[b]);
    for (size_t link = 0; link < chain_links; ++link) mix.chain[link] += blocks[b].warps * chain[link];
  }
}

// The words that the most atomics of the launch access; over all instructions together.
void add_heat(const exec::GridOutcome& outcome, InstructionMix& mix) {
  exec::AtomicHeat sum;
  bool any = false;
  for (const exec::MemoryOpState& state : outcome.memory_ops) {
    if (state.heat == nullptr) continue;
    any = true;
    for (size_t cell = 0; cell < exec::AtomicHeat::cells; ++cell) {
      sum.lanes[cell] += state.heat->lanes[cell];
      sum.requests[cell] += state.heat->requests[cell];
    }
  }
  if (!any) return;
  for (const uint64_t lanes : sum.lanes) mix.atomic_updates += lanes;
  mix.atomic_hottest_lanes += *std::max_element(sum.lanes.begin(), sum.lanes.end());
  mix.atomic_hottest_requests += *std::max_element(sum.requests.begin(), sum.requests.end());
}

class Lines {
 public:
  Lines(const program::Program& program, std::vector<LineCounters>& lines)
      : m_program(program), m_lines(lines) {}

  LineCounters& of(uint32_t instruction) {
    const uint32_t location = m_program.instruction(instruction).location;
    const auto known = m_by_location.find(location);
    if (known != m_by_location.end() && location != 0) return m_lines[known->second];
    const SourcePlace place = source_place(m_program, instruction);
    size_t index = 0;
    while (index < m_lines.size() && (m_lines[index].line != place.line || m_lines[index].file != place.file))
      ++index;
    if (index == m_lines.size()) m_lines.push_back({.file = place.file, .line = place.line});
    // A location with line 0 uses the nearest line before it, which is not the same everywhere.
    if (m_program.module->locations[location].line != 0) m_by_location[location] = index;
    return m_lines[index];
  }

 private:
  const program::Program& m_program;
  std::vector<LineCounters>& m_lines;
  std::map<uint32_t, size_t> m_by_location;
};

}  // namespace

void tally(const exec::GridOutcome& outcome, const program::Program& program, bool memory_counted,
           Counters& counters, InstructionMix& mix, std::vector<LineCounters>& lines) {
  const auto counts = per_instruction(outcome, program);
  Lines by_line(program, lines);
  for (uint32_t i = 0; i < counts.size(); ++i) {
    if (counts[i].warps == 0) continue;
    counters.warp_instructions += counts[i].warps;
    counters.thread_instructions += counts[i].threads;
    add_to_mix(program, i, counts[i], mix);
    const ptx::Opcode opcode = program.instruction(i).opcode;
    if (opcode == ptx::Opcode::bra || opcode == ptx::Opcode::brx) counters.branches += counts[i].warps;
    if (program::is_block_barrier(*program.code_of(i).function, program.instruction(i)))
      counters.barriers += counts[i].warps;
    LineCounters& line = by_line.of(i);
    line.warp_instructions += counts[i].warps;
    line.thread_instructions += counts[i].threads;
  }
  add_chains(program, outcome.counts, mix);
  if (memory_counted) add_heat(outcome, mix);
  for (size_t i = 0; i < program.counted.size(); ++i) {
    const CountedOp& op = program.counted[i];
    const exec::MemoryOpState& state = outcome.memory_ops[i];
    if (state.requests == 0) continue;
    LineCounters& line = by_line.of(op.instruction);
    if (op.kind == CountedOp::Kind::branch) {
      counters.divergent_branches += state.requests;
      line.divergent_branches += state.requests;
      continue;
    }
    if (!memory_counted) continue;
    if (op.kind == CountedOp::Kind::texture) {
      counters.texture_requests += state.requests;
      counters.texture_sectors += state.sectors;
      line.texture_requests += state.requests;
      continue;
    }
    op.kind == CountedOp::Kind::copy ? add_copy(op, state, counters) : add_access(op, state, counters);
    if (op.space == Space::global && op.access == AccessKind::store && op.kind == CountedOp::Kind::access)
      mix.store_sectors_ideal += state.sectors_ideal;
    if (op.space == Space::global && op.access == AccessKind::load && op.kind == CountedOp::Kind::access)
      mix.load_sectors_ideal += state.sectors_ideal;
    if (op.space == Space::local && op.access == AccessKind::store)
      mix.local_store_sectors_ideal += state.sectors_ideal;
    if (op.space == Space::global && op.access != AccessKind::atomic)
      (op.access == AccessKind::load ? mix.load_lines : mix.store_lines) += state.lines;
    line.bank_conflicts += state.conflicts;
    if (op.space == Space::global || op.space == Space::generic) {
      line.global_requests += state.requests;
      line.global_sectors += state.sectors;
      line.global_sectors_ideal += state.sectors_ideal;
    } else if (op.space == Space::local) {
      line.local_requests += state.requests;
      line.local_sectors += state.sectors;
    } else if (op.space == Space::constant) {
      line.constant_requests += state.requests;
    }
  }
  std::sort(lines.begin(), lines.end(), [](const LineCounters& a, const LineCounters& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  });
}

}  // namespace warplens
