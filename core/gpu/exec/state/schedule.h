// Schedules other than the default order. Every seed except 0 permutes the warps of a block in each round,
// the blocks that run concurrently, and the paths of a warp, and lets lanes that run together separate. All
// of this depends only on the seed and the block, so a run can be repeated with any number of workers.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace warplens::exec {

// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
class Dice {
 public:
  explicit Dice(uint64_t state = 0) : m_state(state) {}
  uint64_t next() {
    uint64_t z = m_state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t end) { return next() % end; }

 private:
  uint64_t m_state;
};

// Similar seeds give very different states.
inline uint64_t mixed(uint64_t seed, uint64_t what) { return Dice(seed ^ Dice(what).next()).next(); }

// The block that starts at this position of the order. Only blocks of one window change places. A window is
// smaller than the number of concurrent blocks, so a block that waits for an earlier one still sees it run.
inline uint64_t block_at(uint64_t place, uint64_t end, uint64_t seed) {
  constexpr uint64_t window = 32;
  const uint64_t first = place / window * window;
  const uint64_t count = end - first < window ? end - first : window;
  std::array<uint8_t, window> order{};
  for (uint64_t i = 0; i < count; ++i) order[i] = static_cast<uint8_t>(i);
  Dice dice(mixed(seed, first));
  for (uint64_t i = count; i > 1; --i) std::swap(order[i - 1], order[dice.below(i)]);
  return first + order[place - first];
}

}  // namespace warplens::exec
