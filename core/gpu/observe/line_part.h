// Some sectors of one line of a cache.
#pragma once

#include <cstdint>

namespace warplens::observe {

// Bit s of `sectors` is the line's s-th 32 bytes. The members are not initialised, since every request has
// room for many of these.
struct LinePart {
  uint64_t line;  // address / line_bytes
  uint32_t sectors;
};

}  // namespace warplens::observe
