#include "core/gpu/sanitize/shape.h"

#include <algorithm>
#include <bit>

namespace warplens::sanitize {

void Shape::look_at(const uint64_t* addresses, uint32_t active, uint32_t bytes) {
  mask = active;
  phase = UINT32_MAX;
  uint64_t low = UINT64_MAX, high = 0, different = 0;
  uint64_t last[2] = {UINT64_MAX, UINT64_MAX};
  distinct = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    offsets[lane] = addresses[lane] - addresses[0];
    if ((active >> lane & 1) == 0) continue;
    const uint64_t address = addresses[lane];
    low = std::min(low, address);
    high = std::max(high, address);
    different |= offsets[lane] ^ (uint64_t{lane} * bytes);
    distinct |= static_cast<uint32_t>(address != last[0] || address != last[1]) << lane;
    last[1] = last[0];
    last[0] = address;
  }
  before = addresses[0] - low;
  is_near = high - low <= most_bytes;
  width = static_cast<uint32_t>(high - low);
  side_by_side = active == ~0u && different == 0;
}

bool Shape::find_cells(uint32_t of_phase, uint32_t shift, uint32_t bytes) {
  if (phase == of_phase && cell_shift == shift) return rows <= most_rows;
  phase = of_phase;
  cell_shift = shift;
  rows = ((width + phase) >> shift) / RaceRow::cells + 1;
  if (rows > most_rows) return false;
  touched = {};
  count = std::max(1u, bytes >> shift);
  bits = (1u << count) - 1;
  for (uint32_t rest = distinct; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint32_t cell = cell_of(lane);
    touched[cell / RaceRow::cells] |= bits << (cell % RaceRow::cells);
  }
  return true;
}

}  // namespace warplens::sanitize
