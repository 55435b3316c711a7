// What a warp of a stepped block reads and writes, with values and with the names of the arrays.
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/gpu/stepping/block_stepper.h"

namespace warplens::stepping {

// One access of a warp to global or shared memory.
struct LoggedAccess {
  uint64_t position = 0;  // after the instruction
  uint32_t line = 0;      // of the kernel source; 0 if it is not known
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  uint32_t warp = 0, lanes = 0;
  uint32_t bytes = 0;  // of a lane
  std::array<uint64_t, warp_lanes> address{};
  Bytes values;        // the values in memory after the instruction, `bytes` a lane; zeros for other lanes
  uint32_t known = 0;  // the lanes whose values could be read
};
// The accesses of the instruction before the stepper's position.
std::vector<LoggedAccess> accesses_here(const BlockStepper& stepper);

struct AccessLog {
  uint32_t warp = 0;
  std::vector<LoggedAccess> accesses;  // by position
  uint64_t covered = 0;                // the positions up to here were examined
};
// Steps from `from` to `to` and logs the warp's accesses, at most `most`. Afterwards the stepper is at the
// last position reached.
AccessLog log_accesses(BlockStepper& stepper, uint32_t warp, uint64_t from, uint64_t to, size_t most,
                       const std::stop_token& stop = {});

// The array that an address belongs to, and its elements.
struct NamedArray {
  std::string name;  // "sums"; "memory" if nothing names it
  Space space = Space::global;
  uint64_t address = 0, bytes = 0;
  DType element = DType::u8;
  std::vector<uint64_t> extents;  // of several dimensions, outermost first; otherwise empty
};
std::vector<NamedArray> named_arrays(const BlockStepper& stepper);
// Null if the address is in none of them.
const NamedArray* array_at(const std::vector<NamedArray>& arrays, Space space, uint64_t address);
// "sums[33]", "tile[3][4]", "in[4…7]"; the address itself if it is in no array.
std::string place_text(const std::vector<NamedArray>& arrays, Space space, uint64_t address, uint32_t bytes);
// "0.87", "1, 2, 3, 4"; "?" if it is not known.
std::string value_text(const std::vector<NamedArray>& arrays, const LoggedAccess& access, uint32_t lane);
// An element's value as text.
std::string element_text(DType type, const Bytes& bytes, uint64_t offset);

}  // namespace warplens::stepping
