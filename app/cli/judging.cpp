#include "app/cli/judging.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "core/lesson/read_parts.h"

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
  return limits;
}

}  // namespace warplens
