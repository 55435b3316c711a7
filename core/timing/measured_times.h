// The steps of a run on a real GPU as its clocks saw them, in place of what the time model says.
#pragma once

#include <optional>

#include "core/launch/run_result.h"
#include "core/timing/time_model.h"

namespace warplens {

// Bands go from the 10th to the 90th percentile around the median. Copies of several arrays share what all of
// them took by their bytes, launches share the host's calls evenly; those are derived. `modelled` is the same
// run by the time model: its kernels stay, to be shown beside. Without a measurement it is given back as it
// is.
RunTimes measured_times(const RunResult& result, RunTimes modelled);

// All kernels of the run; empty where none was measured.
std::optional<Band> measured_kernel_us(const RunResult& result);

// How much too long (positive) or too short the model's time is, in percent of the measured one.
double model_error_percent(double modelled_us, double measured_us);

// Bytes a second that the kernels reached, from exact counts or the model's bytes over the measured time.
struct Bandwidth {
  double sector_bytes = 0, sector_gb_s = 0;  // of all sectors asked for (counted)
  std::optional<double> memory_gb_s;         // of the bytes between memory and chip, by the time model
  std::optional<double> memory_percent;      // of the device's memory bandwidth
};
// `modelled` is the run's kernels by the time model. Empty where nothing was measured or counted.
std::optional<Bandwidth> measured_bandwidth(const RunResult& result, const KernelTime& modelled);

// Bytes of all sectors of global, local and atomic accesses.
double sector_bytes_of(const Counters& counters);

}  // namespace warplens
