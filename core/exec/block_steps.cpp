#include "core/exec/block_steps.h"

#include "core/exec/step.h"
#include "core/ir/program.h"

namespace warplens::exec {

std::vector<bool> instruction_starts(const ir::Program& program) {
  std::vector<bool> starts(program.ops.size());
  for (size_t f = 0; f < program.functions.size(); ++f) {
    const size_t first = program.functions[f].entry_op;
    const size_t end = f + 1 < program.functions.size() ? program.functions[f + 1].entry_op : starts.size();
    uint32_t before = UINT32_MAX;
    bool in_block = false;
    // The last op is what running off the end does; those before the first basic block are of no instruction.
    for (size_t i = first; i + 1 < end; ++i) {
      const Op& op = program.ops[i];
      if (op.handlers.run[all_lanes] == &run_enter) {
        in_block = true;
        before = UINT32_MAX;
        continue;
      }
      starts[i] = in_block && op.instruction != before;
      before = op.instruction;
    }
  }
  return starts;
}

void BlockSteps::give(int64_t steps) {
  m_place.steps = steps;
  m_place.state = StepState::ready;
  settle();
}

const Path* BlockSteps::next_path(uint32_t warp) const {
  if (m_block->state(warp) != WarpState::ready) return nullptr;
  const std::vector<Path>& paths = m_block->warps()[warp].paths;
  for (size_t i = paths.size(); i-- > 0;) {
    if (!paths[i].at_barrier && !paths[i].at_sync) return &paths[i];
  }
  return nullptr;
}

const Path& BlockSteps::path() const { return *next_path(m_place.current); }

// As the loop of Block::run does. False: no warp has a turn now, and the state says why.
bool BlockSteps::take_turn() {
  for (;;) {
    const std::span<Warp> warps = m_block->warps();
    for (; m_place.next < warps.size(); ++m_place.next) {
      if (m_block->state(m_place.next) != WarpState::ready) continue;
      m_place.current = m_place.next++;
      m_block->begin_turn(warps[m_place.current], m_place.steps);
      m_place.in_turn = m_place.progress = true;
      return true;
    }
    if (m_block->running() == 0) {
      m_place.state = StepState::finished;
      return false;
    }
    if (!m_place.progress) {
      m_block->raise_deadlock();
      m_place.state = StepState::fault;
      return false;
    }
    m_place.next = 0;
    m_place.progress = false;
    ++m_place.rounds;
    if (m_place.steps <= 0) {
      m_place.state = StepState::paused;
      return false;
    }
  }
}

void BlockSteps::run_op() {
  Warp& warp = m_block->warps()[m_place.current];
  const std::optional<WarpState> ended = step(warp);
  if (!ended) return;
  m_place.in_turn = false;
  if (!m_block->end_turn(warp, *ended, m_place.steps)) m_place.state = StepState::fault;
}

// Up to the next instruction.
void BlockSteps::settle() {
  while (m_place.state == StepState::ready) {
    if (!m_place.in_turn && !take_turn()) return;
    const Path* path = next_path(m_place.current);
    const Op* first = m_block->context().program->ops.data();
    if (path != nullptr && (*m_starts)[static_cast<size_t>(path->next - first)]) return;
    run_op();
  }
}

void BlockSteps::advance() {
  if (m_place.state != StepState::ready) return;
  run_op();
  settle();
}

bool BlockSteps::turn_to(uint32_t warp) {
  if (m_place.state != StepState::ready || m_block->state(warp) != WarpState::ready) return false;
  if (m_place.in_turn && m_place.current == warp) return true;
  if (m_place.in_turn) m_block->end_turn(m_block->warps()[m_place.current], WarpState::ready, m_place.steps);
  m_place.current = warp;
  m_place.next = warp + 1;
  m_block->begin_turn(m_block->warps()[warp], m_place.steps);
  m_place.in_turn = m_place.progress = true;
  settle();
  return true;
}

}  // namespace warplens::exec
