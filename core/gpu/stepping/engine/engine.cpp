#include "core/gpu/stepping/engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <new>

#include "core/gpu/machine/incident.h"

namespace warplens::stepping {

std::span<const uint32_t> Engine::set(uint32_t warp) const {
  return std::span(m_set).subspan(size_t{warp} * m_table->registers(), m_table->registers());
}

const std::vector<uint32_t>* Engine::saved_set(uint32_t warp, size_t frame) const {
  const auto& frames = m_saved_sets[warp];
  return frame < frames.size() ? frames[frame].get() : nullptr;
}

uint32_t Engine::executed_lanes(const InstructionInfo& info, const exec::Warp& warp, uint32_t mask) const {
  if (info.guard == UINT32_MAX) return mask;
  const RegisterInfo& guard = m_table->reg(m_table->first_register(info.function) + info.guard);
  const uint32_t predicate = warp.predicate(guard.slot);
  return mask & (info.guard_negated ? ~predicate : predicate);
}

TraceEntry Engine::next_entry() const {
  const exec::Path& path = m_steps->path();
  const uint32_t number = path.next->instruction;
  const exec::Warp& warp = m_block->warps()[m_steps->warp()];
  return {.instruction = number,
          .active = path.mask,
          .executed = executed_lanes(m_table->instruction(number), warp, path.mask),
          .warp = static_cast<uint16_t>(m_steps->warp())};
}

std::vector<Engine::Waiting> Engine::waiting_lanes(const exec::Warp& warp) const {
  std::vector<Waiting> all;
  for (const exec::Path& path : warp.paths) {
    if (path.at_sync) all.push_back({path.next->instruction, path.mask});
  }
  return all;
}

// The call to which the path's innermost function returns.
Engine::Return Engine::return_of(const exec::Warp& warp, const exec::Path& path) const {
  for (int32_t join = path.join; join >= 0; join = warp.joins[static_cast<size_t>(join)].parent) {
    const int32_t frame = warp.joins[static_cast<size_t>(join)].call;
    if (frame < 0) continue;
    const exec::Op* call = warp.frames[static_cast<size_t>(frame)].call;
    return {call->instruction, frame, &m_table->program().calls[call->state]};
  }
  return {};
}

void Engine::mark(uint32_t warp, uint32_t instruction, uint32_t lanes) {
  const InstructionInfo& info = m_table->instruction(instruction);
  uint32_t* set = m_set.data() + size_t{warp} * m_table->registers() + m_table->first_register(info.function);
  if (m_variables) m_variables->wrote(warp, instruction, lanes, Engine::set(warp));
  for (const uint32_t r : info.writes) set[r] |= lanes;
}

// Lanes that no longer wait have their results. Lanes of this instruction that wait now have none yet.
void Engine::mark_collectives(uint32_t warp, const TraceEntry& entry, std::vector<Waiting> before) {
  const std::vector<Waiting> now = waiting_lanes(m_block->warps()[warp]);
  before.push_back({entry.instruction, entry.executed});
  for (Waiting& waiting : before) {
    for (const Waiting& still : now)
      if (still.instruction == waiting.instruction) waiting.lanes &= ~still.lanes;
    mark(warp, waiting.instruction, waiting.lanes);
  }
}

// In a newly entered function, only the passed registers are set.
void Engine::mark_entered(uint32_t warp, const TraceEntry& entry) {
  uint32_t* set = m_set.data() + size_t{warp} * m_table->registers();
  for (const exec::Path& path : m_block->warps()[warp].paths) {
    const uint32_t lanes = path.mask & entry.executed;
    if (lanes == 0 || path.next->instruction == entry.instruction) continue;
    const uint32_t callee = m_table->instruction(path.next->instruction).function;
    const uint32_t caller = m_table->instruction(entry.instruction).function;
    const Return back = return_of(m_block->warps()[warp], path);
    const bool again = back.site != nullptr && !back.site->saved.empty();
    if (again) keep_set(warp, static_cast<size_t>(back.frame), caller);
    const uint32_t first = m_table->first_register(callee);
    const uint32_t passed = first + m_table->passed_registers(callee);
    for (uint32_t r = first; r < m_table->end_register(callee); ++r)
      set[r] = r < passed ? set[r] | lanes : set[r] & ~lanes;
    if (m_variables) m_variables->called(warp, lanes, again ? back.frame : -1, caller, callee);
  }
}

// Saves what is set in a function that may be entered again before the call returns.
void Engine::keep_set(uint32_t warp, size_t frame, uint32_t function) {
  auto& frames = m_saved_sets[warp];
  if (frames.size() <= frame) frames.resize(frame + 1);
  const std::span<const uint32_t> all = set(warp);
  frames[frame] = std::make_shared<const std::vector<uint32_t>>(
      all.begin() + m_table->first_register(function), all.begin() + m_table->end_register(function));
}

// After a call that may have been recursive, restores which registers were set before it.
void Engine::mark_returned(uint32_t warp, const TraceEntry& entry, const Return& back) {
  if (back.site == nullptr) return;
  const uint32_t caller = m_table->instruction(back.call).function;
  const auto frame = static_cast<size_t>(back.frame);
  if (!back.site->saved.empty() && frame < m_saved_sets[warp].size() && m_saved_sets[warp][frame]) {
    const std::vector<uint32_t>& saved = *m_saved_sets[warp][frame];
    uint32_t* set = m_set.data() + size_t{warp} * m_table->registers() + m_table->first_register(caller);
    for (size_t r = 0; r < saved.size(); ++r)
      set[r] = (set[r] & ~entry.executed) | (saved[r] & entry.executed);
    if (m_variables) m_variables->returned(warp, entry.executed, back.frame, caller);
  }
  mark(warp, back.call, entry.executed);
}

void Engine::record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                    const uint64_t* addresses) {
  SteppedAccess access{.space = space, .kind = kind, .lanes = mask, .bytes = op.bytes};
  const bool writes = space == Space::global && kind != AccessKind::load;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    access.address[lane] = addresses[lane];
    if (writes) m_history.touch(m_machine->memory(), addresses[lane], op.bytes);
    if (space == Space::shared && kind != AccessKind::load) note_writer(warp, addresses[lane], op.bytes);
  }
  m_accesses.push_back(access);
  if (m_variables && space == Space::local && kind != AccessKind::load)
    m_variables->stored(warp, mask, addresses, op.bytes);
}

