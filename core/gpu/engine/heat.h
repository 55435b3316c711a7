// Where in its buffers a request reads and writes: the touched sectors, in a limited number of bins.
//
// The request is run again on one worker, with a recorder. So an ordinary run costs nothing more. The
// sectors of all bins add up to the counters of the run.
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
  uint32_t buffer = 0;  // index in LaunchRequest::buffers
  uint64_t bytes = 0;
  uint64_t sectors_per_bin = 1;                  // a power of two; the last bin may be shorter
  std::vector<uint64_t> loads, stores, atomics;  // touched sectors, by bin
  uint64_t touched(size_t bin) const { return loads[bin] + stores[bin] + atomics[bin]; }
};

struct AddressHeat {
  std::vector<BufferHeat> buffers;  // one for each buffer, even if it was not touched
  uint64_t elsewhere = 0;           // sectors outside all buffers: variables of the module
  std::string message;              // why it is not the whole run; empty if it is
};

// `step_budget` is the limit for each launch. A longer launch ends there, and the message says so. A fault
// ends it too.
Result<AddressHeat> record_heat(const LaunchRequest& request, std::stop_token stop, size_t max_bins = 4096,
                                uint64_t step_budget = default_step_budget);

}  // namespace warplens
