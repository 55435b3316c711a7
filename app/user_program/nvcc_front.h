// Where NVIDIA's compiler is, and the command that wraps it.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warplens::nvcc {

// Paths of nvcc to try: $WARPLENS_NVCC, those of PATH, of toolkits, of wheels in the Python environment, and
// what `warplens fetch nvcc` brought. Kind missing, with what to do, where there is none.
Result<std::string> find_nvcc();
// The major version of the runtime library that its headers are for: 12 or 13; 13 where that is not known.
int runtime_major(const std::string& nvcc);

// `warplens nvcc ARGUMENTS…`: runs the plan (nvcc_plan.h) and returns nvcc's exit status.
int front(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace warplens::nvcc
