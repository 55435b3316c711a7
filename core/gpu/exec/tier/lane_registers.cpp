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

void LaneRegisters::write_part(const Line& line, uint32_t lane_bytes, uint32_t vector, x86::Zmm to) const {
  const bool wide = lane_bytes == 8;
  m_code->emit(wide ? Inst::kIdVpbroadcastq : Inst::kIdVpbroadcastd, to, line.first);
  if (line.step == 0) return;
  m_code->emit(wide ? Inst::kIdVpaddq : Inst::kIdVpaddd, to, to,
               m_constants->steps(line.step, lane_bytes, vector));
}

// Lines are there in code for whole warps alone.
void LaneRegisters::store(const Held& held) const {
  for (uint32_t i = 0; i < vectors_of(held.lane_bytes); ++i) {
    if (!held.in_registers) {
      write_part(*held.line, held.lane_bytes, i, scratch3);
      m_code->vmovdqu32(part(held, i), scratch3);
      continue;
    }
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
  if (!held.in_registers) return;
  const auto fixed = m_fixed->find(held.slot);
  if (fixed != m_fixed->end() && fixed->second.first.baseReg() == block_register)
    return write_part(fixed->second, held.lane_bytes, 0, held.lanes[0]);
  for (uint32_t i = 0; i < vectors_of(held.lane_bytes); ++i)
    if (i == 0 || held.lanes[i] != held.lanes[0]) m_code->vmovdqu32(held.lanes[i], part(held, i));
}

const LaneRegisters::Held* LaneRegisters::find_held(uint32_t slot, uint32_t lane_bytes) const {
  const auto found = std::ranges::find_if(
      m_held, [&](const Held& held) { return held.slot == slot && held.lane_bytes == lane_bytes; });
  return found != m_held.end() ? &*found : nullptr;
}

LaneRegisters::Held* LaneRegisters::find_held(uint32_t slot, uint32_t lane_bytes) {
  return const_cast<Held*>(std::as_const(*this).find_held(slot, lane_bytes));
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
    const Held* const now = find_held(held.slot, held.lane_bytes);
    if (now == nullptr) continue;
    for (uint32_t i = 0; i < vectors_of(held.lane_bytes); ++i)
      if (i == 0 || held.lanes[i] != held.lanes[0]) moves.emplace_back(held.lanes[i], now->lanes[i]);
  }
  move_all(*m_code, std::move(moves));
  for (const Held& held : before)
    if (find_held(held.slot, held.lane_bytes) == nullptr) load(held);
}

void LaneRegisters::leave_registers(Held& held) {
  if (!held.in_registers) return;
  for (uint32_t i = 0; i < vectors_of(held.lane_bytes); ++i) m_free |= 1u << held.lanes[i].id();
  held.in_registers = false;
}

void LaneRegisters::drop(size_t index) {
  leave_registers(m_held[index]);
  if (m_held[index].line) m_free_places |= 1u << m_held[index].place;
  m_held.erase(m_held.begin() + static_cast<std::ptrdiff_t>(index));
}

// There are more registers than the widest op has sources and results.
x86::Zmm LaneRegisters::take_register() {
  if (m_free == 0) {
    size_t oldest = m_held.size();
    for (size_t i = 0; i < m_held.size(); ++i) {
      if (m_held[i].pinned || !m_held[i].in_registers) continue;
      if (oldest == m_held.size() || m_held[i].used < m_held[oldest].used) oldest = i;
    }
    if (m_held[oldest].line) {
      leave_registers(m_held[oldest]);
    } else {
      if (m_held[oldest].dirty) store(m_held[oldest]);
      drop(oldest);
    }
  }
  const auto number = static_cast<uint32_t>(std::countr_zero(m_free));
  m_free &= m_free - 1;
  return x86::Zmm(number);
}

