// The times of the steps of a run, and the comparison of the model with measurements.
#include "core/gpu/timing/time_model.h"
#include "core/gpu/timing/scaled_calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/figures.h"

namespace warplens {
namespace {

Band launch_time(const std::optional<Calibration>& calibration, const TimeParameters& parameters) {
  const Band& published = parameters.launch_us.band;
  if (!calibration) return published;
  const Band own = calibration->figures.at("launch_us");
  if (calibration->scaled_from.empty()) return own;
  return {std::min(own.low, published.low), own.value, std::max(own.high, published.high)};
}

const LaunchStep* launch_at(const LaunchRequest& request, size_t index) {
  for (const Step& step : request.steps) {
    const auto* launch = std::get_if<LaunchStep>(&step);
    if (launch != nullptr && index-- == 0) return launch;
  }
  return nullptr;
}

uint64_t buffer_bytes(const LaunchRequest& request, const LaunchStep& launch) {
  std::set<uint32_t> seen;
  uint64_t bytes = 0;
  for (const Argument& argument : launch.arguments) {
    const auto* buffer = std::get_if<BufferArgument>(&argument);
    if (buffer == nullptr || buffer->buffer >= request.buffers.size()) continue;
    if (seen.insert(buffer->buffer).second) bytes += request.buffers[buffer->buffer].bytes;
  }
  return bytes;
}

class Steps {
 public:
  Steps(const RunResult& result, const TimeParameters& parameters, RunTimes& times)
      : m_result(result),
        m_parameters(parameters),
        m_times(times),
        m_calibration(calibration_for(result.request->device, parameters)) {}

  void operator()(const AllocateStep& step) { unknown(StepKind::allocate, step.buffer); }
  void operator()(const FreeStep& step) { unknown(StepKind::free, step.buffer); }
  void operator()(const CopyInStep& step) { copy(StepKind::copy_in, step.buffer); }
  void operator()(const CopyOutStep& step) { copy(StepKind::copy_out, step.buffer); }

  void operator()(const LaunchStep& step) {
    const size_t index = m_launch++;
    if (index >= m_times.kernels.size()) return;
    StepTime launch{StepKind::launch, step.entry};
    launch.us = launch_time(m_calibration, m_parameters);
    launch.formula = !m_calibration                       ? m_parameters.launch_us.source
                     : m_calibration->scaled_from.empty() ? "measured on this device"
                                                          : "measured on an " + m_calibration->scaled_from +
                                                                "; up to what is published of others";
    launch.launch = index;
    m_times.steps.push_back(launch);
    const KernelTime& time = m_times.kernels[index];
    StepTime kernel{StepKind::kernel, step.entry};
    kernel.us = time.us;
    kernel.formula = time.us ? time.formula : time.unknown;
    kernel.launch = index;
    m_times.steps.push_back(kernel);
  }

 private:
  const BufferSpec* buffer(uint32_t index) const {
    const auto& buffers = m_result.request->buffers;
    return index < buffers.size() ? &buffers[index] : nullptr;
  }

  void unknown(StepKind kind, uint32_t index) {
    StepTime step{kind, "", std::nullopt};
    if (const BufferSpec* spec = buffer(index)) {
      step.label = spec->name;
      step.bytes = spec->bytes;
    }
    step.formula = "no published time to model it by; a real device measures it";
    m_times.steps.push_back(step);
  }

  void copy(StepKind kind, uint32_t index) {
    StepTime step{kind, "", std::nullopt};
    const BufferSpec* spec = buffer(index);
    if (spec == nullptr) return;
    const Device& device = m_result.request->device;
    step.label = spec->name;
    step.bytes = spec->bytes;
    if (m_calibration && m_calibration->scaled_from.empty())
      step.us = m_calibration->copy_us(spec->bytes, kind == StepKind::copy_in, true);
    if (step.us) {
      step.formula = fmt::format(
          "between sizes that were measured on this device: {} with page-locked host memory, {} with "
          "pageable",
          duration_text(step.us->value * 1e-6), duration_text(step.us->high * 1e-6));
      m_times.steps.push_back(step);
      return;
    }
    step.us = copy_time(device, spec->bytes, m_parameters);
    step.formula =
        step.us ? fmt::format("{} / ({} GB/s × {} that page-locked memory reaches) + {} µs to start it = {}",
                              byte_size_text(spec->bytes), three_digits(*device.pcie_gb_s),
                              three_digits(m_parameters.pcie_share.band.value),
                              three_digits(m_parameters.copy_start_us.band.value),
                              duration_text(step.us->value * 1e-6))
                : fmt::format("the device file of {} has no rate of its link to the host", device.name);
    m_times.steps.push_back(step);
  }

