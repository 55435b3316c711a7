// Compares accesses with those in shadow memory, then stores them there.
#include <algorithm>
#include <bit>
#include <cstring>

#include "core/gpu/exec/state/observer.h"
#include "core/gpu/sanitize/sanitizer.h"

namespace warplens::sanitize {

GlobalShadow* Sanitizer::find_shadow(uint32_t instruction, uint64_t address) {
  GlobalShadow*& used = m_known[instruction].used;
  if (used != nullptr && address >= used->begin && address < used->end) return used;
  const exec::Allocation* allocation = m_memory->find(address);
  if (allocation == nullptr || allocation->read_only) return nullptr;
  used = &shadow_of(*allocation);
  return used;
}

Sanitizer::Event Sanitizer::event_of(const exec::Op& op, uint32_t warp, uint32_t mask, Space space,
                                     AccessKind kind, const uint64_t* addresses) const {
  return {.op = op,
          .warp = m_warps[warp],
          .place = (*m_places)[op.instruction],
          .mask = mask,
          .kind = kind,
          .space = space,
          .addresses = addresses,
          .bytes = op.bytes};
}

void Sanitizer::record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                       const uint64_t* addresses) {
  Event event = event_of(op, warp, mask, space, kind, addresses);
  const bool holds_undefined = !m_shadow->undefined.empty();
  if (holds_undefined && kind == AccessKind::load) forget_registers(event);
  record(event);
  if (holds_undefined && kind == AccessKind::store) store_undefined(event);
}

void Sanitizer::record(Event& event) {
  const Space space = event.space;
  const AccessKind kind = event.kind;
  if (space == Space::local) return record_local(event);
  // A store that is not a store instruction is the target of an asynchronous copy.
  event.pending = space == Space::shared && kind == AccessKind::store &&
                  m_places->program().instruction(event.op.instruction).opcode == ptx::Opcode::cp;
  if (space == Space::shared && note_shared(event)) return;
  const bool orders = this->orders(event);
  if (orders) end_interval();
  if (orders && kind != AccessKind::store) acquire(event);
  remember_first(event);
  record_lanes(event);
  if (orders && kind != AccessKind::load) publish(event);
}

void Sanitizer::record_shaped(const exec::Op& op, uint32_t warp, Space space, AccessKind kind,
                              exec::AccessShape& shape, uint64_t first) {
  if (!m_shadow->undefined.empty()) return AccessRecorder::record_shaped(op, warp, space, kind, shape, first);
  if (space == Space::global) {
    if (record_global_shaped(op, warp, kind, shape, first)) return;
  } else if (m_shadow->interval.is_open()) {
    Pattern* const pattern = pattern_of(m_known[op.instruction], shape);
    if (pattern != nullptr && note_shared(op, m_warps[warp], kind, *pattern, first)) return;
  }
  AccessRecorder::record_shaped(op, warp, space, kind, shape, first);
}

void Sanitizer::remember_first(Event& event) const {
  const uint32_t warp = event.warp.index;
  event.floor = event.space == Space::shared ? m_shadow->clocks.safe(warp) : m_floor;
  event.first = {
      m_shadow->clocks.epoch(warp), m_block,
      Access::info_of(event.op.instruction, warp * warp_lanes, event.place.strong || event.place.guesses,
                      event.pending, event.place.atomic)};
}

void Sanitizer::record_local(const Event& event) {
  for (uint32_t rest = event.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    WrittenBytes& written = m_shadow->local[event.warp.index * warp_lanes + lane];
    const uint64_t address = event.addresses[lane];
    if (event.kind != AccessKind::store) {
      const uint64_t missing = written.missing(address, event.bytes);
      if (missing != 0) {
        const std::byte* host = event.warp.local + uint64_t{lane} * event.warp.block->local_bytes;
        read_unwritten(event, {.written = &written, .begin = 0, .end = UINT64_MAX, .host = host}, lane,
                       missing);
      }
    }
    if (event.kind != AccessKind::load) written.set_few(address, event.bytes);
  }
}

