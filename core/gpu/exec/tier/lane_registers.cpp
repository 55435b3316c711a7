#include "core/gpu/exec/tier/lane_registers.h"

#include <algorithm>
#include <bit>

namespace warplens::exec::tier {

namespace {

x86::Mem part(const LaneRegisters::Held& held, uint32_t i) {
  return x86::ptr(frame_register, static_cast<int32_t>(held.slot) + static_cast<int32_t>(i) * vector_bytes);
}

}  // namespace

void LaneRegisters::store(Assembler& code, const Held& held) {
  for (uint32_t i = 0; i < vectors_of(held.lane_bytes); ++i) code.vmovdqu32(part(held, i), held.lanes[i]);
}

void LaneRegisters::load(Assembler& code, const Held& held) {
  for (uint32_t i = 0; i < vectors_of(held.lane_bytes); ++i) code.vmovdqu32(held.lanes[i], part(held, i));
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
    if (m_held[oldest].dirty) store(*m_code, m_held[oldest]);
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
    if (held.dirty && (must_store || !covered)) store(*m_code, held);
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
  for (uint32_t i = 0; i < vectors_of(lane_bytes); ++i) held.lanes[i] = take_register();
  load(*m_code, held);
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
    store(*m_code, held);
    held.dirty = false;
  }
}

void LaneRegisters::drop_all() {
  m_held.clear();
  m_free = (1u << lane_registers) - 1;
}

}  // namespace warplens::exec::tier
