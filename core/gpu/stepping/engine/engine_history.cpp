// Checkpoints, the way back to them, and the turns that the user gave.
#include <algorithm>
#include <new>

#include "core/gpu/exec/state/counters.h"
#include "core/gpu/stepping/engine/engine.h"

namespace warplens::stepping {

namespace {

template <class T>
size_t size_of(const std::vector<T>& values) {
  return values.size() * sizeof(T);
}

size_t bytes_of(const exec::Block::Image& image) {
  size_t bytes = size_of(image.warps) + image.console.text.size();
  for (const exec::Warp& warp : image.warps) {
    bytes += size_of(warp.paths) + size_of(warp.joins) + size_of(warp.frames) + size_of(warp.copies.pending);
    for (const exec::CallFrame& frame : warp.frames) bytes += frame.saved.size();
  }
  return bytes;
}

}  // namespace

size_t Engine::checkpoint_bytes() const {
  size_t bytes = m_history.bytes();
  for (const Checkpoint& checkpoint : m_checkpoints) bytes += checkpoint.bytes;
  return bytes;
}

// Stacks are large and mostly unused, so only the part that was used is compared, in whole pieces.
void Engine::watch_locals() {
  const uint32_t all = m_block->context().local_bytes;
  for (const exec::Warp& warp : m_block->warps()) {
    const size_t used = m_block->local(warp, 0).size();
    size_t& watched = m_watched_local[warp.index];
    const size_t piece = MemoryHistory::piece_bytes;
    const size_t wanted = std::min<size_t>((used + piece - 1) / piece * piece, all);
    if (used == 0 || wanted <= watched) continue;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      m_history.watch_zeros({warp.local + size_t{lane} * all + watched, wanted - watched});
    watched = wanted;
  }
}

void Engine::take_checkpoint() {
  watch_locals();
  m_history.take(m_index, m_machine->memory());
  Checkpoint checkpoint{m_index,
                        m_block->image(),
                        m_steps->place(),
                        m_machine->memory().kernel_heap(),
                        m_counts,
                        m_memory_ops,
                        m_granted,
                        m_saved_sets,
                        {},
                        0};
  checkpoint.bytes = bytes_of(checkpoint.image) + size_of(m_counts) + size_of(m_memory_ops) +
                     size_of(checkpoint.heap.pieces);
  for (const auto& frames : m_saved_sets) checkpoint.bytes += size_of(frames);
  if (m_variables) {
    checkpoint.saved_places = m_variables->saved();
    checkpoint.bytes += m_variables->bytes_of_saved();
  }
  m_checkpoints.push_back(std::move(checkpoint));
  const size_t most = std::max<size_t>(m_options.max_checkpoints, 2);
  if (m_checkpoints.size() > most) thin();
  // The checkpoint at the start is always kept.
  while (m_checkpoints.size() > 2 && checkpoint_bytes() > m_options.max_checkpoint_bytes) thin();
}

// If there is no memory for a checkpoint, it is left out, and from then on every second one too. Going back
// then takes longer.
void Engine::try_checkpoint() {
  try {
    take_checkpoint();
  } catch (const std::bad_alloc&) {
    m_spacing *= 2;
  }
}

void Engine::thin() {
  m_spacing *= 2;
  std::erase_if(m_checkpoints, [&](const Checkpoint& c) { return c.index % m_spacing != 0; });
  std::vector<uint64_t> kept;
  for (const Checkpoint& checkpoint : m_checkpoints) kept.push_back(checkpoint.index);
  m_history.keep(kept);
}

void Engine::load(const Checkpoint& checkpoint) {
  watch_locals();
  m_block->restore(checkpoint.image);
  m_steps->restore(checkpoint.place);
  m_machine->memory().restore(checkpoint.heap);
  m_history.restore(checkpoint.index, m_machine->memory());
  std::ranges::copy(checkpoint.counts, m_counts.begin());
  std::ranges::copy(checkpoint.memory_ops, m_memory_ops.begin());
  // Memory from malloc may have moved. It is looked up again, which does not change the schedule.
  for (exec::MemoryOpState& state : m_memory_ops) state.allocation = nullptr;
  m_saved_sets = checkpoint.saved_sets;
  if (m_variables) m_variables->restore(checkpoint.saved_places);
  m_granted = checkpoint.granted;
  m_index = checkpoint.index;
  m_accesses.clear();
  m_broken = false;
  note_end();
}

void Engine::go_to(uint64_t index) {
  try {
    replay_to(std::min(index, m_recorded));
  } catch (const std::bad_alloc&) {
    m_broken = true;
    m_end = End::no_memory;
  }
}

void Engine::replay_to(uint64_t index) {
  if (index == m_index && !m_broken) return;
  // At least one instruction is run again, since the accesses of the last instruction are shown.
  const uint64_t before = index == 0 ? 0 : index - 1;
  const auto after = std::ranges::upper_bound(m_checkpoints, before, {}, &Checkpoint::index);
  const Checkpoint& nearest = *std::prev(after);
  if (m_broken || m_index > index || nearest.index > m_index) load(nearest);
  while (m_index < index && !m_broken) advance();
}

void Engine::forget_after(uint64_t index) {
  // A checkpoint at this index is from before the change, so it is forgotten too.
  const auto forgotten = [&](const Checkpoint& c) { return c.index >= index && c.index != 0; };
  std::vector<uint64_t> kept;
  for (const Checkpoint& checkpoint : m_checkpoints)
    if (!forgotten(checkpoint)) kept.push_back(checkpoint.index);
  m_history.keep(kept);
  std::erase_if(m_checkpoints, forgotten);
  m_recorded = index;
  m_length.reset();
  m_waits_at.reset();
  m_end = End::none;
  m_looks = 0;
  m_next_keep = 1;
  m_looked_at = index;
  if (m_entries.size() > index) m_entries.resize(static_cast<size_t>(index));
  m_turns.erase(m_turns.upper_bound(index), m_turns.end());
}

bool Engine::turn_to(uint32_t warp) {
  if (m_end != End::none || m_block->state(warp) != exec::WarpState::ready) return false;
  if (m_steps->warp() == warp) return true;
  try {
    give_turn(warp);
  } catch (const std::bad_alloc&) {
    m_broken = true;
    m_end = End::no_memory;
  }
  return m_end == End::none && m_steps->warp() == warp;
}

void Engine::give_turn(uint32_t warp) {
  forget_after(m_index);
  m_turns[m_index].push_back(warp);
  m_steps->turn_to(warp);
  refill();
  note_end();
  if (m_index != 0) return;
  // The checkpoint at the start must stay until there is another one.
  take_checkpoint();
  m_checkpoints.erase(m_checkpoints.begin(), m_checkpoints.end() - 1);
}

void Engine::apply_turns() {
  if (m_turns.empty()) return;
  const auto here = m_turns.find(m_index);
  if (here == m_turns.end()) return;
  for (const uint32_t warp : here->second) {
    m_steps->turn_to(warp);
    refill();
  }
}

}  // namespace warplens::stepping