void Sanitizer::record_lanes(const Event& event) {
  const auto first = static_cast<uint32_t>(std::countr_zero(event.mask));
  Target target;
  if (event.space == Space::shared) {
    target = shared_target(event);
  } else if (!find_target(event, first, target)) {
    target = {};
  }
  const uint32_t left = target.races == nullptr ? event.mask : record_together(event, target);
  if (left != 0) record_each(event, target, left);
}

Sanitizer::Target Sanitizer::shared_target(const Event& event) {
  return {.races = &m_shadow->races,
          .written = &m_shadow->written,
          .begin = 0,
          .end = event.warp.block->shared_bytes,
          .host = event.warp.block->shared};
}

// Returns false for memory that is not watched.
bool Sanitizer::find_target(const Event& event, uint32_t lane, Target& target) {
  GlobalShadow* shadow = find_shadow(event.op.instruction, event.addresses[lane]);
  if (shadow == nullptr) return false;
  if (check_allocation(event, *shadow, lane)) m_known[event.op.instruction].meant = shadow;
  target = target_in(*shadow);
  return true;
}

Sanitizer::Target Sanitizer::target_in(GlobalShadow& shadow) {
  return {.races = &shadow.races,
          .written = shadow.tracks_written ? &shadow.written : nullptr,
          .begin = shadow.begin,
          .end = shadow.end,
          .host = shadow.host,
          .global = &shadow};
}

void Sanitizer::record_each(const Event& event, Target target, uint32_t lanes) {
  uint64_t before[2] = {UINT64_MAX, UINT64_MAX};
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t address = event.addresses[lane];
    // Two readers are enough.
    if (event.kind == AccessKind::load && address == before[0] && address == before[1]) continue;
    before[1] = before[0];
    before[0] = address;
    if (event.space != Space::shared && (address < target.begin || address >= target.end) &&
        !find_target(event, lane, target))
      continue;
    record_lane(event, target, lane);
  }
}

void Sanitizer::record_lane(const Event& event, const Target& target, uint32_t lane) {
  const uint32_t bytes = event.bytes;
  const uint64_t offset = event.addresses[lane] - target.begin;
  if (target.written != nullptr) {
    if (event.kind != AccessKind::store) {
      const uint64_t missing = target.written->missing(offset, bytes);
      if (missing != 0) read_unwritten(event, target, lane, missing);
    }
    if (event.kind != AccessKind::load && !event.pending) target.written->set_few(offset, bytes);
  }
  if (cannot_race(event, target)) return;
  RacePage& page = target.races->page(offset, bytes);
  const uint32_t cell = page.cell_of(offset);
  const Cells cells{.row = page.rows[cell / RaceRow::cells],
                    .first = cell % RaceRow::cells,
                    .count = std::max(1u, bytes >> page.shift),
                    .shift = page.shift};
  const Access mine = event.of(lane);
  if (event.kind == AccessKind::load) {
    read_cells(event, target, cells, mine);
  } else {
    write_cells(event, target, cells, mine);
  }
}

bool Sanitizer::cannot_race(const Event& event, const Target& target) const {
  return event.kind == AccessKind::load && target.global != nullptr && !target.global->is_written &&
         !m_writes_anywhere;
}

namespace {

bool same_thread(const Access& a, const Access& b) { return a.block == b.block && a.thread() == b.thread(); }
bool same_warp(const Access& a, const Access& b) { return a.block == b.block && a.warp() == b.warp(); }

}  // namespace

