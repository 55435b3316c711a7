// Why an access of a kernel was outside of all arrays, where its address shows it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/gpu/exec/grid.h"
#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// " The array's pitch, 512, is in bytes, …": one or two sentences. Empty if the cause is not known.
std::string cause_of(Gpu& device, const Function& function, const exec::Fault& fault,
                     const std::vector<std::byte>& parameters);

}  // namespace warplens::driver
