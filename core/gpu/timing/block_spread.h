// How evenly the work of a launch is spread over the SMs, if blocks differ in the amount of work.
#pragma once

#include <cstdint>

#include "core/launch/run_result.h"

namespace warplens {

struct BlockSpread {
  double busiest_share = 1;  // share of all work that the SM does that ends last; at least 1 / SMs
  double longest = 1;        // the work of the longest block, relative to the mean; at least 1
};

// Each block in order is given to the first SM with room. An SM has room for `active` blocks at a time, which
// share its units equally. Takes O(cells × log(active × SMs)).
BlockSpread block_spread(const BlockWork& work, uint32_t sms, uint32_t active);

}  // namespace warplens
