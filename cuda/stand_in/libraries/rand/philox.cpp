#include "assets/cuda/random/constants.h"
#include "cuda/stand_in/libraries/rand/engines.h"

namespace warplens::rand {

using namespace warplens_random;

Philox::Philox(uint64_t its_seed, uint64_t offset) : seed(its_seed), counters(sequences) {
  // Whole turns of all, and one more of those that have had it.
  const uint64_t turns = offset / outputs_of_a_turn;
  for (uint64_t i = 0; i < sequences; ++i) counters[i] = turns / sequences + (i < turns % sequences ? 1 : 0);
}

// The words of the counter are the block and the sequence.
std::array<uint32_t, 4> Philox::block(uint64_t sequence, uint64_t behind) const {
  const uint64_t number = counters[sequence] + behind;
  std::array<uint32_t, 4> c = {static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 32),
                               static_cast<uint32_t>(sequence), 0};
  uint32_t key_0 = static_cast<uint32_t>(seed), key_1 = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < philox_rounds; ++round) {
    const uint64_t p0 = uint64_t{philox_factor[0]} * c[0], p1 = uint64_t{philox_factor[1]} * c[2];
    c = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ key_0, static_cast<uint32_t>(p1),
         static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ key_1, static_cast<uint32_t>(p0)};
    key_0 += philox_key_step[0];
    key_1 += philox_key_step[1];
  }
  return c;
}

}  // namespace warplens::rand
