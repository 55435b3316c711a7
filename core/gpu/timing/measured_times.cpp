#include "core/gpu/timing/measured_times.h"

#include <fmt/format.h>

#include "core/base/figures.h"
#include "core/gpu/observe/coalescing.h"

namespace warplens {
namespace {

Band band_of(const Spread& spread) { return {spread.p10, spread.median, spread.p90}; }

std::string how(const Spread& spread) {
  if (spread.samples.size() < 2) return "one run on the GPU";
  return fmt::format("median of {} runs on the GPU; the band goes from the 10th to the 90th percentile",
                     spread.samples.size());
}

class MeasuredSteps {
 public:
  MeasuredSteps(const RunResult& result, RunTimes& times)
      : m_run(*result.measured), m_request(*result.request), m_times(times) {
    for (const Step& step : m_request.steps) {
      if (const auto* in = std::get_if<CopyInStep>(&step)) m_in += bytes_of(in->buffer), ++m_ins;
      if (const auto* out = std::get_if<CopyOutStep>(&step)) m_out += bytes_of(out->buffer), ++m_outs;
      m_launches += std::holds_alternative<LaunchStep>(step);
    }
  }

  void operator()(const AllocateStep& step) { unknown(StepKind::allocate, step.buffer); }
  void operator()(const FreeStep& step) { unknown(StepKind::free, step.buffer); }
  void operator()(const CopyInStep& step) {
    add(StepKind::copy_in, label_of(step.buffer), m_run.copy_in_us, share(bytes_of(step.buffer), m_in, m_ins),
        m_ins, "by bytes");
    m_times.steps.back().bytes = bytes_of(step.buffer);
  }
  void operator()(const CopyOutStep& step) {
    add(StepKind::copy_out, label_of(step.buffer), m_run.copy_out_us,
        share(bytes_of(step.buffer), m_out, m_outs), m_outs, "by bytes");
    m_times.steps.back().bytes = bytes_of(step.buffer);
  }
  void operator()(const LaunchStep& step) {
    const size_t index = m_index++;
    add(StepKind::launch, step.entry, m_run.launch_us, 1 / double(m_launches), m_launches, "evenly");
    m_times.steps.back().launch = index;
    const bool own = index < m_run.launches_us.size();
    add(StepKind::kernel, step.entry, own ? std::optional(m_run.launches_us[index]) : m_run.kernel_us,
        own ? 1 : 1 / double(m_launches), own ? 1 : m_launches, "evenly");
    StepTime& kernel = m_times.steps.back();
    kernel.launch = index;
    if (index < m_times.kernels.size() && m_times.kernels[index].us && kernel.us)
      kernel.formula +=
          fmt::format("\nthe time model says {}", duration_text(m_times.kernels[index].us->value * 1e-6));
  }

 private:
  uint64_t bytes_of(uint32_t buffer) const {
    return buffer < m_request.buffers.size() ? m_request.buffers[buffer].bytes : 0;
  }
  std::string label_of(uint32_t buffer) const {
    return buffer < m_request.buffers.size() ? m_request.buffers[buffer].name : "";
  }
  static double share(uint64_t bytes, uint64_t all, size_t copies) {
    return all == 0 ? 1 / double(copies) : double(bytes) / double(all);
  }

  void unknown(StepKind kind, uint32_t buffer) {
    StepTime step{kind, label_of(buffer)};
    step.bytes = bytes_of(buffer);
    step.formula = "not measured: the arrays are made once, before the runs";
    m_times.steps.push_back(step);
  }

  void add(StepKind kind, const std::string& label, const std::optional<Spread>& all, double part,
           size_t sharers, const char* by) {
    StepTime step{kind, label};
    if (all) {
      step.us = band_of(*all) * part;
      step.source = sharers == 1 ? Provenance::measured : Provenance::derived;
      step.formula = how(*all);
      if (sharers > 1)
        step.formula += fmt::format("\nits share, {}, of the {} that all {} took", by,
                                    duration_text(all->median * 1e-6), sharers);
    } else {
      step.formula = "not measured";
    }
    m_times.steps.push_back(step);
  }

  const DeviceRun& m_run;
  const LaunchRequest& m_request;
  RunTimes& m_times;
  uint64_t m_in = 0, m_out = 0;
  size_t m_ins = 0, m_outs = 0, m_launches = 0, m_index = 0;
};

}  // namespace

RunTimes measured_times(const RunResult& result, RunTimes modelled) {
  if (!result.measured || !result.measured->kernel_us || !result.request) return modelled;
  std::erase_if(modelled.steps, [](const StepTime& step) { return step.kind != StepKind::compile; });
  MeasuredSteps steps(result, modelled);
  for (const Step& step : result.request->steps) std::visit(steps, step);
  return modelled;
}

std::optional<Band> measured_kernel_us(const RunResult& result) {
  if (!result.measured || !result.measured->kernel_us) return std::nullopt;
  return band_of(*result.measured->kernel_us);
}

double model_error_percent(double modelled_us, double measured_us) {
  return 100 * (modelled_us / measured_us - 1);
}

double sector_bytes_of(const Counters& c) {
  return double(observe::sector_bytes) * double(sectors_asked_for(c));
}

std::optional<Bandwidth> measured_bandwidth(const RunResult& result, const KernelTime& modelled) {
  const std::optional<Band> us = measured_kernel_us(result);
  if (!us || !(us->value > 0) || !result.counters || !result.request) return std::nullopt;
  Bandwidth reached;
  reached.sector_bytes = sector_bytes_of(*result.counters);
  if (reached.sector_bytes == 0) return std::nullopt;
  reached.sector_gb_s = reached.sector_bytes / us->value * 1e-3;
  if (modelled.us) reached.memory_gb_s = modelled.dram_bytes.value / us->value * 1e-3;
  if (const auto peak = result.request->device.memory_bandwidth_gb_s;
      peak && *peak > 0 && reached.memory_gb_s)
    reached.memory_percent = 100 * *reached.memory_gb_s / *peak;
  return reached;
}

}  // namespace warplens
