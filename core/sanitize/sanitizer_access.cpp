// Accesses: held to what shadow memory remembers, then remembered.
#include <algorithm>
#include <bit>
#include <cstring>

#include "core/sanitize/sanitizer.h"

namespace warplens::sanitize {

GlobalShadow* Sanitizer::find_shadow(uint32_t instruction, uint64_t address) {
  GlobalShadow*& used = m_used[instruction];
  if (used != nullptr && address >= used->begin && address < used->end) return used;
  const exec::Allocation* allocation = m_memory->find(address);
  if (allocation == nullptr || allocation->read_only) return nullptr;
  used = &shadow_of(*allocation);
  return used;
}

void Sanitizer::record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                       const uint64_t* addresses) {
  Event event{.op = op,
              .warp = m_warps[warp],
              .place = (*m_places)[op.instruction],
              .mask = mask,
              .kind = kind,
              .space = space,
              .addresses = addresses};
  if (space == Space::local) return record_local(event);
  const bool orders = event.place.strong && m_places->publishes();
  if (orders && kind != AccessKind::store) acquire(event);
  // A store that is no store instruction is the target of a copy in the background.
  event.pending = space == Space::shared && kind == AccessKind::store &&
                  m_places->program().instruction(op.instruction).opcode == ptx::Opcode::cp;
  event.floor = space == Space::shared ? m_shadow->clocks.safe(warp) : m_floor;
  record_lanes(event);
  if (orders && kind != AccessKind::load) publish(event);
}

void Sanitizer::record_local(const Event& event) {
  for (uint32_t rest = event.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    WrittenBytes& written = m_shadow->local[event.warp.index * warp_lanes + lane];
    const uint64_t address = event.addresses[lane];
    if (event.kind != AccessKind::store) {
      const uint64_t missing = written.missing(address, event.op.bytes);
      if (missing != 0) {
        const std::byte* host = event.warp.local + uint64_t{lane} * event.warp.block->local_bytes;
        report_uninitialized(event, {.begin = 0, .host = host}, lane, missing);
      }
    }
    if (event.kind != AccessKind::load) written.set_few(address, event.op.bytes);
  }
}

void Sanitizer::record_lanes(const Event& event) {
  Target target;
  if (event.space == Space::shared) {
    target = {.races = &m_shadow->races,
              .written = &m_shadow->written,
              .begin = 0,
              .host = event.warp.block->shared};
  }
  uint64_t before[2] = {UINT64_MAX, UINT64_MAX};
  for (uint32_t rest = event.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t address = event.addresses[lane];
    // Two readers stand for all.
    if (event.kind == AccessKind::load && address == before[0] && address == before[1]) continue;
    before[1] = before[0];
    before[0] = address;
    if (event.space != Space::shared &&
        (target.global == nullptr || address < target.global->begin || address >= target.global->end)) {
      GlobalShadow* shadow = find_shadow(event.op.instruction, address);
      if (shadow == nullptr) continue;
      check_allocation(event, *shadow, lane);
      target = {.races = &shadow->races,
                .written = shadow->tracks_written ? &shadow->written : nullptr,
                .begin = shadow->begin,
                .host = shadow->host,
                .global = shadow};
    }
    record_lane(event, target, lane);
  }
}

void Sanitizer::record_lane(const Event& event, const Target& target, uint32_t lane) {
  const uint32_t bytes = event.op.bytes;
  const uint64_t offset = event.addresses[lane] - target.begin;
  if (target.written != nullptr) {
    if (event.kind != AccessKind::store) {
      const uint64_t missing = target.written->missing(offset, bytes);
      if (missing != 0) report_uninitialized(event, target, lane, missing);
    }
    if (event.kind != AccessKind::load && !event.pending) target.written->set_few(offset, bytes);
  }
  if (event.kind == AccessKind::load && target.global != nullptr && !target.global->is_written &&
      !m_writes_anywhere) {
    return;
  }
  RacePage& page = target.races->page(offset, bytes);
  const uint32_t cell = static_cast<uint32_t>(offset % RacePage::bytes) >> page.shift;
  const uint32_t count = std::max(1u, bytes >> page.shift);
  const Access mine{m_now, m_block,
                    Access::info_of(event.op.instruction, event.warp.index * warp_lanes + lane,
                                    event.place.strong, event.pending, event.place.atomic)};
  if (event.kind == AccessKind::load) {
    read_cells(event, target, page, cell, count, mine);
  } else {
    write_cells(event, target, page, cell, count, mine);
  }
}

