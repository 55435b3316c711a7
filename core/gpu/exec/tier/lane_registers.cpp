#include "core/gpu/exec/tier/lane_registers.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warplens::exec::tier {

namespace {

x86::Mem part(const LaneRegisters::Held& held, uint32_t i) {
  return x86::ptr(frame_register, static_cast<int32_t>(held.slot) + static_cast<int32_t>(i) * vector_bytes);
}

// The active lanes of a vector, which go over those that `at` has. Vectors are written whole, because a load
// waits for a store of its parts.
void merge(Assembler& code, const LaneRegisters::Held& held, uint32_t i, x86::Zmm at) {
  if (held.lane_bytes == 4) {
    code.k(i == 0 ? lower_lanes : upper_lanes).vmovdqa32(at, held.lanes[i]);
  } else if (held.lane_bytes == 2) {
    code.kunpckwd(x86::k7, upper_lanes, lower_lanes);
    code.k(x86::k7).vmovdqu16(at, held.lanes[i]);
  } else {
    x86::KReg lanes = i < 2 ? lower_lanes : upper_lanes;
    if (i % 2 != 0) {
      code.kshiftrw(x86::k7, lanes, 8);
      lanes = x86::k7;
    }
    code.k(lanes).vmovdqa64(at, held.lanes[i]);
  }
}

using Move = std::pair<x86::Zmm, x86::Zmm>;  // to, from

// All at once: no register is read after it has got another value. Each is moved to one place at most.
void move_all(Assembler& code, std::vector<Move> moves) {
  std::erase_if(moves, [](const Move& move) { return move.first == move.second; });
  while (!moves.empty()) {
    const auto free = std::ranges::find_if(moves, [&](const Move& move) {
      return std::ranges::none_of(moves, [&](const Move& other) { return other.second == move.first; });
    });
    if (free != moves.end()) {
      code.vmovdqa32(free->first, free->second);
      moves.erase(free);
    } else {  // a circle
      code.vmovdqa32(scratch0, moves.front().second);
      moves.front().second = scratch0;
    }
  }
}

}  // namespace

void LaneRegisters::store(const Held& held) const {
  for (uint32_t i = 0; i < vectors_of(held.lane_bytes); ++i) {
    if (m_mode == program::all_lanes) {
      m_code->vmovdqu32(part(held, i), held.lanes[i]);
      continue;
    }
    m_code->vmovdqu32(scratch3, part(held, i));
    merge(*m_code, held, i, scratch3);
    m_code->vmovdqu32(part(held, i), scratch3);
  }
}

void LaneRegisters::load(const Held& held) const {
  for (uint32_t i = 0; i < vectors_of(held.lane_bytes); ++i)
    if (i == 0 || held.lanes[i] != held.lanes[0]) m_code->vmovdqu32(held.lanes[i], part(held, i));
}

const LaneRegisters::Held* LaneRegisters::find(const Held& like) const {
  const auto found = std::ranges::find_if(
      m_held, [&](const Held& held) { return held.slot == like.slot && held.lane_bytes == like.lane_bytes; });
  return found != m_held.end() ? &*found : nullptr;
}

void LaneRegisters::return_to(const std::vector<Held>& before) const {
  const auto was_dirty = [&](const Held& now) {
    return std::ranges::any_of(before, [&](const Held& held) {
      return held.dirty && held.slot == now.slot && held.lane_bytes == now.lane_bytes;
    });
  };
  for (const Held& held : m_held)
    if (held.dirty && !held.forgotten && !was_dirty(held)) store(held);
  std::vector<Move> moves;
  for (const Held& held : before) {
    const Held* const now = find(held);
    if (now == nullptr) continue;
    for (uint32_t i = 0; i < vectors_of(held.lane_bytes); ++i)
      if (i == 0 || held.lanes[i] != held.lanes[0]) moves.emplace_back(held.lanes[i], now->lanes[i]);
  }
  move_all(*m_code, std::move(moves));
  for (const Held& held : before)
    if (find(held) == nullptr) load(held);
}

