// The accesses outside of memory after which a launch went on, as findings: one for each line.
#pragma once

#include <functional>
#include <vector>

#include "core/gpu/exec/state/passed_faults.h"
#include "core/launch/run_result.h"
#include "core/program/program.h"

namespace warplens {

// `described` makes the incident of a fault, in the block at this position. What happened instead of the
// access is added to its message.
std::vector<Incident> incidents_of(const exec::PassedFaults& passed, const program::Program& program,
                                   const std::function<Incident(const exec::Fault&, Dim3)>& described);

}  // namespace warplens
