// Tests fixes before they are offered. A warning's rule says what is wrong, not what fixes it: a block that
// satisfies the rule may be slower. So other launches of the same kernel are run on the virtual GPU, with the
// same data and the same device, and the time model compares them. A fix is offered if its launch
//   runs without a fault, and its results are right,
//   no longer causes the warning,
//   is faster by more than the model may be wrong about two launches of one kernel (least_gain.h),
//   touches no more sectors of memory,
//   keeps the occupancy, and
//   causes no warning that the current launch does not cause.
// A launch that leaves elements out, or that CUDA refuses, is fixed by one that does neither, however fast.
// docs/adr/0024-fixes-are-tried.md has the reasons.
#pragma once

#include <stop_token>

#include "core/job/least_gain.h"
#include "core/job/run_job.h"

namespace warplens {

// The limits of the work. They are counts, not times, so the offered fixes do not depend on how busy the
// machine is. They amount to some tenths of a second.
constexpr size_t most_tried_launches = 20;
constexpr uint64_t affordable_tried_instructions = 40'000'000;  // of warps, all tried launches together
constexpr uint64_t affordable_tried_sectors = 6'000'000;        // twice that without the cache model
constexpr uint64_t sectors_per_texture_request = 128;           // by their cost

// Whether the launch was refused, or the result has a warning that another launch may fix.
bool wants_fixes(const RunResult& result);

// The result with fixes for its warnings, and with the model's prediction for following a rule of thumb. A
// refused launch gets a warning launch_refused, whose fix is a launch that runs. Everything else stays. An
// error means that it was stopped.
Result<RunResult> with_fixes(const Job& job, const RunResult& result, Backend& backend, std::stop_token stop);

}  // namespace warplens