// A line, which others may lose their registers to.
void LaneRegisters::put_in_registers(uint32_t slot, uint32_t lane_bytes) {
  Held& line = *find_held(slot, lane_bytes);
  if (line.in_registers) return;
  line.pinned = true;
  Lanes lanes{};
  const bool is_uniform = line.line->step == 0;
  for (uint32_t i = 0; i < vectors_of(lane_bytes); ++i)
    lanes[i] = i != 0 && is_uniform ? lanes[0] : take_register();
  Held& held = *find_held(slot, lane_bytes);
  for (uint32_t i = 0; i < vectors_of(lane_bytes); ++i)
    if (i == 0 || !is_uniform) write_part(*held.line, lane_bytes, i, lanes[i]);
  held.lanes = lanes;
  held.in_registers = true;
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
  if (find_held(slot, lane_bytes) != nullptr) {
    put_in_registers(slot, lane_bytes);
    Held& held = *find_held(slot, lane_bytes);
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

std::optional<Line> LaneRegisters::line(uint32_t slot, uint32_t lane_bytes) const {
  if (const Held* const held = find_held(slot, lane_bytes)) {
    if (held->line) return held->line;
  }
  const auto fixed = m_fixed->find(slot);
  if (fixed == m_fixed->end() || (lane_bytes != 8 && lane_bytes != 4)) return {};
  Line line = fixed->second;
  line.first.setSize(lane_bytes);
  return line;
}

std::optional<uint32_t> LaneRegisters::line_place() const {
  if (m_free_places == 0) return {};
  return static_cast<uint32_t>(std::countr_zero(m_free_places));
}

x86::Mem LaneRegisters::at_place(uint32_t place, uint32_t lane_bytes) {
  return x86::ptr(x86::rsp, lines_at + static_cast<int32_t>(8 * place), lane_bytes);
}

void LaneRegisters::bind_line(uint32_t slot, uint32_t lane_bytes, int64_t step, uint32_t place,
                              bool forgotten) {
  m_free_places &= ~(1u << place);
  drop_overlapping(slot, lane_bytes, false);
  const Line line{at_place(place, lane_bytes), step, step == 0, step == 0};
  m_held.push_back({.slot = slot,
                    .lane_bytes = static_cast<uint8_t>(lane_bytes),
                    .dirty = true,
                    .forgotten = forgotten,
                    .root = new_root(),
                    .used = ++m_time,
                    .in_registers = false,
                    .line = line,
                    .place = place});
}

void LaneRegisters::note_ascends(uint32_t slot, uint32_t lane_bytes, bool is_signed) {
  Held* const held = find_held(slot, lane_bytes);
  if (held == nullptr || !held->line) return;
  (is_signed ? held->line->ascends_signed : held->line->ascends_unsigned) = true;
}

void LaneRegisters::end_lines() {
  std::vector<std::pair<uint32_t, uint32_t>> lines;
  for (const Held& held : m_held)
    if (held.line) lines.emplace_back(held.slot, held.lane_bytes);
  for (const auto& [slot, lane_bytes] : lines) {
    if (find_held(slot, lane_bytes) == nullptr) continue;
    put_in_registers(slot, lane_bytes);
    Held& held = *find_held(slot, lane_bytes);
    m_free_places |= 1u << held.place;
    held.line.reset();
    held.pinned = false;
  }
}

void LaneRegisters::release() {
  for (Held& held : m_held) held.pinned = false;
}

void LaneRegisters::store_all(const std::vector<Held>& held, bool forgotten_too) const {
  for (const Held& each : held)
    if (each.dirty && (forgotten_too || !each.forgotten)) store(each);
}

void LaneRegisters::write(bool forgotten_too) {
  store_all(m_held, forgotten_too);
  for (Held& held : m_held) held.dirty = held.dirty && held.forgotten && !forgotten_too;
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
  m_free_places = (1u << most_lines) - 1;
  m_free = (1u << lane_registers) - 1;
}

}  // namespace warplens::exec::tier
