// Where in its buffers a request reads and writes: sectors touched, in a bounded number of bins.
//
// The request is run again, on one worker, with a recorder in the place where replay_block has its own; so a
// run that nobody asks this of pays nothing, and what is counted here is what the run counted: the sectors of
// all bins add up to its counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/engine/replay.h"
#include "core/launch/launch_request.h"

namespace warplens {

struct BufferHeat {
  uint32_t buffer = 0;  // in LaunchRequest::buffers
  uint64_t bytes = 0;
  uint64_t sectors_per_bin = 1;                  // a power of two; the last bin may be shorter
  std::vector<uint64_t> loads, stores, atomics;  // sectors that requests touched, by bin
  uint64_t touched(size_t bin) const { return loads[bin] + stores[bin] + atomics[bin]; }
};

struct AddressHeat {
  std::vector<BufferHeat> buffers;  // of each, even if nothing touched it
  uint64_t elsewhere = 0;           // sectors outside all buffers: variables of the module
  std::string message;              // why it is not the whole run; empty: it is
};

// `step_budget`: of each launch; a longer one ends there, and the message says so. Faults end it too.
Result<AddressHeat> record_heat(const LaunchRequest& request, std::stop_token stop, size_t max_bins = 4096,
                                uint64_t step_budget = default_step_budget);

}  // namespace warplens
