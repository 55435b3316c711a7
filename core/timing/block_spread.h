// How evenly the work of a launch is spread, where blocks have more or less to do.
#pragma once

#include <cstdint>

#include "core/launch/run_result.h"

namespace warplens {

struct BlockSpread {
  double busiest_share = 1;  // of all work: what the SM does that ends last; at least 1 / SMs
  double longest = 1;        // the work of the longest block, in times of the mean; at least 1
};

// Blocks go in their order to the SM that has room first. An SM has room for `active` of them at a time, and
// gives each the same share of its units. Takes O(cells × log(active × SMs)).
BlockSpread block_spread(const BlockWork& work, uint32_t sms, uint32_t active);

}  // namespace warplens
