// What `judge` and `grade` have in common: the seed, and what an answer may take.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"
#include "core/lesson/judge_process.h"

namespace warplens {

struct JudgingChoices {
  std::string seed = "1";
  double seconds = 60, memory_mib = 4096;
};

// --seed, --time and --memory, for CliCommand::add(). `choices` must outlive the command.
std::vector<CliOption> judging_options(JudgingChoices& choices);
// An error says that the seed is no number.
Result<uint64_t> seed_of(const JudgingChoices& choices);
lesson::JudgeLimits limits_of(const JudgingChoices& choices);

}  // namespace warplens
