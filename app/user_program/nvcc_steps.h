// Runs what a plan has in the place of a command line of nvcc.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "app/user_program/nvcc_plan.h"
#include "core/base/result.h"

namespace warplens::nvcc {

// Runs a step of a plan for nvcc, and gives its exit status. Errors: no such program.
Result<int> run_nvcc_step(const Step& step);

// Runs the steps, those with words by `run`, until one fails, and gives its exit status; 127 where there is
// no such program.
using RunStep = std::function<Result<int>(const Step& step)>;
int run_steps(const Plan& plan, const RunStep& run, std::ostream& err);

}  // namespace warplens::nvcc