namespace {

bool same_thread(const Access& a, const Access& b) { return a.block == b.block && a.thread() == b.thread(); }
bool same_warp(const Access& a, const Access& b) { return a.block == b.block && a.warp() == b.warp(); }

}  // namespace

// One of them writes.
inline bool Sanitizer::conflicts(const Access& earlier, const Access& mine, Time floor) const {
  // A copy that nobody has waited for is under way whatever barriers have passed.
  if (earlier.time < floor && !(earlier.is_pending() && earlier.time >= m_shadow->clocks.begin()))
    return false;
  if (earlier.is_strong() && mine.is_strong()) return false;
  if (same_thread(earlier, mine) && !earlier.is_pending()) return false;
  return !is_ordered(earlier, {mine.block, mine.thread()});
}

void Sanitizer::read_cells(const Event& event, const Target& target, RacePage& page, uint32_t cell,
                           uint32_t count, const Access& mine) {
  if (page.write != nullptr) {
    for (uint32_t i = cell; i < cell + count; ++i) {
      const Access& write = page.write[i];
      if (!conflicts(write, mine, event.floor)) continue;
      report_race(event, target, mine.thread() % warp_lanes, write,
                  write.is_atomic() ? AccessKind::atomic : AccessKind::store);
      break;
    }
  }
  Access* first = page.reads(0);
  for (uint32_t i = cell; i < cell + count; ++i) {
    Access& a = first[i];
    if (a.time < event.floor || same_thread(a, mine)) {
      a = mine;
    } else {
      note_reader(page, i, mine, event.floor);
    }
  }
}

// There is a reader already. Where two are remembered that a later writer can hardly both be in order with,
// nothing changes.
void Sanitizer::note_reader(RacePage& page, uint32_t cell, const Access& mine, Time floor) {
  Access& a = page.reads(0)[cell];
  Access& b = page.reads(1)[cell];
  const bool b_counts = b.time >= floor;
  // Most words are read by many warps between two barriers.
  const bool both_elsewhere = b_counts && !same_warp(a, b) && !same_warp(a, mine) && !same_warp(b, mine);
  if (both_elsewhere && a.block == mine.block && b.block == mine.block && !a.is_strong()) return;
  if (b_counts && (a.time == mine.time && same_warp(a, mine)) && !a.is_strong()) return;
  if (b_counts && (b.time == mine.time && same_warp(b, mine)) && !a.is_strong()) return;
  if (b_counts && a.block != b.block && a.block != mine.block && b.block != mine.block && !a.is_strong())
    return;
  const Reader reader{mine.block, mine.thread()};
  if (is_ordered(a, reader) || (a.is_strong() && !mine.is_strong())) {
    a = mine;
  } else if (!b_counts || same_thread(b, mine) || is_ordered(b, reader)) {
    b = mine;
  } else if (same_warp(b, mine)) {
    if (a.warp() != b.warp() || a.block != b.block || b.time < mine.time) b = mine;
  } else if (same_warp(a, mine)) {
    a = mine;
  } else if (a.block == b.block && (same_warp(a, b) || mine.block != a.block)) {
    b = mine;
  }
}

void Sanitizer::write_cells(const Event& event, const Target& target, RacePage& page, uint32_t cell,
                            uint32_t count, const Access& mine) {
  Access* writes = page.writes();
  const uint32_t lane = mine.thread() % warp_lanes;
  bool reported = false;
  for (uint32_t i = cell; i < cell + count; ++i) {
    Access& write = writes[i];
    if (!reported && conflicts(write, mine, event.floor)) {
      const uint64_t at = event.addresses[lane] - target.begin + (uint64_t{i - cell} << page.shift);
      if (!writes_the_same(event, target, write, lane, at, std::min(event.op.bytes + 0u, 1u << page.shift))) {
        report_race(event, target, lane, write, write.is_atomic() ? AccessKind::atomic : AccessKind::store);
        reported = true;
      }
    }
    write = mine;
    for (const auto& reads : page.read) {
      if (reads == nullptr) break;
      Access& read = reads[i];
      if (!reported && conflicts(read, mine, event.floor)) {
        report_race(event, target, lane, read, AccessKind::load);
        reported = true;
      }
      read.time = 0;
    }
  }
}

