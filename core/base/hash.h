// A hash of a text, for names of folders and checksums of hand-ins. It is not safe against deliberate
// collisions.
#pragma once

#include <cstdint>
#include <string_view>

namespace warplens {

// FNV-1a (Fowler, Noll and Vo) over the bytes. `hash` is the hash of the preceding text, to continue from it.
// Files contain these values, so they must not change.
constexpr uint64_t hash_of(std::string_view bytes, uint64_t hash = 1469598103934665603u) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace warplens
