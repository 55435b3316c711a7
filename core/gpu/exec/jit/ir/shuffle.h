// Shuffles (PTX ISA 9.7.9.6) whose mode and c are known when code is made. b is known, too, or is in a
// register.
#pragma once

#include <array>
#include <cstdint>

#include "core/gpu/exec/state/shuffle_source.h"

namespace warplens::exec::jit {

// The number of each lane.
constexpr std::array<uint8_t, warp_lanes> lane_numbers = [] {
  std::array<uint8_t, warp_lanes> numbers{};
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) numbers[lane] = static_cast<uint8_t>(lane);
  return numbers;
}();

// The parts of Instruction::number. If b is in a register, it is 0 here.
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
  // For each lane the last lane of its segment, or the first one in mode `up`. A source beyond it is out of
  // the segment.
  std::array<uint8_t, warp_lanes> bounds() const {
    std::array<uint8_t, warp_lanes> bounds{};
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      bounds[lane] = static_cast<uint8_t>((lane & segment()) | (c & 31 & ~segment()));
    return bounds;
  }
  // For each lane the first lane of its segment.
  std::array<uint8_t, warp_lanes> starts() const {
    std::array<uint8_t, warp_lanes> starts{};
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) starts[lane] = static_cast<uint8_t>(lane & segment());
    return starts;
  }
  // The bits of b that count.
  uint32_t used_bits() const { return kind == program::Collective::shfl_idx ? 31 & ~segment() : 31; }
  uint32_t segment() const { return c >> 8 & 31; }
  bool is_up() const { return kind == program::Collective::shfl_up; }
  // The lanes whose source lies in their segment.
  uint32_t inside() const {
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      bits |= uint32_t{shuffle_source(kind, lane, b, c).inside} << lane;
    return bits;
  }
  // Whether all sources lie in their segments, whatever b is.
  bool is_always_inside() const {
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      if (KnownShuffle{kind, lane, c}.inside() != 0xffffffff) return false;
    return true;
  }
};

}  // namespace warplens::exec::jit
