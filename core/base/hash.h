// A number for a text, that tells texts apart where nobody means harm: names of folders, checksums of
// hand-ins.
#pragma once

#include <cstdint>
#include <string_view>

namespace warplens {

// FNV-1a (Fowler, Noll and Vo) over the bytes. `hash`: of the text in front, to go on from it. Its values are
// in files: they must not change.
constexpr uint64_t hash_of(std::string_view bytes, uint64_t hash = 1469598103934665603u) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace warplens
