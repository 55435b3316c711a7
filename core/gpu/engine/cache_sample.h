// What L1 holds for a launch that is too long for the cache model, estimated from a sample of its blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/launch/launch_request.h"
#include "core/launch/run_result.h"

namespace warplens {

// Consecutive blocks of one SM, if blocks are given to the SMs in turn.
struct BlockGroup {
  uint64_t first = 0, blocks = 0;  // first, first + sms, …
  bool whole = false;              // all blocks of this SM; otherwise the first block only fills the cache
};
// Groups spread evenly over the grid, at most `wanted` blocks in all and at least one. Deterministic.
std::vector<BlockGroup> spread_groups(uint64_t blocks, uint64_t sms, uint64_t wanted);

// Runs about `wanted` blocks of the request's only launch, each at most `steps` warp instructions, with the
// memory that the request starts with. Empty if a sample says nothing: several launches, unknown cache sizes,
// no loads, or a block that waits for others.
Result<std::optional<CacheSample>> sample_caches(const LaunchRequest& request, uint64_t wanted,
                                                 uint64_t steps, std::stop_token stop);

}  // namespace warplens
