// Every memory access of one block, as recorded by replaying it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dim3.h"

namespace warplens {

enum class Space : uint8_t { global, shared, local, constant, parameter, generic };
enum class AccessKind : uint8_t { load, store, atomic };
const char* to_string(Space space);
const char* to_string(AccessKind kind);

// One warp instruction's access. Lanes outside the mask hold 0.
struct WarpAccess {
  uint32_t warp = 0;  // in its block
  uint32_t mask = 0;
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  uint8_t bytes_per_lane = 0;
  uint32_t ptx_line = 0, source_line = 0;
  std::string_view source_file;  // points into BlockFootprint::files
  int32_t buffer = -1;           // index in LaunchRequest::buffers; -1: shared, local or several buffers
  std::array<uint64_t, warp_lanes>
      offset;  // bytes from the start of that buffer; of shared memory; else the address
  uint32_t sectors = 0,
           sectors_ideal = 0;  // global: 32-byte sectors touched, and the fewest that hold the bytes
  uint32_t wavefronts = 0;     // shared
};

struct BlockFootprint {
  Dim3 block{0, 0, 0};
  std::vector<WarpAccess> accesses;
  std::vector<std::string> files;
  bool truncated = false;  // the limit on accesses was reached
  std::string fault;       // why the block stopped early; empty where it ended
};

}  // namespace warplens