// Whether the two accesses conflict. One of them is a write.
inline bool Sanitizer::conflicts(const Access& earlier, const Access& mine, Time floor,
                                 bool earlier_reads) const {
  // An asynchronous copy that was not waited for is unfinished, whatever barriers came after it.
  if (earlier.time < floor && !(earlier.is_pending() && earlier.time >= m_shadow->clocks.begin()))
    return false;
  // Two volatile reads or writes do not race, but a volatile sum that two threads add to loses what one
  // added. Lanes of a warp that add up through volatile memory rely on running in step.
  if (earlier.is_strong() && mine.is_strong() &&
      !(m_places->updates(earlier.instruction()) && m_places->updates(mine.instruction())) &&
      !(same_warp(earlier, mine) && m_places->exchange_data(earlier.instruction(), mine.instruction())))
    return false;
  if (same_thread(earlier, mine) && !earlier.is_pending()) return false;
  return !is_ordered(earlier, {mine.block, mine.thread()}, earlier_reads);
}

void Sanitizer::read_cells(const Event& event, const Target& target, const Cells& cells, const Access& mine) {
  RaceRow& row = cells.row;
  const uint32_t end = cells.first + cells.count;
  if (row.write.newest >= event.floor || row.pending != 0) {
    for (uint32_t i = cells.first; i < end; ++i) {
      const Access write = row.write.at(i);
      // Textures have their own cache, which may not see any write of this launch.
      const bool is_stale = event.through_texture && write.time >= event.floor;
      if (!is_stale && !conflicts(write, mine, event.floor, false)) continue;
      report_race(event, target, mine.thread() % warp_lanes, write,
                  write.is_atomic() ? AccessKind::atomic : AccessKind::store);
      break;
    }
  }
  note_reading(row, cells.first, cells.count, mine, event.floor);
}

void Sanitizer::note_reading(RaceRow& row, uint32_t cell, uint32_t count, const Access& mine, Time floor) {
  const uint32_t quiet = row.quiet_for(mine, floor, told(mine));
  for (uint32_t i = cell; i < cell + count; ++i) {
    if ((quiet >> i & 1) != 0) continue;
    const Access a = row.read[0].at(i);
    if (a.time < floor || same_thread(a, mine)) {
      replace_reader(row, i, 0, mine, floor);
    } else {
      note_reader(row, i, mine, floor);
    }
  }
}

// Whether a write by the thread of `mine` may race with this reader. If not, a second reader of the warp of
// `mine` is needed to find that the warp's lanes race with each other.
bool Sanitizer::counts_beside(const Access& reader, const Access& mine, Time floor) const {
  return reader.time >= floor && !same_thread(reader, mine) &&
         ((reader.time == mine.time && same_warp(reader, mine)) ||
          !is_ordered(reader, {mine.block, mine.thread()}));
}

void Sanitizer::replace_reader(RaceRow& row, uint32_t cell, uint32_t which, const Access& mine, Time floor) {
  row.read[which].set(cell, mine);
  const Access a = row.read[0].at(cell), b = row.read[1].at(cell);
  row.settle(cell, a, b, mine, floor, told(mine), counts_beside(which == 0 ? b : a, mine, floor));
}

// Stores a further reader of a cell that has one already. Nothing changes if the two stored readers are such
// that a later write is unlikely to be ordered with both.
void Sanitizer::note_reader(RaceRow& row, uint32_t cell, const Access& mine, Time floor) {
  const Access a = row.read[0].at(cell), b = row.read[1].at(cell);
  const bool b_counts = b.time >= floor;
  const auto is_mine = [&](const Access& reader) {
    return reader.time == mine.time && same_warp(reader, mine);
  };
  const bool mine_already = b_counts && (is_mine(a) ? is_mine(b) || counts_beside(b, mine, floor)
                                                    : is_mine(b) && counts_beside(a, mine, floor));
  // Most words are read by many warps between two barriers.
  const bool all_elsewhere = b_counts && !same_warp(a, b) && !same_warp(a, mine) && !same_warp(b, mine) &&
                             a.block == mine.block && b.block == mine.block &&
                             counts_beside(a, mine, floor) && counts_beside(b, mine, floor);
  if ((all_elsewhere || mine_already) && !a.is_strong())
    return row.settle(cell, a, b, mine, floor, told(mine), true);
  if (b_counts && a.block != b.block && a.block != mine.block && b.block != mine.block && !a.is_strong() &&
      counts_beside(a, mine, floor) && counts_beside(b, mine, floor))
    return;
  const auto replace = [&](uint32_t which) { replace_reader(row, cell, which, mine, floor); };
  const Reader reader{mine.block, mine.thread()};
  if (is_ordered(a, reader) || (a.is_strong() && !mine.is_strong())) return replace(0);
  if (!b_counts || same_thread(b, mine) || is_ordered(b, reader)) return replace(1);
  if (same_warp(b, mine)) {
    if (a.warp() != b.warp() || a.block != b.block || b.time < mine.time) replace(1);
    return;
  }
  if (same_warp(a, mine)) return replace(0);
  if (a.block == b.block && (same_warp(a, b) || mine.block != a.block)) replace(1);
}

