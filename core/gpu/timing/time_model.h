// The time model. It computes microseconds from the counts, the occupancy and the numbers of the device
// file. Each time has a band, since the parameters are not known exactly. If a number that it needs is not
// known, it says which.
//
// A kernel's time is that of the busiest SM. Each of these parts may limit it:
//   issue    warp instructions over what the schedulers and the units of an SM take a clock
//   shared   wavefronts of shared memory, one a clock
//   l1, l2   bytes of the sectors over the paths to the SM
//   dram     bytes over the memory's bandwidth
//   latency  Little's law: a warp's own chain of waits, as often as an SM is filled again
//   start    all blocks over the rate at which the GPU gives them to its SMs
// For a device that was measured (calibration.h), or scaled from a measured one, there are also:
//   atomics  updates over the rate at which they meet
//   floor    an empty kernel
// They overlap, so the longest counts most: (Σ part^p)^(1/p). See docs/adr for the reasons.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/gpu/timing/block_spread.h"
#include "core/gpu/timing/parameters.h"
#include "core/launch/run_result.h"

namespace warplens {

// The facts about one launch that the model uses.
struct KernelWork {
  LaunchShape shape;
  Counters counters;
  InstructionMix mix;
  std::optional<Occupancy> occupancy;
  // Bytes of the buffers that are passed to the launch. At least this much is moved if all of it is used.
  uint64_t buffer_bytes = 0;
  std::optional<CacheSample> cache_sample;  // if the counters have no cache data
  std::optional<BlockSpread> spread;        // empty if all blocks have the same work
  bool l2_is_empty = false;                 // the launch finds none of its data in L2, as under a profiler
};

// The sectors of the launch's loads that miss L1, by the cache model or by a sample of blocks. Empty if
// neither ran.
std::optional<double> sectors_behind_l1(const KernelWork& work);

enum class TimePartKind : uint8_t { issue, shared, l1, l2, dram, latency, start, atomics, floor };
constexpr size_t time_parts = 9;
const char* to_string(TimePartKind kind);  // "issue"
const char* words_of(TimePartKind kind);   // "issuing instructions"

struct TimePart {
  TimePartKind kind = TimePartKind::issue;
  Band us;
  std::string formula;  // with the numbers filled in
  double mean_us = 0;   // over all SMs of the device, including those with less or no work
};

struct KernelTime {
  static constexpr Provenance source = Provenance::modelled;
  std::optional<Band> us;
  std::string unknown;          // why `us` is empty
  std::vector<TimePart> parts;  // those that are known
  // The part of `us` that two events take with nothing between them. 0 if it was not measured.
  double events_us = 0;
  uint64_t blocks_on_busiest_sm = 0, rounds = 0;
  Band dram_bytes;      // moved between DRAM and chip
  std::string formula;  // how the time follows from the parts
};

// The longest part. Null if no time is known.
const TimePart* bound_of(const KernelTime& time);
const TimePart* part_of(const KernelTime& time, TimePartKind kind);

// Uses the device's calibration, or that of the nearest measured device, scaled, or else published figures
// (scaled_calibration.h says which).
KernelTime kernel_time(const Device& device, const KernelWork& work, const TimeParameters& parameters);
// Uses only published figures, even if the device was measured.
KernelTime published_time(const Device& device, const KernelWork& work, const TimeParameters& parameters);

// The facts about a launch of the run that the model needs.
KernelWork work_of(const RunResult& result, size_t launch);

// The time of one copy over PCI Express. Empty if the device file has no rate.
std::optional<Band> copy_time(const Device& device, uint64_t bytes, const TimeParameters& parameters);
// The time of a copy inside the device or a memset, by the number of bytes that it reads and writes in total.
std::optional<Band> inside_time(const Device& device, uint64_t moved_bytes, const TimeParameters& parameters);

enum class StepKind : uint8_t { compile, allocate, copy_in, launch, kernel, copy_out, free };
const char* words_of(StepKind kind);  // "copy in"

// One step of a program and its time.
struct StepTime {
  StepKind kind = StepKind::kernel;
  std::string label;  // buffer or kernel
  std::optional<Band> us = {};
  Provenance source = Provenance::modelled;
  std::string formula = {};  // or why `us` is empty
  uint64_t bytes = 0;        // of copies and allocations
  size_t launch = 0;         // of launch and kernel: index in RunTimes::kernels
};

struct RunTimes {
  std::vector<StepTime> steps;
  std::vector<KernelTime> kernels;  // one for each launch
  std::string unknown;              // why there are no times; empty if there are
};

// The times of a run that reached its end on a virtual GPU. The compile time is the run's own, measured.
RunTimes model_times(const RunResult& result, const TimeParameters& parameters);

// All kernels of the run as one: times and parts added up.
KernelTime together(const RunTimes& times);

// The sums of the steps for the report. A sum is not known if one of its steps is not known.
TimesUs times_of(const RunTimes& times);

// --- Calibration ------------------------------------------------------------------------------------------

struct Measurement {
  Device device;
  KernelWork work;
  double kernel_us = 0;  // measured by events on a real device, preferably a median
};
struct Residual {
  double modelled_us = 0, measured_us = 0;
  double log_ratio = 0;  // ln(modelled / measured): 0 if the model is right
  bool in_band = false;
};
// How far the model of published figures is off: one for each measurement for which it has a time, in their
// order.
std::vector<Residual> residuals(const TimeParameters& parameters, std::span<const Measurement> measurements);

}  // namespace warplens
