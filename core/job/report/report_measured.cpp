#include "core/job/report/report_measured.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/figures.h"
#include "core/base/json/json_values.h"
#include "core/gpu/timing/measured_times.h"
#include "core/job/libraries.h"
#include "core/job/report/report_fields.h"

namespace warplens {

namespace {

using json_values::number, json_values::or_null, json_values::triple;

void add(std::string& text, const char* label, const std::optional<Spread>& spread) {
  if (spread) text += row(label, spread_text(*spread), DeviceRun::source);
}

std::string clocks_text(const DeviceRun& run) {
  std::string text;
  const auto append = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (run.sm_clock_mhz) append(fmt::format("SM {:.0f} MHz", *run.sm_clock_mhz));
  if (run.memory_clock_mhz) append(fmt::format("memory {:.0f} MHz", *run.memory_clock_mhz));
  if (run.temperature_c) append(fmt::format("{:.0f} °C", *run.temperature_c));
  if (!run.throttled.empty()) append("held back by " + run.throttled);
  return text;
}

// The modelled time of the kernels of a measured run. It is without a time if the model has none.
KernelTime modelled_kernel(const RunResult& result) {
  if (!result.measured || !result.measured->kernel_us || !result.counters) return {};
  return together(model_times(result, default_time_parameters()));
}

ReportJson model_json(const RunResult& result, const KernelTime& modelled) {
  if (!modelled.us) return nullptr;
  return {
      {"kernel_us", number(modelled.us->value)},
      {"low", number(modelled.us->low)},
      {"high", number(modelled.us->high)},
      {"error_percent", number(model_error_percent(modelled.us->value, result.measured->kernel_us->median))},
      {"source", to_string(Provenance::modelled)}};
}

ReportJson bandwidth_json(const RunResult& result, const KernelTime& modelled) {
  const std::optional<Bandwidth> reached = measured_bandwidth(result, modelled);
  if (!reached) return nullptr;
  return {{"sector_gb_s", number(reached->sector_gb_s)},
          {"memory_gb_s", or_null(reached->memory_gb_s)},
          {"memory_percent", or_null(reached->memory_percent)},
          {"source", to_string(Provenance::derived)}};
}

void add_bandwidth(std::string& text, const RunResult& result, const KernelTime& modelled) {
  const std::optional<Bandwidth> reached = measured_bandwidth(result, modelled);
  if (!reached) return;
  text += row("bandwidth of all sectors", fmt::format("{} GB/s", three_digits(reached->sector_gb_s)),
              Provenance::derived);
  if (!reached->memory_gb_s || *reached->memory_gb_s <= 0) return;
  std::string words = fmt::format("{} GB/s", three_digits(*reached->memory_gb_s));
  if (reached->memory_percent)
    words += fmt::format(", {} % of the device's", three_digits(*reached->memory_percent));
  text += row("bandwidth of memory", words, Provenance::derived);
}

}  // namespace

std::string spread_text(const Spread& s) {
  const auto us = [](double value) { return duration_text(value * 1e-6); };
  if (s.samples.size() < 2) return us(s.median) + ", one run";
  return fmt::format("{} ({} to {}, at least {}; median, 10th and 90th percentile of {} runs)", us(s.median),
                     us(s.p10), us(s.p90), us(s.minimum), s.samples.size());
}

ReportJson spread_json(const std::optional<Spread>& spread) {
  if (!spread) return nullptr;
  ReportJson samples = ReportJson::array();
  for (const double sample : spread->samples) samples.push_back(number(sample));
  return {{"median", number(spread->median)},
          {"minimum", number(spread->minimum)},
          {"p10", number(spread->p10)},
          {"p90", number(spread->p90)},
          {"samples", samples}};
}

ReportJson measured_json(const RunResult& result) {
  if (!result.measured) return nullptr;
  const DeviceRun& run = *result.measured;
  const KernelTime modelled = modelled_kernel(result);
  ReportJson launches = ReportJson::array();
  for (const Spread& launch : run.launches_us) launches.push_back(spread_json(launch));
  return {{"source", to_string(DeviceRun::source)},
          {"kernel_us", spread_json(run.kernel_us)},
          {"launch_us", spread_json(run.launch_us)},
          {"copy_in_us", spread_json(run.copy_in_us)},
          {"copy_out_us", spread_json(run.copy_out_us)},
          {"copy_in_pageable_us", spread_json(run.copy_in_pageable_us)},
          {"copy_out_pageable_us", spread_json(run.copy_out_pageable_us)},
          {"launches_us", launches},
          {"max_active_blocks_per_sm", or_null(run.max_active_blocks_per_sm)},
          {"sm_clock_mhz", or_null(run.sm_clock_mhz)},
          {"memory_clock_mhz", or_null(run.memory_clock_mhz)},
          {"temperature_c", or_null(run.temperature_c)},
          {"throttled", or_null(run.throttled)},
          {"code", or_null(run.code)},
          {"not_counted", or_null(run.beside)},
          {"bandwidth", bandwidth_json(result, modelled)},
          {"model", model_json(result, modelled)}};
}

ReportJson comparisons_json(const RunResult& result) {
  ReportJson list = ReportJson::array();
  for (const Comparison& c : result.comparisons)
    list.push_back({{"buffer", c.buffer},
                    {"equal", c.equal},
                    {"tolerance", c.tolerance},
                    {"elements", c.elements},
                    {"different", c.different},
                    {"beyond_tolerance", c.beyond},
                    {"max_ulps", or_null(c.max_ulps)},
                    {"max_abs", number(c.max_abs)},
                    {"first", or_null(c.first)},
                    {"block", triple(c.block)},
                    {"thread", triple(c.thread)},
                    {"message", or_null(c.message)}});
  return list;
}

ReportJson libraries_json(const std::vector<LibraryRow>& rows) {
  ReportJson list = ReportJson::array();
  for (const LibraryRow& row : rows)
    list.push_back({{"who", row.who},
                    {"how", or_null(row.how)},
                    {"source", to_string(row.source)},
                    {"time_us", spread_json(row.time_us)},
                    {"copy_in_us", spread_json(row.copy_in_us)},
                    {"copy_out_us", spread_json(row.copy_out_us)},
                    {"right", row.missing.empty() ? ReportJson(row.right) : ReportJson(nullptr)},
                    {"check", or_null(row.check)},
                    {"missing", or_null(row.missing)}});
  return list;
}

std::string libraries_section(const RunResult& result) {
  return result.libraries.empty() ? "" : "\nBeside libraries\n" + library_text(result.libraries);
}

std::string measured_section(const RunResult& result) {
  if (!result.measured) return "";
  const DeviceRun& run = *result.measured;
  std::string text = "\nMeasured on the GPU\n";
  add(text, "kernel", run.kernel_us);
  for (size_t i = 0; run.launches_us.size() > 1 && i < run.launches_us.size(); ++i)
    text += row(fmt::format("  launch {}", i + 1), spread_text(run.launches_us[i]), DeviceRun::source);
  const KernelTime modelled = modelled_kernel(result);
  if (modelled.us) {
    const double error = model_error_percent(modelled.us->value, run.kernel_us->median);
    text += row("kernel, by the time model",
                fmt::format("{} ({} to {}), {} % too {}", duration_text(modelled.us->value * 1e-6),
                            duration_text(modelled.us->low * 1e-6), duration_text(modelled.us->high * 1e-6),
                            three_digits(std::fabs(error)), error < 0 ? "short" : "long"),
                Provenance::modelled);
  }
  add_bandwidth(text, result, modelled);
  add(text, "launch, the host's call", run.launch_us);
  add(text, "copy in, page-locked", run.copy_in_us);
  add(text, "copy in, plain memory", run.copy_in_pageable_us);
  add(text, "copy out, page-locked", run.copy_out_us);
  add(text, "copy out, plain memory", run.copy_out_pageable_us);
  if (run.max_active_blocks_per_sm)
    text += row("blocks an SM, by driver", thousands(*run.max_active_blocks_per_sm), Provenance::derived);
  if (const std::string clocks = clocks_text(run); !clocks.empty())
    text += row("clocks after the runs", clocks, DeviceRun::source);
  if (!run.code.empty()) text += fmt::format("  {:<26}{}\n", "code", run.code);
  if (!run.beside.empty()) text += fmt::format("  Nothing was counted: {}.\n", run.beside);
  return text;
}

std::string comparisons_section(const RunResult& result) {
  if (result.comparisons.empty()) return "";
  std::string text = "\nReal GPU against virtual GPU\n";
  for (const Comparison& c : result.comparisons) {
    if (c.different == 0)
      text += fmt::format("  {}: the same bits in all {} elements\n", c.buffer, thousands(c.elements));
    else
      text += fmt::format("  {}: {}{}\n", c.buffer, c.equal ? "equal within the tolerance. " : "DIFFERENT. ",
                          c.message);
  }
  return text;
}

}  // namespace warplens
