// Says how a run ended.
#pragma once

#include "app/cli/shared/cli.h"
#include "core/launch/run_result.h"

namespace warplens {

// Prints a sentence for each problem and sets the exit status. With `strict`, findings are problems too.
void say_outcome(const RunResult& result, bool strict, Cli& cli);

}  // namespace warplens
