#include "core/base/keyed_hash.h"

#include <bit>
#include <cstring>

namespace warplens {
namespace {

uint64_t little_endian(const void* bytes, size_t count) {
  uint8_t part[8] = {};
  std::memcpy(part, bytes, count);
  uint64_t word = 0;
  for (size_t i = 0; i < 8; ++i) word |= uint64_t{part[i]} << 8 * i;
  return word;
}

struct SipState {
  uint64_t v0, v1, v2, v3;

  void rounds(int count) {
    for (int i = 0; i < count; ++i) {
      v0 += v1;
      v2 += v3;
      v1 = std::rotl(v1, 13) ^ v0;
      v3 = std::rotl(v3, 16) ^ v2;
      v0 = std::rotl(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = std::rotl(v1, 17) ^ v2;
      v3 = std::rotl(v3, 21) ^ v0;
      v2 = std::rotl(v2, 32);
    }
  }
  void take(uint64_t word) {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  }
};

}  // namespace

uint64_t keyed_hash(const HashKey& key, std::string_view bytes) {
  const uint64_t k0 = little_endian(key.data(), 8), k1 = little_endian(key.data() + 8, 8);
  SipState state{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261,
                 k1 ^ 0x7465646279746573};
  const uint64_t length = uint64_t{bytes.size()} << 56;
  while (bytes.size() >= 8) {
    state.take(little_endian(bytes.data(), 8));
    bytes.remove_prefix(8);
  }
  state.take(little_endian(bytes.data(), bytes.size()) | length);
  state.v2 ^= 0xff;
  state.rounds(4);
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

}  // namespace warplens
