// How evenly the work of a launch is spread over the SMs, if blocks differ in the amount of work.
#pragma once

#include <cstdint>

#include "core/launch/run_result.h"

namespace warplens {

struct BlockSpread {
  double busiest_share = 1;  // share of all work that the SM does that ends last; at least 1 / SMs
  double longest = 1;        // the work of the longest block, relative to the mean; at least 1
  double resident = 0;       // blocks on an SM, on average over the time in which it has any; 0 if none ran
};

// Each block in order is given to the first SM with room. An SM has room for `active` blocks at a time, which
// share its units equally. Takes O(cells × log(active × SMs)).
BlockSpread block_spread(const BlockWork& work, uint32_t sms, uint32_t active);
// The same for blocks that all have the same amount of work.
BlockSpread even_spread(uint64_t blocks, uint32_t sms, uint32_t active);

}  // namespace warplens
