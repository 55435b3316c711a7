// The cache model, which needs a second pass over a request: on one core, in order, after the run has
// finished. So the run itself stays fast, and its result is shown first. The second pass is only made if it
// is short.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "core/job/run_job.h"

namespace warplens {

// The limits of the second pass. They amount to some tenths of a second.
constexpr uint64_t affordable_cache_sectors = 6'000'000;
constexpr uint64_t affordable_cache_instructions = 12'000'000;  // of warps
constexpr uint64_t affordable_cache_bytes = 512 << 20;          // of buffers; the pass copies them

// For runs that are too long for it, a sample of blocks runs again, within these limits: some hundredths of a
// second.
constexpr uint64_t affordable_sample_sectors = 1'000'000;
constexpr uint64_t affordable_sample_instructions = 1'500'000;
constexpr uint64_t most_sampled_blocks = 256;

// The number of blocks that a sample would have. 0 if the cache model runs, or if a sample would say nothing.
uint64_t affordable_sample(const RunResult& result);

// The reason why with_caches() would change nothing, for example that there is nothing to model. Empty if it
// would add caches.
std::string why_no_caches(const RunResult& result);

// The result with the traffic of L1, L2 and DRAM added, and with times and warnings computed from it. For a
// run that is too long for that, it has the L1 hits of a sample of its blocks, and the times that follow.
// Everything else stays as it is in `result`. An error means that it was stopped, or that the backend failed.
Result<RunResult> with_caches(const Job& job, const RunResult& result, Backend& backend,
                              std::stop_token stop);

// The share of loaded sectors, including those of textures, that hit L1. Empty without the cache model, or if
// nothing was loaded.
std::optional<double> l1_hit_percent(const Counters& counters);
// The number of these sectors: of global and local memory, and of textures.
uint64_t sectors_through_l1(const Counters& counters);

// The same result without caches, as if the model had not run. A sweep compares such results if one of its
// points is too long for the model.
RunResult without_caches(const RunResult& result);

}  // namespace warplens
