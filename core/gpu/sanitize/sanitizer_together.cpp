// Checks the accesses of a whole warp at once if there is no problem. The other lanes are checked one by
// one, with the same result.
#include <algorithm>
#include <bit>

#include "core/gpu/sanitize/sanitizer.h"

namespace warplens::sanitize {

namespace {

// If addresses are further apart than this, checking all cells in between takes longer than checking each
// lane.
constexpr uint32_t far_apart = 4096;

uint32_t lanes_between(uint32_t first, uint32_t end) {
  return (end >= warp_lanes ? ~0u : (1u << end) - 1) & ~((1u << first) - 1);
}

// Whether nothing in the row can conflict with the access: everything is older, or by the same threads.
bool is_clear(const Track& track, const Access& mine, uint32_t shift, Time floor) {
  return track.newest < floor || track.is_by(mine, shift);
}

}  // namespace

// Returns the lanes that must be checked one by one, and sets `target` to the memory to check.
uint32_t Sanitizer::record_together(const Event& event, Target& target) {
  // Atomic operations seldom have the same shape again.
  if (event.kind == AccessKind::atomic) return event.mask;
  const uint32_t bytes = event.bytes;
  std::unique_ptr<Shape>& known = m_shapes[event.op.instruction];
  if (known == nullptr) known = std::make_unique<Shape>();
  Shape& shape = *known;
  if (!shape.is_of(event.addresses, event.mask)) shape.look_at(event.addresses, event.mask, bytes);
  const uint64_t low = event.addresses[0] - shape.before - target.begin, size = target.end - target.begin;
  if (!shape.is_near || low >= size || shape.width >= size - low) return event.mask;
  const bool is_load = event.kind == AccessKind::load;
  if (target.written != nullptr) {
    if (is_load) {
      if (shape.width < far_apart && target.written->has(low, uint64_t{shape.width} + bytes))
        target.written = nullptr;
    } else if (event.pending) {
      target.written = nullptr;
    } else if (shape.side_by_side) {
      target.written->set(low, uint64_t{bytes} * warp_lanes);
      target.written = nullptr;
    }
  }
  uint32_t left = is_load ? shape.distinct : event.mask;
  if (target.written != nullptr && is_load) return left;
  if (cannot_race(event, target)) return 0;
  if (shape.side_by_side) left = record_rows(event, target, low);
  if (is_load && left != 0) left &= read_together(event, target, shape, low);
  return target.written == nullptr ? left : event.mask;
}

// For lanes side by side, starting at `low`: handles whole rows at a time.
uint32_t Sanitizer::record_rows(const Event& event, const Target& target, uint64_t low) {
  const uint32_t bytes = event.bytes;
  const uint64_t end = low + warp_lanes * bytes;
  uint32_t left = 0;
  for (uint64_t at = low; at < end;) {
    RacePage& page = target.races->page(at, bytes);
    const uint64_t row_bytes = RaceRow::cells << page.shift;
    const uint64_t next = std::min(end, (at & ~(row_bytes - 1)) + row_bytes);
    const auto first = static_cast<uint32_t>(at - low) / bytes;
    const auto shift = static_cast<uint32_t>(std::countr_zero(bytes)) - page.shift;
    if (next - at != row_bytes || !record_row(event, page.row_of(at), event.of(first), shift))
      left |= lanes_between(first, static_cast<uint32_t>(next - low) / bytes);
    at = next;
  }
  return left;
}

// Records that cell i was accessed by the thread of `mine` + (i >> shift). Returns false if it must be done
// lane by lane.
bool Sanitizer::record_row(const Event& event, RaceRow& row, const Access& mine, uint32_t shift) {
  const Time floor = event.floor;
  if (row.pending != 0 || !is_clear(row.write, mine, shift, floor)) return false;
  if (event.kind == AccessKind::store) {
    if (!is_clear(row.read[0], mine, shift, floor) || !is_clear(row.read[1], mine, shift, floor))
      return false;
    row.write.set(mine, shift);
    row.pending = event.pending ? ~0u : 0;
    for (Track& reads : row.read) reads.set({}, 0);
    row.forget(~0u);
    return true;
  }
  if (!is_clear(row.read[0], mine, shift, floor)) return row.quiet_for(mine, floor) == ~0u;
  row.read[0].set(mine, shift);
  row.forget(~0u);
  return true;
}

// Records reads of cells without an unordered write. Returns the lanes that read other cells.
uint32_t Sanitizer::read_together(const Event& event, const Target& target, Shape& shape, uint64_t low) {
  const uint32_t bytes = event.bytes;
  const uint32_t shift = target.races->page(low, bytes).shift;
  const uint64_t row_bytes = RaceRow::cells << shift;
  const auto phase = static_cast<uint32_t>(low & (row_bytes - 1));
  if (!shape.find_cells(phase, shift, bytes)) return ~0u;
  RaceRow* rows[Shape::most_rows] = {};
  uint32_t quiet[Shape::most_rows] = {};
  bool all_quiet = true;
  for (uint32_t r = 0; r < shape.rows; ++r) {
    if (shape.touched[r] == 0) continue;
    const uint64_t at = low - phase + r * row_bytes;
    RacePage& page = target.races->page(at, bytes);
    if (page.shift != shift) return ~0u;  // the same bytes lie in other cells
    RaceRow& row = page.row_of(at);
    const bool is_clear = row.pending == 0 && row.write.newest < event.floor;
    if (is_clear) {
      rows[r] = &row;
      quiet[r] = row.quiet_for(event.first, event.floor);
    }
    all_quiet = all_quiet && (shape.touched[r] & ~quiet[r]) == 0;
  }
  if (all_quiet) return 0;
  uint32_t left = 0;
  for (uint32_t rest = shape.distinct; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint32_t cell = shape.cell_of(lane), r = cell / RaceRow::cells;
    const uint32_t first = cell % RaceRow::cells;
    if (rows[r] == nullptr) {
      left |= 1u << lane;
    } else if ((shape.bits << first & ~quiet[r]) != 0) {
      note_reading(*rows[r], first, shape.count, event.of(lane), event.floor);
    }
  }
  return left;
}

}  // namespace warplens::sanitize
