// The Timing view: where does the time go, and which block size is best? Numbers and words of one run, made
// once for it; timing_picture.h draws them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/launch/run_result.h"
#include "core/timing/measured_times.h"

namespace warplens {

// A piece of the timeline. Copies of several buffers and launches of a sequence stay apart, but a long
// sequence is drawn as one piece for each kind.
struct StepBar {
  StepKind kind = StepKind::kernel;
  std::string label;  // "copy in rgb"
  double start_us = 0;
  std::optional<Band> us;  // empty: not known, drawn as a mark
  Source source = Source::modelled;
  std::string hint;
};

// Arithmetic against bytes.
struct Roofline {
  std::string unknown;  // why there is none; empty where there is one
  std::string unit;     // "FLOP" or "integer operations"
  double operations = 0;
  double peak_gops = 0, bandwidth_gb_s = 0;         // the roofs, from the device file
  double ridge = 0;                                 // operations a byte where they meet
  double sector_bytes = 0;                          // counted
  double sector_intensity = 0, dram_intensity = 0;  // operations a byte
  std::optional<Band> gops;                         // operations / kernel time
  Source source = Source::modelled;                 // of that time
  std::string sentence, peak_formula, bandwidth_formula;
};

struct TimingView {
  std::string kernel, device;
  RunTimes times;                             // the steps: measured on a real GPU, else modelled
  KernelTime kernel_time;                     // by the time model, also beside a measured one
  std::optional<Band> kernel_us;              // of the steps
  Source source = Source::modelled;           // of the steps' kernels
  std::optional<double> model_error_percent;  // of the model's kernel time, where it was measured too
  std::optional<Bandwidth> bandwidth;         // that a measured kernel reached
  std::vector<StepBar> bars;
  std::optional<Band> total_us;  // copies, launches, kernels
  double copies_us = 0, launch_us = 0;
  std::optional<double> cpu_us;       // measured
  std::string sentence;               // where the time goes
  std::string cpu_sentence;           // the CPU beside it; empty where it has no time
  std::vector<LibraryRow> libraries;  // beside the kernel; empty: none was asked for
  std::string timer_sentence;         // what the wrong stopwatch shows
  Roofline roofline;
};

TimingView view_timing(const RunResult& result);

}  // namespace warplens
