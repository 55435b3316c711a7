// What a video instruction does, PTX ISA 9.7.18, in the 64 bits of Op::immediate.
#pragma once

#include <cstdint>

#include "core/program/op/op.h"

namespace warplens::program {

enum class VideoOperation : uint8_t {
  add,
  sub,
  absolute_difference,
  min,
  max,
  average,
  shift_left,
  shift_right,
  mad,
  set
};
enum class VideoCompare : uint8_t { eq, ne, lt, le, gt, ge };
enum class VideoSecond : uint8_t { none, add, min, max };
enum class VideoPart : uint8_t { word, half, byte };

// The work of an instruction in each lane of the warp; packed into Op::immediate.
struct VideoPlan {
  VideoOperation operation{};
  VideoCompare compare{};
  VideoSecond second{};
  uint8_t lanes = 1;  // 2: half-words, 4: bytes
  bool d_signed = false, a_signed = false, b_signed = false;
  bool saturate = false, wrap = false, plus_one = false, negate_product = false, negate_c = false;
  uint8_t shift = 0;                       // of vmad: 0, 7, 15
  VideoPart d_part{}, a_part{}, b_part{};  // of scalar instructions
  uint16_t a_index = 0, b_index = 0;       // four bits an element, the lowest first
  uint8_t d_index = 0;                     // scalar: which part; SIMD: a mask of elements

  static VideoPlan of(const Op& op);
  void write(Op& op) const;
};

uint64_t packed(const VideoPlan& plan);
VideoPlan video_plan(uint64_t packed);

inline VideoPlan VideoPlan::of(const Op& op) { return video_plan(static_cast<uint64_t>(op.immediate)); }
inline void VideoPlan::write(Op& op) const { op.immediate = static_cast<int64_t>(packed(*this)); }

}  // namespace warplens::program
