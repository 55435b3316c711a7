// What clang's steps need besides a process: texts that it reads, and the container of the PTX that it
// writes.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "app/user_program/clang_plan.h"
#include "core/base/result.h"
#include "core/compile/clang.h"

namespace warplens::nvcc {

// For a plan of a device of compute capability `capability` (86 for 8.6); links look in `libraries`. Errors:
// the headers cannot be written, an architecture that clang does not know.
Result<ClangTools> clang_tools(const Clang& clang, uint32_t capability, const std::string& scratch,
                               const std::string& libraries);

// Runs a step, and gives its exit status. PTX that lacks functions is made once more with libclc, which holds
// those of mathematics; where one is still defined nowhere, `err` says which, and the status is 1. Errors:
// files that cannot be read or written, no such program.
Result<int> run_clang_step(const Step& step, const Clang& clang, const ClangTools& tools, std::ostream& err);

}  // namespace warplens::nvcc
