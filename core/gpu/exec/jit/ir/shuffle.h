// Shuffles whose lanes read lanes that are known when code is made (PTX ISA 9.7.9.6).
#pragma once

#include <array>
#include <cstdint>

#include "core/gpu/exec/state/shuffle_source.h"

namespace warplens::exec::jit {

// As Instruction::number says it.
struct KnownShuffle {
  program::Collective kind{};
  uint32_t b = 0, c = 0;

  static KnownShuffle of(uint64_t number) {
    return {static_cast<program::Collective>(number & 0xff), static_cast<uint32_t>(number >> 8 & 31),
            static_cast<uint32_t>(number >> 16 & 0x1f1f)};
  }
  uint64_t number() const {
    return static_cast<uint64_t>(kind) | uint64_t{b & 31} << 8 | uint64_t{c & 0x1f1f} << 16;
  }
  // The lane that each lane reads.
  std::array<uint8_t, warp_lanes> lanes() const {
    std::array<uint8_t, warp_lanes> from{};
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      from[lane] = static_cast<uint8_t>(shuffle_source(kind, lane, b, c).lane);
    return from;
  }
  // Those whose source lies in their segment.
  uint32_t inside() const {
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      bits |= uint32_t{shuffle_source(kind, lane, b, c).inside} << lane;
    return bits;
  }
};

}  // namespace warplens::exec::jit
