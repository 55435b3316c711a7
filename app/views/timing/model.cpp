#include "app/views/timing/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"

namespace warplens {
namespace {

// With more pieces than this, they could not be distinguished.
constexpr size_t most_bars = 24;

bool is_setup(StepKind kind) {
  return kind == StepKind::allocate || kind == StepKind::free || kind == StepKind::compile;
}

std::string hint_of(const StepTime& step) {
  std::string hint = fmt::format("{} {}", words_of(step.kind), step.label);
  if (step.us) {
    hint += ": " + microseconds_text(step.us->value);
    if (step.us->low != step.us->high)
      hint += fmt::format(" ({} to {})", microseconds_text(step.us->low), microseconds_text(step.us->high));
    hint += fmt::format(", {}", to_string(step.source));
  } else {
    hint += ": not known";
  }
  return hint + "\n" + step.formula;
}

std::vector<StepBar> bars_of(const RunTimes& times) {
  std::vector<StepBar> bars;
  double now = 0;
  const bool apart = times.steps.size() <= most_bars;
  for (const StepTime& step : times.steps) {
    const bool merge =
        !apart && !bars.empty() && std::ranges::find(bars, step.kind, &StepBar::kind) != bars.end();
    if (merge) {
      StepBar& bar = *std::ranges::find(bars, step.kind, &StepBar::kind);
      if (bar.us && step.us)
        bar.us = *bar.us + *step.us;
      else
        bar.us.reset();
      bar.label = fmt::format("{} (all)", words_of(step.kind));
      bar.hint = bar.label;
      continue;
    }
    StepBar bar;
    bar.kind = step.kind;
    bar.label = fmt::format("{} {}", words_of(step.kind), step.label);
    bar.us = step.us;
    bar.source = step.source;
    bar.hint = hint_of(step);
    bars.push_back(std::move(bar));
  }
  for (StepBar& bar : bars) {
    bar.start_us = now;
    if (bar.us) now += bar.us->value;
  }
  return bars;
}

struct Shares {
  double copies = 0, launch = 0, kernel = 0, total = 0;
};

Shares shares_of(const RunTimes& times) {
  Shares shares;
  for (const StepTime& step : times.steps) {
    if (!step.us || is_setup(step.kind)) continue;
    const double us = step.us->value;
    shares.total += us;
    (step.kind == StepKind::kernel   ? shares.kernel
     : step.kind == StepKind::launch ? shares.launch
                                     : shares.copies) += us;
  }
  return shares;
}

std::string share_text(double part, double whole) { return percent_text(100 * part / whole); }

std::string where_it_goes(const TimingView& view) {
  const RunTimes& times = view.times;
  const KernelTime& kernel = view.kernel_time;
  if (!view.kernel_us && !times.unknown.empty()) return fmt::format("There are no times: {}.", times.unknown);
  if (!view.kernel_us) return fmt::format("The kernel's time is not known: {}.", kernel.unknown);
  const Shares s = shares_of(times);
  if (s.copies > s.kernel && s.copies > s.launch)
    return fmt::format(
        "Copying takes {} of the time, the kernel {}: what limits this program is the way to the GPU.",
        share_text(s.copies, s.total), share_text(s.kernel, s.total));
  if (s.launch > s.kernel)
    return fmt::format("Launching takes {} of the time, longer than the kernel itself: give it more to do.",
                       share_text(s.launch, s.total));
  const std::string takes = fmt::format("The kernel takes {} of the time", share_text(s.kernel, s.total));
  const TimePart* bound = bound_of(kernel);
  if (bound == nullptr) return takes + ".";
  return fmt::format("{}, and {} holds it up{}.", takes, words_of(bound->kind),
                     view.source == Provenance::measured ? ", according to the time model" : "");
}

std::string cpu_beside(double gpu_us, double cpu_us) {
  const double ratio = cpu_us / gpu_us;
  const std::string cpu =
      fmt::format("One core of this CPU takes {} for the same", microseconds_text(cpu_us));
  if (ratio >= 1.05)
    return fmt::format("{}: the GPU, copies included, is {} times as fast.", cpu, significant(ratio));
  if (ratio <= 0.95)
    return fmt::format("{}: copying alone costs more, the CPU is {} times as fast.", cpu,
                       significant(1 / ratio));
  return cpu + ": no difference.";
}

std::string wrong_stopwatch(double launch_us, const std::optional<Band>& kernel_us) {
  if (!kernel_us) return "";
  return fmt::format(
      "A launch returns at once; the kernel is still running. A stopwatch that stops there shows {}, "
      "whatever the kernel does. Stopped after cudaDeviceSynchronize() it shows {}.",
      microseconds_text(launch_us), microseconds_text(launch_us + kernel_us->value));
}

// Uses float operations if there are at least a tenth as many as integer operations, otherwise integer
// operations.
void choose_operations(const RunResult& result, const UnitRates& rates, Roofline& roofline,
                       double& per_clock) {
  InstructionMix mix;
  for (const LaunchRecord& launch : result.launches) mix += launch.mix;
  const bool doubles = mix.double_operations > mix.float_operations;
  const uint64_t floats = std::max(mix.float_operations, mix.double_operations);
  const bool uses_floats = floats * 10 >= mix.integer_operations;
  roofline.unit = !uses_floats ? "integer operations" : doubles ? "FLOP (64-bit)" : "FLOP";
  roofline.operations = double(uses_floats ? floats : mix.integer_operations);
  const IssueUnit unit = !uses_floats ? IssueUnit::integer : doubles ? IssueUnit::fp64 : IssueUnit::fp32;
  per_clock = rates[static_cast<size_t>(unit)].value_or(0);
}

std::string about_roofline(const Roofline& r) {
  const bool memory = r.dram_intensity < r.ridge;
  if (memory)
    return fmt::format(
        "{} {} for each byte of memory: left of the ridge at {}, so bandwidth is its roof, not arithmetic.",
        significant(r.dram_intensity), r.unit, significant(r.ridge));
  return fmt::format(
      "{} {} for each byte of memory: right of the ridge at {}, so arithmetic is its roof, not bandwidth.",
      significant(r.dram_intensity), r.unit, significant(r.ridge));
}

Roofline roofline_of(const RunResult& result, const KernelTime& kernel, const Band& us, Provenance source) {
  Roofline r;
  const Device& device = result.request->device;
  const auto missing = [&](const char* what) {
    r.unknown = fmt::format("the device file of {} has no {}", device.name, what);
    return r;
  };
  if (!kernel.us) {
    r.unknown = kernel.unknown;
    return r;
  }
  double per_clock = 0;
  choose_operations(result, unit_rates(device, default_time_parameters()), r, per_clock);
  if (per_clock == 0) return missing("rate of its arithmetic units");
  if (r.operations == 0) {
    r.unknown = "this kernel does no arithmetic";
    return r;
  }
  r.peak_gops = per_clock * 2 * device.sms * *device.boost_clock_mhz * 1e-3;
  r.bandwidth_gb_s = *device.memory_bandwidth_gb_s;
  r.ridge = r.peak_gops / r.bandwidth_gb_s;
  r.sector_bytes = sector_bytes_of(*result.counters);
  if (r.sector_bytes == 0 || kernel.dram_bytes.value == 0) {
    r.unknown = "this kernel touches no memory";
    return r;
  }
  r.sector_intensity = r.operations / r.sector_bytes;
  r.dram_intensity = r.operations / kernel.dram_bytes.value;
  r.gops = Band{r.operations / us.high * 1e-3, r.operations / us.value * 1e-3, r.operations / us.low * 1e-3};
  r.source = source;
  r.peak_formula =
      fmt::format("{} a clock an SM × 2 (multiply and add) × {} SMs × {} MHz = {} G/s", per_clock, device.sms,
                  significant(*device.boost_clock_mhz), significant(r.peak_gops));
  r.bandwidth_formula =
      fmt::format("{} GB/s ({})", significant(r.bandwidth_gb_s), source_of(device, "memory_bandwidth_gb_s"));
  r.sentence = about_roofline(r);
  return r;
}

}  // namespace

TimingView view_timing(const RunResult& result) {
  TimingView view;
  if (!result.request) {
    view.sentence = "There are no times: nothing ran.";
    view.roofline.unknown = "nothing ran";
    return view;
  }
  view.kernel = result.request->kernel;
  view.device = result.request->device.name;
  view.times = model_times(result, default_time_parameters());
  view.kernel_time = together(view.times);
  view.kernel_us = measured_kernel_us(result);
  if (view.kernel_us) {
    view.source = Provenance::measured;
    view.times = measured_times(result, std::move(view.times));
    view.bandwidth = measured_bandwidth(result, view.kernel_time);
    if (view.kernel_time.us)
      view.model_error_percent = model_error_percent(view.kernel_time.us->value, view.kernel_us->value);
  } else {
    view.kernel_us = view.kernel_time.us;
  }
  view.bars = bars_of(view.times);
  const Shares shares = shares_of(view.times);
  view.copies_us = shares.copies;
  view.launch_us = shares.launch;
  if (view.kernel_us) {
    view.total_us = Band{};
    for (const StepTime& step : view.times.steps) {
      if (is_setup(step.kind) || !view.total_us) continue;
      view.total_us = step.us ? std::optional(*view.total_us + *step.us) : std::nullopt;
    }
  }
  if (result.host.cpu_ms) view.cpu_us = *result.host.cpu_ms * 1e3;
  view.libraries = result.libraries;
  view.sentence = where_it_goes(view);
  if (view.cpu_us && view.total_us) view.cpu_sentence = cpu_beside(view.total_us->value, *view.cpu_us);
  view.timer_sentence = wrong_stopwatch(view.launch_us, view.kernel_us);
  view.roofline = roofline_of(result, view.kernel_time, view.kernel_us.value_or(Band{}), view.source);
  return view;
}

}  // namespace warplens
