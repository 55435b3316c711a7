// All memory accesses of one block, recorded while the block is run again.
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
const char* verb_of(AccessKind kind);  // "reads", "writes", "updates"

// The memory access of one warp instruction. Lanes outside the mask hold 0.
struct WarpAccess {
  uint32_t warp = 0;  // index in the block
  uint32_t mask = 0;
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  uint8_t bytes_per_lane = 0;
  uint32_t ptx_line = 0, source_line = 0;
  std::string_view source_file;  // points into BlockFootprint::files
  int32_t buffer = -1;           // index in LaunchRequest::buffers; -1 if shared, local or several
  std::array<uint64_t, warp_lanes>
      offset;  // bytes from the start of that buffer or of shared memory; otherwise the address
  uint32_t sectors = 0,
           sectors_ideal = 0;  // global: 32-byte sectors touched, and the fewest that could hold the bytes
  uint32_t wavefronts = 0;     // shared memory
};

// The counts of one thread of the block.
struct ThreadCounts {
  uint64_t instructions = 0;  // the sum over a block's threads is its thread_instructions
  uint64_t loop_passes = 0;   // how often it came to the start of a loop: once for each pass through its body
  bool operator==(const ThreadCounts&) const = default;
};

struct BlockFootprint {
  Dim3 block{0, 0, 0};
  std::vector<ThreadCounts> threads;  // by linear thread; of the PTX, and complete even if `truncated`
  std::vector<WarpAccess> accesses;
  std::vector<std::string> files;
  bool truncated = false;  // the limit on recorded accesses was reached
  std::string fault;       // why the block stopped early; empty if it ran to its end
};

}  // namespace warplens
