// The command that stands in front of NVIDIA's compiler.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace warplens::nvcc {

// `warplens nvcc ARGUMENTS…`: runs the plan (nvcc_plan.h) and returns nvcc's exit status. What does not
// compile for want of something is tried again with it (compile_mends.h); options of nvcc are added with
// --add-options only, which is said.
int front(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace warplens::nvcc
