// The Timing view shows where the time goes, and which block size is best. This model has the numbers and
// texts of one run and is made once for it. picture.h draws them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/gpu/timing/measured_times.h"
#include "core/launch/run_result.h"

namespace warplens {

// A piece of the timeline. Each copy and each launch is a piece of its own, but a long sequence has one
// piece for each kind.
struct StepBar {
  StepKind kind = StepKind::kernel;
  std::string label;  // "copy in rgb"
  double start_us = 0;
  std::optional<Band> us;  // empty if not known; then drawn as a mark
  Provenance source = Provenance::modelled;
  std::string hint;
};

// The roofline: operations compared with bytes.
struct Roofline {
  std::string unknown;  // why there is none; empty if there is one
  std::string unit;     // "FLOP" or "integer operations"
  double operations = 0;
  double peak_gops = 0, bandwidth_gb_s = 0;         // the roofs, from the device file
  double ridge = 0;                                 // operations per byte where the roofs meet
  double sector_bytes = 0;                          // counted
  double sector_intensity = 0, dram_intensity = 0;  // operations a byte
  std::optional<Band> gops;                         // operations / kernel time
  Provenance source = Provenance::modelled;         // of the kernel time
  std::string sentence, peak_formula, bandwidth_formula;
};

struct TimingView {
  std::string kernel, device;
  RunTimes times;                             // the steps: measured on a real GPU, otherwise modelled
  KernelTime kernel_time;                     // by the time model, even if there is a measured one
  std::optional<Band> kernel_us;              // of the steps
  Provenance source = Provenance::modelled;   // of the steps' kernels
  std::optional<double> model_error_percent;  // of the modelled kernel time, if it was also measured
  std::optional<Bandwidth> bandwidth;         // reached by a measured kernel
  std::vector<StepBar> bars;
  std::optional<Band> total_us;  // copies, launches, kernels
  double copies_us = 0, launch_us = 0;
  std::optional<double> cpu_us;       // measured
  std::string sentence;               // where the time goes
  std::string cpu_sentence;           // comparison with the CPU; empty if it has no time
  std::vector<LibraryRow> libraries;  // compared with the kernel; empty if not requested
  std::string timer_sentence;         // what a wrong way of timing shows
  Roofline roofline;
};

TimingView view_timing(const RunResult& result);

}  // namespace warplens
