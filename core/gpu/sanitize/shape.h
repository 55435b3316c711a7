// The positions of the addresses of a warp's access relative to each other. An instruction usually has the
// same shape every time, so it is compared with the last shape before it is analysed again.
#pragma once

#include <array>
#include <cstdint>

#include "core/gpu/sanitize/race_shadow.h"

namespace warplens::sanitize {

struct Shape {
  static constexpr uint32_t lanes = 32;
  // An access that spans more than this is checked lane by lane.
  static constexpr uint32_t most_rows = 16, most_bytes = 1 << 20;

  uint32_t mask = 0;  // active lanes; 0 if nothing is known yet
  bool side_by_side = false;
  bool is_near = false;
  uint64_t before = 0;                    // bytes from the lowest address to lane 0's
  uint32_t width = 0;                     // bytes from the lowest address to the highest
  uint32_t distinct = 0;                  // lanes, except those whose two predecessors have the same address
  std::array<uint64_t, lanes> offsets{};  // from lane 0's address

  // The cells, if the lowest address has this position in its row.
  uint32_t phase = UINT32_MAX, cell_shift = 0, rows = 0;
  uint32_t count = 1, bits = 1;  // cells of a lane, starting at its first cell
  std::array<uint32_t, most_rows> touched{};

  bool is_of(const uint64_t* addresses, uint32_t active) const {
    uint64_t different = mask ^ active;
    for (uint32_t lane = 0; lane < lanes; ++lane)
      different |= (addresses[lane] - addresses[0]) ^ offsets[lane];
    return different == 0;
  }
  void look_at(const uint64_t* addresses, uint32_t active, uint32_t bytes);
  // Returns false if there are too many rows.
  bool find_cells(uint32_t of_phase, uint32_t shift, uint32_t bytes);
  uint32_t cell_of(uint32_t lane) const {
    return (static_cast<uint32_t>(offsets[lane] + before) + phase) >> cell_shift;
  }
};

}  // namespace warplens::sanitize