void LaneRegisters::drop(size_t index) {
  const Held& held = m_held[index];
  for (uint32_t i = 0; i < vectors_of(held.lane_bytes); ++i) m_free |= 1u << held.lanes[i].id();
  m_held.erase(m_held.begin() + static_cast<std::ptrdiff_t>(index));
}

// There are more registers than the widest op has sources and results.
x86::Zmm LaneRegisters::take_register() {
  if (m_free == 0) {
    size_t oldest = m_held.size();
    for (size_t i = 0; i < m_held.size(); ++i) {
      if (m_held[i].pinned) continue;
      if (oldest == m_held.size() || m_held[i].used < m_held[oldest].used) oldest = i;
    }
    if (m_held[oldest].dirty) store(m_held[oldest]);
    drop(oldest);
  }
  const auto number = static_cast<uint32_t>(std::countr_zero(m_free));
  m_free &= m_free - 1;
  return x86::Zmm(number);
}

void LaneRegisters::drop_overlapping(uint32_t slot, uint32_t lane_bytes, bool must_store) {
  for (size_t i = m_held.size(); i-- > 0;) {
    const Held& held = m_held[i];
    if (held.slot + 32u * held.lane_bytes <= slot || slot + 32 * lane_bytes <= held.slot) continue;
    const bool covered = held.slot >= slot && held.slot + 32u * held.lane_bytes <= slot + 32 * lane_bytes;
    if (held.dirty && (must_store || !covered)) store(held);
    drop(i);
  }
}

LaneRegisters::Held LaneRegisters::use(uint32_t slot, uint32_t lane_bytes) {
  for (Held& held : m_held) {
    if (held.slot != slot || held.lane_bytes != lane_bytes) continue;
    held.pinned = true;
    held.used = ++m_time;
    return held;
  }
  drop_overlapping(slot, lane_bytes, true);
  Held held{.slot = slot, .lane_bytes = static_cast<uint8_t>(lane_bytes), .pinned = true};
  held.root = new_root();
  held.used = ++m_time;
  const bool is_uniform = m_uniform->contains(slot);
  for (uint32_t i = 0; i < vectors_of(lane_bytes); ++i)
    held.lanes[i] = i != 0 && is_uniform ? held.lanes[0] : take_register();
  load(held);
  m_held.push_back(held);
  return held;
}

Lanes LaneRegisters::make(uint32_t lane_bytes) {
  Lanes lanes{};
  for (uint32_t i = 0; i < vectors_of(lane_bytes); ++i) lanes[i] = take_register();
  return lanes;
}

void LaneRegisters::bind(uint32_t slot, uint32_t lane_bytes, const Lanes& lanes, bool forgotten,
                         uint32_t root) {
  drop_overlapping(slot, lane_bytes, false);
  m_held.push_back({.slot = slot,
                    .lane_bytes = static_cast<uint8_t>(lane_bytes),
                    .dirty = true,
                    .forgotten = forgotten,
                    .pinned = true,
                    .lanes = lanes,
                    .root = root,
                    .used = ++m_time});
}

void LaneRegisters::release() {
  for (Held& held : m_held) held.pinned = false;
}

void LaneRegisters::write(bool forgotten_too) {
  for (Held& held : m_held) {
    if (!held.dirty || (held.forgotten && !forgotten_too)) continue;
    store(held);
    held.dirty = false;
  }
}

void LaneRegisters::drop_forgotten() {
  for (size_t i = m_held.size(); i-- > 0;)
    if (m_held[i].forgotten) drop(i);
}

void LaneRegisters::renew_roots() {
  for (Held& held : m_held) held.root = new_root();
}

void LaneRegisters::drop_all() {
  m_held.clear();
  m_free = (1u << lane_registers) - 1;
}

}  // namespace warplens::exec::tier
