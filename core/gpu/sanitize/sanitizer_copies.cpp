// Accesses that are not loads and stores of a warp: textures, surfaces, and asynchronous copies.
#include <algorithm>
#include <bit>

#include "core/gpu/sanitize/sanitizer.h"

namespace warplens::sanitize {

namespace {

// The shadow handles at most this many bytes at a time, aligned to their size.
constexpr uint64_t most_bytes = 16;

uint32_t first_piece(uint64_t address, uint64_t bytes) {
  const uint64_t aligned = address == 0 ? most_bytes : address & (~address + 1);
  return static_cast<uint32_t>(std::min({most_bytes, aligned, std::bit_floor(bytes)}));
}

}  // namespace

// The address of a texel. 0 if it is in no array.
uint64_t Sanitizer::address_of(uint32_t instruction, const std::byte* texel) {
  const auto holds = [&](const auto& memory) {
    // They are compared as integers, since C++ does not order pointers into different arrays.
    return reinterpret_cast<uintptr_t>(texel) - reinterpret_cast<uintptr_t>(memory.host) <
           memory.end - memory.begin;
  };
  const GlobalShadow* used = m_known[instruction].used;
  if (used != nullptr && holds(*used)) return used->begin + static_cast<uint64_t>(texel - used->host);
  for (const exec::Allocation* allocation : m_memory->allocations()) {
    if (holds(*allocation)) return allocation->begin + static_cast<uint64_t>(texel - allocation->host);
  }
  return 0;
}

void Sanitizer::access(const exec::Op& op, const exec::Warp& warp, uint32_t lane,
                       const exec::WatchedAccess& what) {
  uint64_t addresses[warp_lanes] = {};
  Event event{.op = op,
              .warp = warp,
              .place = (*m_places)[op.instruction],
              .mask = 1u << lane,
              .kind = what.kind,
              .space = what.space,
              .addresses = addresses,
              .pending = what.barrier.has_value(),
              .through_texture = what.through_texture,
              .in_pieces = true};
  if (event.space == Space::shared) {
    end_interval();
    m_shadow->interval.note_time(m_shadow->clocks.epoch(warp.index));
    m_shadow->may_pend = m_shadow->may_pend || event.pending;
  }
  remember_first(event);
  const uint64_t address = what.texel == nullptr ? what.address : address_of(op.instruction, what.texel);
  for (uint64_t at = address, end = at + what.bytes; at < end; at += event.bytes) {
    addresses[lane] = at;
    event.bytes = first_piece(at, end - at);
    Target target;
    if (event.space == Space::shared) {
      target = shared_target(event);
    } else if (!find_target(event, lane, target)) {
      continue;
    }
    record_lane(event, target, lane);
  }
  if (!what.barrier) return;
  // The copy arrives at its barrier like a thread. Its bytes are written when the phase ends.
  m_shadow->written.set(what.address, what.bytes);
  m_shadow->copies[*what.barrier].push_back({warp.index * warp_lanes + lane, what.address, what.bytes});
  meet_at_object(warp, *what.barrier, true);
}

void Sanitizer::finish_pending(uint32_t thread, uint64_t address, uint32_t bytes, Time time) {
  RacePage* page = m_shadow->races.find(address);
  if (page == nullptr) return;
  RaceRow& row = page->row_of(address);
  const uint32_t first = page->cell_of(address) % RaceRow::cells;
  for (uint32_t i = first; i < first + std::max(1u, bytes >> page->shift); ++i) {
    Access write = row.write.at(i);
    if (!write.is_pending() || write.thread() != thread || write.block != m_block) continue;
    write.info = Access::info_of(write.instruction(), thread, false, false, false);
    if (time != 0) write.time = time;
    row.write.set(i, write);
    row.pending &= ~(1u << i);
  }
}

void Sanitizer::finish_copy(const exec::Warp& warp, uint32_t lane, uint64_t address, uint32_t bytes) {
  m_shadow->written.set(address, bytes);
  finish_pending(warp.index * warp_lanes + lane, address, bytes, m_shadow->clocks.epoch(warp.index));
}

// A thread has seen that the phase has ended, so the barrier orders what the copies wrote.
void Sanitizer::finish_copies_at(uint64_t barrier) {
  const auto found = m_shadow->copies.find(barrier);
  if (found == m_shadow->copies.end()) return;
  for (const BulkCopy& copy : found->second) {
    for (uint64_t at = copy.address, end = at + copy.bytes; at < end;) {
      const uint32_t bytes = first_piece(at, end - at);
      finish_pending(copy.thread, at, bytes, 0);
      at += bytes;
    }
  }
  m_shadow->copies.erase(found);
}

}  // namespace warplens::sanitize
