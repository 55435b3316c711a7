// The processor time of the execution only, on one core. It is roughly right also on a machine that others
// use at the same time, where elapsed time says little.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "app/cli/shared/values.h"
#include "core/device/device.h"
#include "core/gpu/machine/machine.h"
#include "core/image/image.h"
#include "core/kernels/catalogue.h"
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

using SettingTimes = std::array<std::vector<double>, tier_settings.size()>;

void sort_each(SettingTimes& times) {
  for (auto& of_setting : times) std::ranges::sort(of_setting);
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
    SettingTimes times;
    for (size_t round = 0; round < processor_rounds; ++round) {
      scalar.push_back(processor_ms_of(c.scalar));
      for (size_t s = 0; s < tier_settings.size(); ++s)
        times[s].push_back(processor_ms_of(*c.request, *programs, tier_settings[s]));
    }
    std::ranges::sort(scalar);
    sort_each(times);
    fmt::print("| {} | {:.3g}, {:.3g} |", c.name, scalar.front(), scalar[processor_rounds / 2]);
    for (const auto& of_setting : times) {
      fmt::print(" {:.3g}, {:.3g} ({:.2f}) |", of_setting.front(), of_setting[processor_rounds / 2],
                 of_setting.front() / scalar.front());
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

void print_every(const std::string& only, const std::string& block_text) {
  const Result<Dim3> wanted = block_text.empty() ? Dim3{0, 0, 0} : parse_extent("every", block_text);
  if (!wanted) return fmt::print(stderr, "{}\n", wanted.error().message);
  fmt::print("Processor's time of the execution on one core in ms, least of {} rounds:\n\n| kernel | block |",
             processor_rounds);
  for (const TierSetting& setting : tier_settings) fmt::print(" {} |", setting.name);
  fmt::print(" machine code to handlers | counters |\n|---|---|---|---|---|---|---|---|\n");
  const auto picture = std::make_shared<const Image>(rendered_sample(512, 512));
  std::vector<double> looking;
  for (const KernelDescription& kernel : built_in_kernels()) {
    if (kernel.name.find(only) == std::string::npos || kernel.intentionally_broken) continue;
    const auto request = usual_request(kernel, picture, *wanted);
    if (request == nullptr) continue;
    const Result<Programs> programs = load_programs(*request, {.watching = program::Watching::divisions});
    if (!programs) continue;
    SettingTimes times;
    for (size_t round = 0; round < processor_rounds; ++round)
      for (size_t s = 0; s < tier_settings.size(); ++s)
        times[s].push_back(processor_ms_of(*request, *programs, tier_settings[s]));
    sort_each(times);
    const Dim3 block = first_launch(*request)->block;
    fmt::print("| `{}` | {} × {} × {} |", kernel.name, block.x, block.y, block.z);
    for (const auto& of_setting : times) fmt::print(" {:.3g} |", of_setting.front());
    looking.push_back(times[3].front() / times[2].front());
    fmt::print(" {:.2f} | {:.2f} |\n", times[2].front() / times[0].front(), looking.back());
  }
  std::ranges::sort(looking);
  if (!looking.empty())
    fmt::print("\nWhat counters cost, in the median of {} kernels: {:.2f}\n\n", looking.size(),
               looking[looking.size() / 2]);
}

}  // namespace warplens::bench
