// Video instructions, PTX ISA 9.7.18: arithmetic on bytes, half-words and words that are cut out of
// registers.
#pragma once

#include <cstdint>

#include "core/exec/op.h"

namespace warplens::exec {

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

// What an instruction does with each lane of the warp; packed into Op::immediate.
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
};

uint64_t packed(const VideoPlan& plan);
VideoPlan video_plan(uint64_t packed);

// d = plan(a, b, c)
uint32_t run_video_lane(const VideoPlan& plan, uint32_t a, uint32_t b, uint32_t c);
const Op* run_video(const Op* op, Warp& warp);

}  // namespace warplens::exec
