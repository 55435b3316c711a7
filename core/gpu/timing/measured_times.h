// The measured times of the steps of a run on a real GPU, in place of the modelled times.
#pragma once

#include <optional>

#include "core/gpu/timing/time_model.h"
#include "core/launch/run_result.h"

namespace warplens {

// Bands go from the 10th to the 90th percentile around the median. The time of all copies is divided among
// the arrays by their bytes, and the time of the host's calls evenly among the launches; these times are
// derived. `modelled` has the modelled times of the same run. Its kernels are kept, for comparison. Without
// a measurement it is returned unchanged.
RunTimes measured_times(const RunResult& result, RunTimes modelled);

// The time of all kernels of the run. Empty if none was measured.
std::optional<Band> measured_kernel_us(const RunResult& result);

// The error of the modelled time, in percent of the measured time. It is positive if the modelled time is
// too long.
double model_error_percent(double modelled_us, double measured_us);

// The bandwidth that the kernels reached: exact or modelled bytes, divided by the measured time.
struct Bandwidth {
  double sector_bytes = 0, sector_gb_s = 0;  // of all requested sectors (counted)
  std::optional<double> memory_gb_s;         // of the bytes between DRAM and chip, by the time model
  std::optional<double> memory_percent;      // of the device's memory bandwidth
};
// `modelled` is the modelled time of the run's kernels. Empty if nothing was measured or counted.
std::optional<Bandwidth> measured_bandwidth(const RunResult& result, const KernelTime& modelled);

// The bytes of all sectors of global, local and atomic accesses.
double sector_bytes_of(const Counters& counters);

}  // namespace warplens
