// Video instructions, PTX ISA 9.7.18: arithmetic on bytes, half-words and words that are extracted from
// registers.
#pragma once

#include <cstdint>

#include "core/gpu/exec/state/program.h"
#include "core/program/op/video_plan.h"

namespace warplens::exec {

// d = plan(a, b, c)
uint32_t run_video_lane(const VideoPlan& plan, uint32_t a, uint32_t b, uint32_t c);

}  // namespace warplens::exec
