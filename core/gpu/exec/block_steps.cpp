#include "core/gpu/exec/block_steps.h"

#include <algorithm>

#include "core/gpu/exec/control/step.h"
#include "core/gpu/exec/state/routines.h"
#include "core/program/program.h"

namespace warplens::exec {

void BlockSteps::give(int64_t steps) {
  m_place.steps = steps;
  m_place.state = StepState::ready;
  settle();
}

const Path* BlockSteps::next_path(uint32_t warp) const {
  if (m_block->state(warp) != WarpState::ready) return nullptr;
  if (m_place.chosen && m_place.current == warp) return &path();
  const std::vector<Path>& paths = m_block->warps()[warp].paths;
  for (size_t i = paths.size(); i-- > 0;) {
    if (!paths[i].at_barrier && !paths[i].at_sync) return &paths[i];
  }
  return nullptr;
}

const Path& BlockSteps::path() const {
  const Warp& warp = m_block->warps()[m_place.current];
  return warp.paths[warp.current];
}

// It has begun.
void BlockSteps::note_turn(uint32_t warp) {
  m_place.current = warp;
  m_place.in_turn = true;
  m_place.chosen = false;
}

void BlockSteps::end_turn(WarpState state) {
  m_place.in_turn = m_place.chosen = false;
  if (!m_block->end_turn(m_block->warps()[m_place.current], state, m_place.steps))
    m_place.state = StepState::fault;
}

// False if no warp has a turn now; the state says why.
bool BlockSteps::take_turn() {
  BlockState state = BlockState::running;
  if (const Warp* const warp = m_block->next_turn(m_place.turns, m_place.steps, state)) {
    note_turn(warp->index);
    return true;
  }
  m_place.state = state == BlockState::running    ? StepState::paused
                  : state == BlockState::finished ? StepState::finished
                                                  : StepState::fault;
  return false;
}

void BlockSteps::run_op() {
  const Stepped stepped = run_one(m_block->warps()[m_place.current]);
  if (stepped.choose) m_place.chosen = false;
  if (stepped.ended) end_turn(*stepped.ended);
}

// Continues up to the next instruction.
void BlockSteps::settle() {
  const Op* first = m_block->context().program->ops.data();
  while (m_place.state == StepState::ready) {
    if (!m_place.in_turn && !take_turn()) return;
    if (!m_place.chosen) {
      if (const auto ended = choose_path(m_block->warps()[m_place.current])) {
        end_turn(*ended);
        continue;
      }
      m_place.chosen = true;
    }
    if ((*m_starts)[static_cast<size_t>(op() - first)]) return;
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
  if (m_place.in_turn) end_turn(WarpState::ready);
  const std::span<const uint32_t> order = m_block->order();
  m_place.turns.next = static_cast<uint32_t>(std::ranges::find(order, warp) - order.begin()) + 1;
  m_place.turns.progress = true;
  m_block->begin_turn(m_block->warps()[warp], m_place.steps);
  note_turn(warp);
  settle();
  return true;
}

}  // namespace warplens::exec
