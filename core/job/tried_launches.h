// Other launches of a job's kernel, for tried_fixes.cpp: which ones are worth trying, and their results.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/job/run_job.h"

namespace warplens {

struct TriedLaunch {
  LaunchShape shape;
  RunResult result;
  bool right = false;        // it ran to its end, and its results are right
  bool cached = false;       // `us` includes the cache model
  std::optional<double> us;  // modelled, all launches together
};

// The modelled time of all kernels of a run, with or without the results of the cache model.
std::optional<double> modelled_kernel_us(const RunResult& result, bool with_caches);

// The blocks that a fix may have, each once, the likeliest first. The current block is among them, since
// another grid may be what is needed.
std::vector<Dim3> blocks_to_try(const Job& job, const RunResult& result);

// The nearest launch that follows the rule of thumb about small grids. Empty if the current one does, or if
// none would.
std::optional<LaunchShape> following_rule_of_thumb(const Job& job, const RunResult& result);

// The job with another block, and with the grid that fits it, on the virtual GPU. Empty if the kernel or CUDA
// would not accept it.
std::optional<Job> job_with_block(const Job& job, const RunResult& result, Dim3 block);

// Whether the run is so small that at least one other launch can be tried.
bool can_afford_to_try(const RunResult& result);

// Runs launches until the limits of tried_fixes.h are reached, with the cache model if the current run has
// it. Returns only those with correct results. An error means that it was stopped.
Result<std::vector<TriedLaunch>> try_launches(const Job& job, const RunResult& result, Backend& backend,
                                              const std::stop_token& stop);

}  // namespace warplens
