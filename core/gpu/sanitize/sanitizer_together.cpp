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

}  // namespace

// Returns the lanes that must be checked one by one, and sets `target` to the memory to check.
uint32_t Sanitizer::record_together(const Event& event, Target& target) {
  // Atomic operations seldom have the same shape again.
  if (event.kind == AccessKind::atomic) return event.mask;
  const uint32_t bytes = event.bytes;
  std::unique_ptr<Shape>& known = m_known[event.op.instruction].shape;
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
  if (shape.side_by_side) left = record_rows(event, target, low, 0, warp_lanes);
  if (is_load && left != 0) left &= read_together(event, target, shape, low);
  return target.written == nullptr ? left : event.mask;
}

// For consecutive lanes, the first of them at `low`: handles a row at a time. Returns the lanes that must be
// checked one by one.
uint32_t Sanitizer::record_rows(const Event& event, const Target& target, uint64_t low, uint32_t lane,
                                uint32_t lanes) {
  const uint32_t bytes = event.bytes;
  const uint64_t end = low + uint64_t{lanes} * bytes;
  uint32_t left = 0;
  for (uint64_t at = low; at < end;) {
    RacePage& page = target.races->page(at, bytes);
    const uint64_t row_bytes = RaceRow::cells << page.shift;
    const uint64_t next = std::min(end, (at & ~(row_bytes - 1)) + row_bytes);
    const uint32_t first = lane + static_cast<uint32_t>(at - low) / bytes;
    const auto shift = static_cast<uint32_t>(std::countr_zero(bytes)) - page.shift;
    const auto cell = static_cast<uint32_t>(at & (row_bytes - 1)) >> page.shift;
    Track::Part mine{.cells = lanes_between(cell, cell + static_cast<uint32_t>((next - at) >> page.shift)),
                     .shift = static_cast<uint8_t>(shift),
                     .first = event.of(first)};
    mine.first.info -= cell >> shift;
    if (!record_row(event, page.row_of(at), mine))
      left |= lanes_between(first, lane + static_cast<uint32_t>(next - low) / bytes);
    at = next;
  }
  return left;
}

// Records that the cells were accessed. Returns false if it must be done lane by lane.
bool Sanitizer::record_row(const Event& event, RaceRow& row, const Track::Part& mine) {
  const Time floor = event.floor;
  if (row.pending != 0 || !row.write.is_clear(mine, floor)) return false;
  // Another warp of the block may still need what this one does not.
  const Time forgotten = event.space == Space::shared ? m_shadow->clocks.begin() : m_floor;
  if (event.kind == AccessKind::store) {
    if (!row.read[0].is_clear(mine, floor) || !row.read[1].is_clear(mine, floor)) return false;
    row.write.set(mine, forgotten);
    row.pending = event.pending ? mine.cells : 0;
    for (Track& reads : row.read) reads.clear(mine.cells);
    row.forget(mine.cells);
    return true;
  }
  if (!row.read[0].is_clear(mine, floor))
    return (mine.cells & ~row.quiet_for(event.first, floor, told(event.first))) == 0;
  row.read[0].set(mine, forgotten);
  row.forget(mine.cells);
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
    if (page.shift != shift) return ~0u;  // the same bytes are in other cells
    RaceRow& row = page.row_of(at);
    const bool is_clear = row.pending == 0 && row.write.newest < event.floor;
    if (is_clear) {
      rows[r] = &row;
      quiet[r] = row.quiet_for(event.first, event.floor, told(event.first));
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

// An access to global memory whose lanes are all in one allocation and have the shape `shape`. False, and
// nothing was done, if it is none of the supported kinds.
bool Sanitizer::record_global_shaped(const exec::Op& op, uint32_t warp, AccessKind kind,
                                     const exec::AccessShape& shape, uint64_t first) {
  Known& known = m_known[op.instruction];
  GlobalShadow* const shadow = known.used;
  // The address was already checked against the allocation, which also contains all lanes.
  if (shadow == nullptr || known.meant != shadow || first < shadow->begin || first >= shadow->end)
    return false;
  Target target = target_in(*shadow);
  const bool is_load = kind == AccessKind::load;
  std::array<uint64_t, warp_lanes> addresses;
  Event event = event_of(op, warp, ~0u, Space::global, kind, addresses.data());
  if (orders(event)) return false;
  if (is_load && target.written == nullptr && cannot_race(event, target)) return true;
  if (!shape.in_rows) return false;
  constexpr uint32_t half = exec::AccessShape::half_lanes;
  const uint64_t apart = shape.relative[half], half_bytes = uint64_t{half} * event.bytes;
  if (!shape.contiguous && apart < half_bytes && ~apart + 1 < half_bytes) return false;  // they overlap
  const uint64_t rows[2] = {first - target.begin, first + apart - target.begin};
  for (const uint64_t row : rows) {
    if (target.written == nullptr) break;
    if (!is_load) target.written->set(row, half_bytes);
    if (is_load && !target.written->has(row, half_bytes)) return false;
  }
  if (cannot_race(event, target)) return true;
  remember_first(event);
  uint32_t left = 0;
  if (shape.contiguous) {
    left = record_rows(event, target, rows[0], 0, warp_lanes);
  } else {
    for (uint32_t i = 0; i < 2; ++i) left |= record_rows(event, target, rows[i], i * half, half);
  }
  // Loads may be recorded twice.
  if (left == 0 || is_load) return left == 0;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) addresses[lane] = first + shape.relative[lane];
  target.written = nullptr;
  record_each(event, target, left);
  return true;
}

}  // namespace warplens::sanitize
