// The common parts of `judge` and `grade`: the seed, and the limits of an answer.
#pragma once

#include <string>
#include <vector>

#include "app/cli/shared/cli.h"
#include "app/cli/shared/command.h"
#include "core/lesson/judge/judge_process.h"

namespace warplens {

struct JudgingChoices {
  std::string seed = "1";
  double seconds = 60, memory_mib = 4096;
  bool without_sandbox = false;
};

// --seed, --time and --memory, for CliCommand::add(). `choices` must outlive the command.
std::vector<CliOption> judging_options(JudgingChoices& choices);
// --without-sandbox, of commands that judge answers of others.
std::vector<CliOption> strangers_options(JudgingChoices& choices);
// An error says why answers of others are not run on this machine.
Result<void> answers_of_others(const lesson::JudgeLimits& limits);
// Says it where bubblewrap does not keep answers apart.
void say_how_apart(const lesson::JudgeLimits& limits, Cli& cli);
// An error says that the seed is no number.
Result<uint64_t> seed_of(const JudgingChoices& choices);
lesson::JudgeLimits limits_of(const JudgingChoices& choices);

}  // namespace warplens
