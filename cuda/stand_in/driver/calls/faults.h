// A kernel that ended with a fault: CUDA's code for it, and the sentence for people.
#pragma once

#include <cstddef>
#include <vector>

#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/state/parted.h"
#include "core/gpu/exec/state/passed_faults.h"
#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// `parameters` are the launch's: they tell which array the access was meant for.
CUresult tell_fault(Gpu& device, const Function& function, const exec::GridOutcome& outcome, Dim3 block,
                    const std::vector<std::byte>& parameters);

// Reports the accesses outside of memory after which the launch went on, one for each line.
void tell_passed(Gpu& device, const Function& function, const exec::PassedFaults& passed, Dim3 block,
                 const std::vector<std::byte>& parameters);

// Reports a fault or a finding in a kernel. The lines of inlined calls follow the sentence.
void tell_incident(Gpu& device, const Function& function, const Incident& incident, CUresult code);

// Reports that warps came to a barrier in parts, which this device accepts.
void tell_parted(Gpu& device, const Function& function, const exec::PartedWarps& parted, Dim3 block);

}  // namespace warplens::driver
