// The model of the caches on top of a run that has finished: a second pass over the same request, on one core
// and in order, where that is short. The run itself stays as fast as it is, and its result is there first.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "core/job/run_job.h"

namespace warplens {

// What the second pass may take: some tenths of a second.
constexpr uint64_t affordable_cache_sectors = 6'000'000;
constexpr uint64_t affordable_cache_instructions = 12'000'000;  // of warps
constexpr uint64_t affordable_cache_bytes = 512 << 20;          // of buffers, which are there twice then

// Why with_caches() leaves the result as it is; empty: it does not. Nothing to model counts as a reason, too.
std::string why_no_caches(const RunResult& result);

// The result with what L1, L2 and DRAM moved, and times and warnings made anew from that. Everything else is
// the run's own. Errors: stopped, or what the backend says.
Result<RunResult> with_caches(const Job& job, const RunResult& result, Backend& backend,
                              std::stop_token stop);

// The same result without them, as if no model had run: what a sweep compares where one of its points is too
// long for the model.
RunResult without_caches(const RunResult& result);

}  // namespace warplens
