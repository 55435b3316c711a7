// ptxas, CUDA's assembler: a program that makes a cubin from a PTX text. It is run as nvcc runs it, on a
// whole program, so that it assigns the same registers as the driver and nvcc. (In relocatable code, a kernel
// often gets more.)
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace warplens {

struct Assembled {
  std::string cubin, log;
  bool operator==(const Assembled&) const = default;
};

// Assembles with this ptxas, without any cache, for an architecture ("sm_86"). Errors: bad_input if ptxas
// rejects the PTX, missing if ptxas does not start or does not know the architecture.
Result<Assembled> run_ptxas(const std::string& program, const std::string& ptx,
                            const std::string& architecture, const std::vector<std::string>& options);

}  // namespace warplens