void Engine::note_writer(uint32_t warp, uint64_t address, uint32_t bytes) {
  if (address >= m_shared_writers.size()) return;
  const size_t count = std::min<size_t>(bytes, m_shared_writers.size() - static_cast<size_t>(address));
  std::fill_n(m_shared_writers.begin() + static_cast<std::ptrdiff_t>(address), count,
              static_cast<uint8_t>(warp + 1));
}

void Engine::advance() {
  try {
    run_next();
  } catch (const std::bad_alloc&) {
    m_broken = true;
    m_end = End::no_memory;
  }
}

void Engine::run_next() {
  m_accesses.clear();
  TraceEntry entry = next_entry();
  const uint32_t warp = entry.warp;
  const InstructionInfo& info = m_table->instruction(entry.instruction);
  const exec::Warp& running = m_block->warps()[warp];
  const auto waits = [](const exec::Path& path) { return path.at_sync; };
  const bool collective = info.collective || std::ranges::any_of(running.paths, waits);
  std::vector<Waiting> waiting;
  if (collective) waiting = waiting_lanes(running);
  uint32_t lanes = entry.active;
  for (const Waiting& others : waiting) lanes |= others.lanes;
  const Return back = info.returns ? return_of(running, m_steps->path()) : Return{};
  m_steps->advance();
  refill();
  ++m_index;
  const bool failed = m_steps->state() == exec::StepState::fault && m_block->fault().op != nullptr &&
                      m_block->fault().op->instruction == entry.instruction && m_block->fault().warp == warp;
  if (!failed) {
    if (collective) {
      mark_collectives(warp, entry, std::move(waiting));
    } else if (info.returns) {
      mark_returned(warp, entry, back);
    } else if (info.calls) {
      mark_entered(warp, entry);
    } else if (!info.writes.empty()) {
      mark(warp, entry.instruction, entry.executed);
    }
    if (m_variables) m_variables->moved(warp, lanes, info.returns ? back.call : entry.instruction);
  }
  apply_turns();
  note_end();
  if (m_index <= m_recorded) return;
  if (!m_accesses.empty()) {
    entry.bytes = static_cast<uint8_t>(m_accesses.front().bytes);
    entry.space = m_accesses.front().space;
  }
  if (m_entries.size() < m_options.trace_limit) m_entries.push_back(entry);
  m_recorded = m_index;
  if (m_end == End::none) note_waiting();
  if (m_end != End::none) {
    m_length = m_index;
  } else if (m_index % m_spacing == 0) {
    try_checkpoint();
  }
}