  const RunResult& m_result;
  const TimeParameters& m_parameters;
  RunTimes& m_times;
  std::optional<Calibration> m_calibration;
  size_t m_launch = 0;
};

std::string why_no_times(const RunResult& result) {
  if (result.status == RunStatus::refused) return "CUDA would refuse this launch, so nothing ran";
  if (result.status == RunStatus::fault) return "the kernel faulted, so its counts are those of a part";
  if (result.status == RunStatus::cancelled)
    return "the run was cancelled, so its counts are those of a part";
  if (!result.request || result.launches.empty()) return "nothing ran";
  if (result.request->observe == Observe::none) return "nothing was counted (--observe none)";
  return "";
}

std::optional<double> sum_of(const RunTimes& times, StepKind kind, double Band::*end = &Band::value) {
  double sum = 0;
  bool any = false;
  for (const StepTime& step : times.steps) {
    if (step.kind != kind) continue;
    if (!step.us) return std::nullopt;
    sum += (*step.us).*end;
    any = true;
  }
  return any ? std::optional(sum) : std::nullopt;
}

}  // namespace

const char* words_of(StepKind kind) {
  switch (kind) {
    case StepKind::compile:
      return "compile";
    case StepKind::allocate:
      return "allocate";
    case StepKind::copy_in:
      return "copy in";
    case StepKind::launch:
      return "launch";
    case StepKind::kernel:
      return "kernel";
    case StepKind::copy_out:
      return "copy out";
    case StepKind::free:
      return "free";
  }
  return "";
}

KernelWork work_of(const RunResult& result, size_t launch) {
  KernelWork work;
  if (launch >= result.launches.size()) return work;
  const LaunchRecord& record = result.launches[launch];
  work.shape = record.shape;
  if (record.counters) work.counters = *record.counters;
  work.mix = record.mix;
  work.occupancy = record.occupancy;
  work.cache_sample = record.cache_sample;
  if (!record.block_work.empty() && record.occupancy && result.request)
    work.spread =
        block_spread(record.block_work, result.request->device.sms, record.occupancy->active_blocks_per_sm);
  if (result.request)
    if (const LaunchStep* step = launch_at(*result.request, launch))
      work.buffer_bytes = buffer_bytes(*result.request, *step);
  return work;
}

// The time of bytes at a share of a rate, after a start-up time.
static std::optional<Band> time_of_bytes(uint64_t bytes, std::optional<double> gb_s, const Band& share,
                                         const Band& start_us) {
  if (!gb_s) return std::nullopt;
  const double fastest = *gb_s * 1e3;  // bytes a microsecond
  const double amount = double(bytes);
  return Band{amount / (fastest * share.high), amount / (fastest * share.value),
              amount / (fastest * share.low)} +
         start_us;
}

std::optional<Band> copy_time(const Device& device, uint64_t bytes, const TimeParameters& parameters) {
  return time_of_bytes(bytes, device.pcie_gb_s, parameters.pcie_share.band, parameters.copy_start_us.band);
}

std::optional<Band> inside_time(const Device& device, uint64_t moved_bytes,
                                const TimeParameters& parameters) {
  return time_of_bytes(moved_bytes, device.memory_bandwidth_gb_s, parameters.memory_bandwidth_share.band,
                       parameters.inside_start_us.band);
}

RunTimes model_times(const RunResult& result, const TimeParameters& parameters) {
  RunTimes times;
  times.unknown = why_no_times(result);
  if (result.time.compile) {
    StepTime compile{StepKind::compile, result.entry};
    compile.us = Band{*result.time.compile, *result.time.compile, *result.time.compile};
    compile.source = Provenance::measured;
    compile.formula = "by the clock of this machine";
    times.steps.push_back(compile);
  }
  if (!times.unknown.empty()) return times;
  for (size_t i = 0; i < result.launches.size(); ++i)
    times.kernels.push_back(kernel_time(result.request->device, work_of(result, i), parameters));
  Steps steps(result, parameters, times);
  for (const Step& step : result.request->steps) std::visit(steps, step);
  return times;
}

KernelTime together(const RunTimes& times) {
  if (times.kernels.empty()) {
    KernelTime none;
    none.unknown = times.unknown;
    return none;
  }
  KernelTime sum = times.kernels.front();
  for (size_t i = 1; i < times.kernels.size(); ++i) {
    const KernelTime& next = times.kernels[i];
    if (!sum.us || !next.us) {
      sum.us.reset();
      sum.parts.clear();
      if (sum.unknown.empty()) sum.unknown = next.unknown;
      continue;
    }
    sum.us = *sum.us + *next.us;
    sum.dram_bytes = sum.dram_bytes + next.dram_bytes;
    sum.rounds += next.rounds;
    sum.blocks_on_busiest_sm += next.blocks_on_busiest_sm;
    for (TimePart& part : sum.parts)
      if (const TimePart* more = part_of(next, part.kind)) part.us = part.us + more->us;
  }
  return sum;
}

TimesUs times_of(const RunTimes& times) {
  TimesUs sums;
  sums.compile = sum_of(times, StepKind::compile);
  sums.copy_in = sum_of(times, StepKind::copy_in);
  sums.launch = sum_of(times, StepKind::launch);
  sums.kernel = sum_of(times, StepKind::kernel);
  sums.copy_out = sum_of(times, StepKind::copy_out);
  sums.low = sum_of(times, StepKind::kernel, &Band::low);
  sums.high = sum_of(times, StepKind::kernel, &Band::high);
  sums.unknown = times.unknown;
  for (const KernelTime& kernel : times.kernels)
    if (sums.unknown.empty()) sums.unknown = kernel.unknown;
  return sums;
}

std::vector<Residual> residuals(const TimeParameters& parameters, std::span<const Measurement> measurements) {
  std::vector<Residual> found;
  for (const Measurement& measurement : measurements) {
    const KernelTime time = published_time(measurement.device, measurement.work, parameters);
    if (!time.us || !(measurement.kernel_us > 0) || !(time.us->value > 0)) continue;
    const double measured = measurement.kernel_us;
    found.push_back({time.us->value, measured, std::log(time.us->value / measured),
                     measured >= time.us->low && measured <= time.us->high});
  }
  return found;
}

}  // namespace warplens
