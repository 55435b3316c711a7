// What the execution alone takes of the processor's time, on one core: holds roughly also on a machine that
// others use at the same time, where the clock on the wall says little.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "core/gpu/machine/machine.h"
#include "core/launch/steps.h"
#include "tests/bench/cases.h"
#include "tests/bench/tables.h"

namespace warplens::bench {

namespace {

struct TierSetting {
  const char* name;
  exec::Tier tier;
  bool counts;
};
constexpr std::array<TierSetting, 4> tier_settings = {{{"handlers", exec::Tier::off, false},
                                                       {"handlers, counters", exec::Tier::off, true},
                                                       {"machine code", exec::Tier::hot, false},
                                                       {"machine code, counters", exec::Tier::hot, true}}};
constexpr size_t processor_rounds = 21;

double processor_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

double processor_ms_of(const std::function<void()>& work) {
  const double start = processor_ms();
  uint32_t times = 0;
  double took = 0;
  for (; took < 2; took = processor_ms() - start, ++times) work();
  return took / times;
}

// Negative: it failed.
double processor_ms_of(const LaunchRequest& request, const Programs& programs, const TierSetting& setting) {
  const LaunchStep& step = *first_launch(request);
  Result<Machine> machine = Machine::create(request, programs);
  for (uint32_t b = 0; machine && b < request.buffers.size(); ++b)
    if (!machine->allocate(b) || !machine->copy_in(b)) return -1;
  if (!machine) return -1;
  Result<exec::GridLaunch> launch = machine->prepare(step, *programs.by_entry.find(step.entry)->second, 1);
  if (!launch) return -1;
  launch->count_memory = setting.counts;
  launch->record_blocks = false;
  launch->tier = setting.tier;
  const double start = processor_ms();
  exec::run_grid(*launch, {}, nullptr);
  return processor_ms() - start;
}

}  // namespace

void print_processor(const std::string& only) {
  fmt::print(
      "Processor's time of the execution on one core in ms, least and middle of {} rounds, and the ratio of "
      "the "
      "leasts to the scalar loop's:\n\n| kernel | scalar |",
      processor_rounds);
  for (const TierSetting& setting : tier_settings) fmt::print(" {} |", setting.name);
  fmt::print("\n|---|---|---|---|---|---|\n");
  for (const Case& c : all_cases()) {
    if (c.name.find(only) == std::string::npos) continue;
    const Result<Programs> programs = load_programs(*c.request, {.watching = program::Watching::divisions});
    if (!programs) continue;
    std::vector<double> scalar;
    std::array<std::vector<double>, tier_settings.size()> times;
    for (size_t round = 0; round < processor_rounds; ++round) {
      scalar.push_back(processor_ms_of(c.scalar));
      for (size_t s = 0; s < tier_settings.size(); ++s)
        times[s].push_back(processor_ms_of(*c.request, *programs, tier_settings[s]));
    }
    std::ranges::sort(scalar);
    fmt::print("| {} | {:.3g}, {:.3g} |", c.name, scalar.front(), scalar[processor_rounds / 2]);
    for (auto& of_setting : times) {
      std::ranges::sort(of_setting);
      fmt::print(" {:.3g}, {:.3g} ({:.2f}) |", of_setting.front(), of_setting[processor_rounds / 2],
                 of_setting.front() / scalar.front());
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

}  // namespace warplens::bench
