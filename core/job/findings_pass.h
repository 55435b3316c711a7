// Looks for all mistakes that the sanitizer finds (docs/findings.md), in a separate pass after the run. So
// the run's counts and times are those of the plain run, and its result is shown first. The pass is only made
// if it is short. That depends on what the run counted, never on time, so a report does not depend on how
// busy the machine is.
#pragma once

#include <stop_token>
#include <string>

#include "core/job/run_job.h"

namespace warplens {

// The limits of the pass. It runs on one worker, several times slower; with these it takes less than about a
// tenth of a second (docs/findings.md).
constexpr uint64_t affordable_findings_instructions = 2'000'000;  // of warps
constexpr uint64_t affordable_findings_accesses = 60'000;         // requests of warps to memory
constexpr uint64_t affordable_findings_bytes = 64 << 20;          // of buffers; the pass copies them
constexpr uint64_t accesses_per_texture_request = 8;              // by what they cost

// Whether there is something to look for: the kernel ran and was counted, and the user has not chosen what to
// look for.
bool wants_findings(const RunResult& result);

// The result, with the findings of the pass in place of its own, and with the kinds of mistakes that were
// checked. If the pass is skipped because of its size, `not_looked_for` says so. An error means that it was
// stopped, or that the backend failed.
Result<RunResult> with_findings(const Job& job, const RunResult& result, Backend& backend,
                                std::stop_token stop);

}  // namespace warplens
