// What happened before what: which accesses of the other warps a warp may rely on.
//
// Time is one counter of a launch that barriers, fences and releases move on. A warp knows, for each warp of
// its block, up to when that one's accesses are ordered before its own: barriers hand this knowledge round.
// Within a warp, __syncwarp() and the other .sync instructions do the same for lanes.
//
// Between warps that share no barrier, a fence followed by a strong write (atomic, volatile, st.release)
// publishes what its warp knows, and a strong read of the same address takes it over. For this all addresses
// count as one: who takes something over takes over everything that was published until then. So orders are
// never missed, and a race can be where a kernel synchronises at the wrong address.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/gpu/sanitize/access.h"

namespace warplens::sanitize {

using Row = std::vector<Time>;  // per warp of the block

// What a warp, or a barrier at which warps meet, knows.
struct Clock {
  Row known;                              // accesses before this time are ordered before what comes
  Row fenced;                             // of those, what a strong write would publish to the device
  Row fenced_block;                       // and to the block
  Time acquired = 0, acquired_block = 0;  // what was published until then is known

  void reset(size_t warps);
  void join(const Clock& other);
};

// The lanes of a warp that synchronise in parts: row i, column j: what lane i knows of lane j.
using LanePairs = std::array<std::array<Time, 32>, 32>;

// What one block published.
struct Published {
  Time time = 0;
  Row row;
};
struct Publications {
  std::vector<Published> device, block;
};

// Who takes part in the race that is looked for.
struct Reader {
  uint32_t block = 0, thread = 0;
  uint32_t warp() const { return thread / 32; }
  uint32_t lane() const { return thread % 32; }
};

class BlockClocks {
 public:
  // Of a block that begins now.
  void start(size_t warps, Time now);

  void arrive(uint32_t warp, Clock& barrier, Time now);
  void depart(uint32_t warp, const Clock& barrier);
  Clock& barrier(uint32_t number) { return m_barriers[number]; }
  Clock& object(uint64_t address) { return m_objects[address]; }

  // Lanes come to a .sync instruction; lanes go on from one whose mask is `mask`; `live`: not exited.
  void come(uint32_t warp, uint32_t lanes, Time now);
  void meet(uint32_t warp, uint32_t lanes, uint32_t mask, uint32_t live);

  void fence(uint32_t warp, bool device, Time now);
  // When what the warp does now began to be: since then nothing has been said of its accesses to anybody.
  Time epoch(uint32_t warp) const { return m_epoch[warp]; }
  Clock& of(uint32_t warp) { return m_warps[warp]; }
  const Clock& of(uint32_t warp) const { return m_warps[warp]; }

  // All accesses before this are ordered before what the warp does now, whoever did them.
  Time safe(uint32_t warp) const { return m_safe[warp]; }
  // By barriers and .sync instructions of this block.
  bool is_ordered(const Access& earlier, const Reader& now) const {
    const uint32_t warp = earlier.warp();
    if (earlier.time < m_warps[now.warp()].known[warp]) return true;
    if (warp != now.warp()) return false;
    if (earlier.thread() == now.thread) return true;
    return m_pairs[warp] != nullptr && earlier.time < (*m_pairs[warp])[now.lane()][earlier.thread() % 32];
  }

  size_t warps() const { return m_warps.size(); }
  Time begin() const { return m_begin; }

 private:
  void note_safe(uint32_t warp);

  std::vector<Clock> m_warps;
  std::vector<Time> m_safe, m_epoch;
  std::vector<std::array<Time, 32>> m_arrival;  // per lane, at its newest .sync instruction
  std::vector<std::unique_ptr<LanePairs>> m_pairs;
  std::array<Clock, 16> m_barriers;
  std::unordered_map<uint64_t, Clock> m_objects;
  Time m_begin = 0;
};

}  // namespace warplens::sanitize