void Sanitizer::write_cells(const Event& event, const Target& target, const Cells& cells,
                            const Access& mine) {
  RaceRow& row = cells.row;
  const uint32_t lane = mine.thread() % warp_lanes;
  const uint32_t cell_bytes = 1u << cells.shift;
  bool reported = false;
  for (uint32_t i = cells.first; i < cells.first + cells.count; ++i) {
    if (!reported && (row.write.newest >= event.floor || row.pending != 0)) {
      const Access write = row.write.at(i);
      const uint64_t at = event.addresses[lane] - target.begin + uint64_t{i - cells.first} * cell_bytes;
      if (conflicts(write, mine, event.floor, false) &&
          !writes_the_same(event, target, write, lane, at, std::min(event.bytes, cell_bytes))) {
        report_race(event, target, lane, write, write.is_atomic() ? AccessKind::atomic : AccessKind::store);
        reported = true;
      }
    }
    row.write.set(i, mine);
    row.pending = (row.pending & ~(1u << i)) | static_cast<uint32_t>(event.pending) << i;
    row.forget(1u << i);
    for (Track& reads : row.read) {
      if (reads.newest == 0) continue;
      const Access read = reads.at(i);
      if (read.time == 0) continue;
      if (!reported && conflicts(read, mine, event.floor, true)) {
        report_race(event, target, lane, read, AccessKind::load);
        reported = true;
      }
      reads.clear(1u << i);
    }
  }
}

// Whether both threads write the same value, which does no harm. `at` is an offset from the beginning of the
// target.
bool Sanitizer::writes_the_same(const Event& event, const Target& target, const Access& earlier,
                                uint32_t lane, uint64_t at, uint32_t bytes) const {
  if (earlier.is_atomic() || event.kind != AccessKind::store || event.pending || earlier.is_pending())
    return false;
  std::byte mine[16] = {}, theirs[16] = {};
  if (!stored_value(event.op, event.warp, lane, mine)) return false;
  const uint64_t within = at + target.begin - event.addresses[lane];
  if (within + bytes > sizeof mine) return false;
  const uint32_t other = earlier.thread() % warp_lanes;
  const bool this_very_store = earlier.block == m_block && earlier.warp() == event.warp.index &&
                               earlier.instruction() == event.op.instruction &&
                               (event.mask >> other & 1) != 0 &&
                               event.addresses[other] == event.addresses[lane];
  if (this_very_store) {
    // The value of the other lane is not in memory yet.
    return stored_value(event.op, event.warp, other, theirs) &&
           std::memcmp(mine + within, theirs + within, bytes) == 0;
  }
  return std::memcmp(mine + within, target.host + at, bytes) == 0;
}

void Sanitizer::initialise(const exec::Warp& warp, uint32_t lane, Space space, uint64_t address,
                           uint64_t bytes) {
  if (space == Space::local) {
    m_shadow->local[warp.index * warp_lanes + lane].set(address, bytes);
  } else if (space == Space::shared) {
    m_shadow->written.set(address, bytes);
  } else {
    const exec::Allocation* allocation = m_memory->find(address);
    if (allocation != nullptr) shadow_of(*allocation).written.set(address - allocation->begin, bytes);
  }
}

}  // namespace warplens::sanitize
