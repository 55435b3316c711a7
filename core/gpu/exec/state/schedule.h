// Other schedules than the one in order: every seed but 0 permutes the warps of a block at each round, the
// blocks that are under way together, and the paths of a warp, and lets lanes that run together part. All of
// it follows from the seed and the block alone, so that a run can be repeated, on any number of workers.
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

// Seeds that differ little give states that differ much.
inline uint64_t mixed(uint64_t seed, uint64_t what) { return Dice(seed ^ Dice(what).next()).next(); }

// The block that starts at this place of the order. Only blocks of one window change places: it is smaller
// than what may be under way at once, so a block that waits for an earlier one still sees it run.
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
