// The happens-before order: which accesses of other warps are ordered before those of a warp.
//
// Time is one counter for each launch. Barriers, fences and releases advance it. For each warp of its block,
// a warp knows the time before which that warp's accesses are ordered before its own. Barriers exchange this
// knowledge between warps. Within a warp, __syncwarp() and the other .sync instructions do the same between
// lanes.
//
// Without a common barrier, a fence followed by a strong write (atomic, volatile, st.release) publishes the
// knowledge of its warp, and a strong read of the same address acquires it. Here all addresses are treated
// as one: a read acquires everything that was published before it. So no order is missed, but a race is not
// found if a kernel synchronises through the wrong address.
//
// A strong write without a fence publishes no writes, but reads: those before its block's last barrier have
// their values, so that a thread that sees the strong write can overwrite what they read. Look-back scans in
// place rely on this.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/gpu/sanitize/access.h"

namespace warplens::sanitize {

using Row = std::vector<Time>;  // per warp of the block

// The knowledge of a warp, or of a barrier.
struct Clock {
  Row known;                              // accesses before this time are ordered before later ones
  Row fenced;                             // the part that a strong write would publish to the device
  Row fenced_block;                       // the part that it would publish to the block
  Time acquired = 0, acquired_block = 0;  // everything that was published until then is known
  Time acquired_reads = 0;                // as above, of reads

  void reset(size_t warps);
  void join(const Clock& other);
};

// The knowledge of a warp's lanes about each other, for warps that synchronise in parts. Row i, column j is
// what lane i knows about lane j.
using LanePairs = std::array<std::array<Time, 32>, 32>;

// The knowledge that one block published.
struct Published {
  Time time = 0;
  Row row;
};
struct Publications {
  std::vector<Published> device, block;
  std::vector<Published> reads;  // only accesses that read are ordered
};

// The thread for which earlier accesses are checked.
struct Reader {
  uint32_t block = 0, thread = 0;
  uint32_t warp() const { return thread / 32; }
  uint32_t lane() const { return thread % 32; }
};

class BlockClocks {
 public:
  // Starts the clocks of a block.
  void start(size_t warps, Time now);

  void arrive(uint32_t warp, Clock& barrier, Time now);
  void depart(uint32_t warp, const Clock& barrier);
  Clock& barrier(uint32_t number) { return m_barriers[number]; }
  Clock& object(uint64_t address) { return m_objects[address]; }

  // come(): lanes arrive at a .sync instruction. meet(): lanes continue after one whose mask is `mask`;
  // `live` are the lanes that have not exited.
  void come(uint32_t warp, uint32_t lanes, Time now);
  void meet(uint32_t warp, uint32_t lanes, uint32_t mask, uint32_t live);

  void fence(uint32_t warp, bool device, Time now);
  // The time at which the warp's current epoch began. Since then no other warp has been told about its
  // accesses.
  Time epoch(uint32_t warp) const { return m_epoch[warp]; }
  Clock& of(uint32_t warp) { return m_warps[warp]; }
  const Clock& of(uint32_t warp) const { return m_warps[warp]; }

  // All accesses before this time, of any thread, are ordered before what the warp does now.
  Time safe(uint32_t warp) const { return m_safe[warp]; }
  // No access at this time or later, of another warp of the block, is ordered before what the warp does now.
  Time told(uint32_t warp) const {
    const Clock& clock = m_warps[warp];
    const bool acquired = clock.acquired != 0 || clock.acquired_block != 0 || clock.acquired_reads != 0;
    return acquired ? UINT32_MAX : m_told[warp];
  }
  // Whether barriers and .sync instructions of this block order the two accesses.
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
  std::vector<Time> m_safe, m_told, m_epoch;
  std::vector<std::array<Time, 32>> m_arrival;  // per lane, at its latest .sync instruction
  std::vector<std::unique_ptr<LanePairs>> m_pairs;
  std::array<Clock, 16> m_barriers;
  std::unordered_map<uint64_t, Clock> m_objects;
  Time m_begin = 0;
};

}  // namespace warplens::sanitize
