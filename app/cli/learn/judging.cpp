#include "app/cli/learn/judging.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "core/lesson/read/field_readers.h"

namespace warplens {

std::vector<CliOption> judging_options(JudgingChoices& choices) {
  return {{.name = "--seed",
           .value = &choices.seed,
           .help = "Of hidden cases and data (default: 1)",
           .value_name = "N"},
          {.name = "--time",
           .value = &choices.seconds,
           .help = "Seconds that an answer may take (default: 60)",
           .value_name = "SECONDS",
           .range = std::pair{1.0, 3600.0}},
          {.name = "--memory",
           .value = &choices.memory_mib,
           .help = "Address space that it may take in MiB (default: 4096)",
           .value_name = "MIB",
           .range = std::pair{512.0, 1048576.0}}};
}

std::vector<CliOption> strangers_options(JudgingChoices& choices) {
  return {{.name = "--without-sandbox",
           .value = &choices.without_sandbox,
           .help = "Judge CUDA C++ also where nothing keeps answers apart, with this user's rights"}};
}

Result<void> answers_of_others(const lesson::JudgeLimits& limits) {
  const std::string why = lesson::why_not_apart();
  if (why.empty() || limits.trusts_author) return {};
  return missing(
      fmt::format("Answers of others are not run on this machine, since nothing would keep them apart from "
                  "the rest of it: {} "
                  "--without-sandbox judges those in CUDA C++ all the same.",
                  why));
}

void say_how_apart(const lesson::JudgeLimits& limits, Cli& cli) {
  const Result<void> sandbox = lesson::sandbox_works();
  if (sandbox) return;
  const Result<OtherUser> user = lesson::judge_user();
  if (user)
    cli.say(fmt::format("{} Answers run as the user {} instead, without a network.", sandbox.error().message,
                        user->name));
  else if (limits.trusts_author)
    cli.say(lesson::why_not_apart() +
            " Python answers are refused, and others are compiled with this user's rights.");
}

Result<uint64_t> seed_of(const JudgingChoices& choices) {
  const auto seed = lesson::whole_number_in(choices.seed, 1'000'000'000);
  if (!seed)
    return bad_input(fmt::format("--seed {}: write a whole number up to 1,000,000,000.", choices.seed));
  return *seed;
}

lesson::JudgeLimits limits_of(const JudgingChoices& choices) {
  lesson::JudgeLimits limits;
  limits.time = std::chrono::milliseconds(int64_t(choices.seconds * 1000));
  limits.memory_bytes = uint64_t(choices.memory_mib) << 20;
  limits.trusts_author = choices.without_sandbox;
  return limits;
}

}  // namespace warplens