// When only one block runs, it gets its next slice at once.
void Engine::refill() {
  while (m_steps->state() == exec::StepState::paused) {
    const int64_t slice = exec::slice_steps_of(m_launch);
    m_granted += slice - m_steps->steps_left();
    m_steps->give(slice);
  }
}

void Engine::note_end() {
  m_end = End::none;
  switch (m_steps->state()) {
    case exec::StepState::finished:
      m_end = End::finished;
      return;
    case exec::StepState::fault:
      m_end = End::fault;
      return;
    default:
      break;
  }
  const int64_t used = m_granted - m_steps->steps_left();
  if (used > 0 && static_cast<uint64_t>(used) > m_launch.step_budget) m_end = End::fault;
  if (m_waits_at == m_index) m_end = End::waits;
}

// If a block has the same registers, memory and positions as some rounds ago, it repeats itself forever: what
// it waits for can only come from other blocks. The comparison leaves out only the lengths of turns. Cycles
// are found with Brent's algorithm: each state is compared with a past one, which is replaced at growing
// intervals.
void Engine::note_waiting() {
  constexpr uint64_t look_each = uint64_t{1} << 16;
  const bool new_round = m_steps->rounds() != m_looked_round;
  m_looked_round = m_steps->rounds();
  if (!new_round || m_index - m_looked_at < look_each) return;
  m_looked_at = m_index;
  const uint64_t now = hash();
  if (m_looks++ != 0 && now == m_seen_hash) {
    m_waits_at = m_index;
    m_end = End::waits;
    return;
  }
  if (m_looks >= m_next_keep) {
    m_seen_hash = now;
    m_next_keep = 2 * m_looks;
  }
}

uint64_t Engine::hash() const {
  Hash hash;
  hash.add(m_history.hash(m_machine->memory()));
  const exec::Op* first = m_table->program().ops.data();
  const auto op_number = [&](const exec::Op* op) { return op == nullptr ? 0 : uint64_t(op - first) + 1; };
  for (const exec::Warp& warp : m_block->warps()) {
    hash.add(static_cast<uint64_t>(m_block->state(warp.index)) << 32 | warp.live);
    hash.add(static_cast<uint64_t>(warp.turn));
    for (const exec::Path& path : warp.paths) {
      hash.add(op_number(path.next) << 32 | path.mask);
      hash.add(uint64_t{path.sync_mask} << 2 | uint64_t{path.at_barrier} << 1 | uint64_t{path.at_sync});
      hash.add(static_cast<uint64_t>(static_cast<uint32_t>(path.join)));
    }
    for (const exec::Join& join : warp.joins) {
      hash.add(op_number(join.op));
      if (join.op == nullptr) continue;  // free
      hash.add(uint64_t{join.waiting} << 32 | join.arrived);
      hash.add(static_cast<uint64_t>(static_cast<uint32_t>(join.parent)) << 32 |
               static_cast<uint32_t>(join.call));
    }
    for (const uint32_t stack : warp.stack) hash.add(stack);
    for (const exec::AsyncCopy& copy : warp.copies.pending) {
      hash.add(copy.mask);
      hash.add(copy.data.data(), copy.data.size());
    }
  }
  for (uint32_t b = 0; b < exec::barriers_per_block; ++b) hash.add(m_block->barriers().arrived(b));
  hash.add(m_steps->place().current);
  hash.add(m_block->running());
  return hash.value;
}

std::optional<Incident> Engine::incident() const {
  if (m_end != End::fault) return std::nullopt;
  const bool raised = m_steps->state() == exec::StepState::fault;
  const exec::Fault fault = raised ? m_block->fault() : m_block->fault_here(exec::FaultKind::step_limit);
  return describe(fault, m_table->program(), m_machine->memory(), m_position, m_step->block);
}

std::string Engine::end_message() const {
  switch (m_end) {
    case End::none:
      return {};
    case End::finished:
      return "The block has run to its end.";
    case End::fault:
      return incident()->message;
    case End::no_memory:
      return fmt::format(
          "There is not enough memory on this machine to run instruction {} of the block and keep the way "
          "back. Go back, or step through a smaller block.",
          m_index);
    case End::waits:
      return fmt::format(
          "Block ({},{},{}) repeats the same steps and changes nothing any more: it waits for something that "
          "only another block can write, and it runs alone here{}.",
          m_position.x, m_position.y, m_position.z,
          m_step->cooperative        ? ". grid.sync() needs all blocks: step only what comes before it"
          : m_options.earlier_blocks ? ", after the blocks before it"
                                     : "; let the blocks before it run first, if it waits for one of those");
  }
  return {};
}

}  // namespace warplens::stepping
