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

void BlockSteps::begin_turn(uint32_t warp) {
  m_place.current = warp;
  m_block->begin_turn(m_block->warps()[warp], m_place.steps);
  m_place.in_turn = m_place.progress = true;
  m_place.chosen = false;
}

void BlockSteps::end_turn(WarpState state) {
  m_place.in_turn = m_place.chosen = false;
  if (!m_block->end_turn(m_block->warps()[m_place.current], state, m_place.steps))
    m_place.state = StepState::fault;
}

// As the loop of Block::run does. False if no warp has a turn now; the state says why.
bool BlockSteps::take_turn() {
  for (;;) {
    if (!m_place.in_round) {
      m_block->begin_round();
      m_place.in_round = true;
      m_place.progress = false;
      m_place.next = 0;
    }
    const std::span<const uint32_t> order = m_block->order();
    while (m_place.next < order.size()) {
      const uint32_t warp = order[m_place.next++];
      if (m_block->state(warp) != WarpState::ready) continue;
      begin_turn(warp);
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
    m_place.in_round = false;
    ++m_place.rounds;
    if (m_place.steps <= 0) {
      m_place.state = StepState::paused;
      return false;
    }
  }
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
  m_place.next = static_cast<uint32_t>(std::ranges::find(order, warp) - order.begin()) + 1;
  begin_turn(warp);
  settle();
  return true;
}

}  // namespace warplens::exec