// Threads that write the same value do no harm to one another. `at`: from the target's beginning.
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
    // What the other lane writes is not in memory yet.
    return stored_value(event.op, event.warp, other, theirs) &&
           std::memcmp(mine + within, theirs + within, bytes) == 0;
  }
  return std::memcmp(mine + within, target.host + at, bytes) == 0;
}

void Sanitizer::name_place(const Event& event, const Target& target, uint32_t lane, Finding& finding) const {
  const uint64_t address = event.addresses[lane];
  finding.space = event.space;
  finding.address = address;
  finding.bytes = event.op.bytes;
  finding.offset = address - target.begin;
  if (target.global != nullptr) {
    finding.allocation = target.global->name;
    finding.allocation_bytes = target.global->end - target.global->begin;
  } else if (event.space == Space::shared) {
    for (const ir::SharedVariable& variable : m_places->program().shared_variables) {
      if (address < variable.begin || address >= variable.end) continue;
      finding.allocation = short_name(variable.name);
      finding.offset = address - variable.begin;
      if (variable.end != UINT64_MAX) finding.allocation_bytes = variable.end - variable.begin;
      break;
    }
  }
}

void Sanitizer::report_race(const Event& event, const Target& target, uint32_t lane, const Access& earlier,
                            AccessKind earlier_kind) {
  Finding finding = finding_at(FindingKind::race, event.op, event.warp, lane);
  finding.side.access = event.kind;
  finding.side.is_pending = event.pending;
  finding.has_other = true;
  finding.other = {.instruction = std::min(earlier.instruction(), m_places->program().instructions() - 1),
                   .block = earlier.block,
                   .thread = earlier.thread(),
                   .access = earlier_kind,
                   .value = {},
                   .is_pending = earlier.is_pending()};
  m_findings.add(finding, [&](Finding& made) {
    name_place(event, target, lane, made);
    const std::byte* memory = target.host + (event.addresses[lane] - target.begin);
    const ptx::Modifier type = event.place.type;
    std::byte value[16] = {};
    if (event.kind == AccessKind::load) {
      made.side.value = value_text(type, memory, event.op.bytes);
    } else if (stored_value(event.op, event.warp, lane, value)) {
      made.side.value = value_text(type, value, event.op.bytes);
    }
    if (earlier_kind == AccessKind::store) made.other.value = value_text(type, memory, event.op.bytes);
  });
}

void Sanitizer::report_uninitialized(const Event& event, const Target& target, uint32_t lane,
                                     uint64_t missing) {
  const Finding finding = finding_at(FindingKind::uninitialized, event.op, event.warp, lane);
  m_findings.add(finding, [&](Finding& made) {
    name_place(event, target, lane, made);
    made.side.access = event.kind;
    // The first byte that nobody has written, and those behind it.
    const auto first = static_cast<uint32_t>(std::countr_zero(missing));
    made.address += first;
    made.offset += first;
    made.bytes = static_cast<uint32_t>(std::countr_one(missing >> first));
  });
}

void Sanitizer::finish_copy(const exec::Warp& warp, uint32_t lane, uint64_t address, uint32_t bytes) {
  m_shadow->written.set(address, bytes);
  RacePage* page = m_shadow->races.find(address);
  if (page == nullptr || page->write == nullptr) return;
  const uint32_t thread = warp.index * warp_lanes + lane;
  const uint32_t cell = static_cast<uint32_t>(address % RacePage::bytes) >> page->shift;
  for (uint32_t i = cell; i < cell + std::max(1u, bytes >> page->shift); ++i) {
    Access& write = page->write[i];
    if (!write.is_pending() || write.thread() != thread || write.block != m_block) continue;
    write.info = Access::info_of(write.instruction(), thread, false, false, false);
    write.time = m_now;
  }
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
