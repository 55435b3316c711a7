// The time model: what was counted, the occupancy and the device file's numbers → modelled microseconds, each
// with the band that the parameters leave open. Says why where a number it needs is not known.
//
// A kernel's time is that of the busiest SM. Several parts could each be what holds it up:
//   issue    warp instructions over what the schedulers and the units of an SM take a clock
//   shared   wavefronts of shared memory, one a clock
//   l1, l2   bytes of the sectors over the paths to the SM
//   dram     bytes over the memory's bandwidth
//   latency  Little's law: a warp's own chain of waits, as often as an SM is filled anew
//   start    all blocks over the rate at which the GPU gives them to its SMs
// They overlap, so the longest counts most: (Σ part^p)^(1/p). See docs/adr for the reasons.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/launch/run_result.h"
#include "core/timing/parameters.h"

namespace warplens {

// One launch as the model sees it.
struct KernelWork {
  LaunchShape shape;
  Counters counters;
  InstructionMix mix;
  std::optional<Occupancy> occupancy;
  // Bytes of the buffers that the launch is given: what must move at least where all of it is used.
  uint64_t buffer_bytes = 0;
};

enum class TimePartKind : uint8_t { issue, shared, l1, l2, dram, latency, start };
constexpr size_t time_parts = 7;
const char* to_string(TimePartKind kind);  // "issue"
const char* words_of(TimePartKind kind);   // "issuing instructions"

struct TimePart {
  TimePartKind kind = TimePartKind::issue;
  Band us;
  std::string formula;  // with the numbers put in
};

struct KernelTime {
  static constexpr Source source = Source::modelled;
  std::optional<Band> us;
  std::string unknown;          // why `us` is empty
  std::vector<TimePart> parts;  // those that are known, in the order above
  uint64_t blocks_on_busiest_sm = 0, rounds = 0;
  Band dram_bytes;      // that move between memory and chip
  std::string formula;  // how the parts make the time
};

// The part that takes longest; null where no time is known.
const TimePart* bound_of(const KernelTime& time);
const TimePart* part_of(const KernelTime& time, TimePartKind kind);

KernelTime kernel_time(const Device& device, const KernelWork& work, const TimeParameters& parameters);

// What of a run's launch the model needs.
KernelWork work_of(const RunResult& result, size_t launch);

// One copy over PCI Express; empty where the device file has no rate.
std::optional<Band> copy_time(const Device& device, uint64_t bytes, const TimeParameters& parameters);

enum class StepKind : uint8_t { compile, allocate, copy_in, launch, kernel, copy_out, free };
const char* words_of(StepKind kind);  // "copy in"

// What a program does one after the other.
struct StepTime {
  StepKind kind = StepKind::kernel;
  std::string label;  // buffer or kernel
  std::optional<Band> us = {};
  Source source = Source::modelled;
  std::string formula = {};  // or why `us` is empty
  uint64_t bytes = 0;        // of copies and allocations
  size_t launch = 0;         // of launch and kernel: index in RunTimes::kernels
};

struct RunTimes {
  std::vector<StepTime> steps;
  std::vector<KernelTime> kernels;  // one a launch
  std::string unknown;              // why there are none; empty where there are
};

// Of a run that went to its end on a virtual GPU. The time of compiling is the run's own, measured.
RunTimes model_times(const RunResult& result, const TimeParameters& parameters);

// All kernels of the run as one: times and parts added up.
KernelTime together(const RunTimes& times);

// The report's sums of the steps. A sum of which one step is not known is not known.
TimesUs times_of(const RunTimes& times);

// --- Calibration ------------------------------------------------------------------------------------------

struct Measurement {
  Device device;
  KernelWork work;
  double kernel_us = 0;  // by events of a real device, at best a median
};
struct Residual {
  double modelled_us = 0, measured_us = 0;
  double log_ratio = 0;  // ln(modelled / measured): 0 where the model is right
  bool in_band = false;
};
// One for each measurement that the model has a time for, in their order.
std::vector<Residual> residuals(const TimeParameters& parameters, std::span<const Measurement> measurements);

}  // namespace warplens
