// What L1 holds for a launch that is too long for the model of the caches, from a sample of its blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/launch/launch_request.h"
#include "core/launch/run_result.h"

namespace warplens {

// Blocks that follow each other on one SM, when blocks are given to the SMs in turn.
struct BlockGroup {
  uint64_t first = 0, blocks = 0;  // first, first + sms, …
  bool whole = false;              // all that this SM runs; otherwise the first only fills the cache
};
// Groups spread evenly over the grid, at most `wanted` blocks in all and at least one. The same for the same
// numbers.
std::vector<BlockGroup> spread_groups(uint64_t blocks, uint64_t sms, uint64_t wanted);

// Runs about `wanted` blocks of the request's only launch, each at most `steps` warp instructions, with the
// memory that the request starts with. Empty where that says nothing: several launches, no sizes of caches,
// no loads, or a block that waits for others.
Result<std::optional<CacheSample>> sample_caches(const LaunchRequest& request, uint64_t wanted,
                                                 uint64_t steps, std::stop_token stop);

}  // namespace warplens
