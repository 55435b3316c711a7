// The time model for a device that was measured. kernel_time() calls it if there is a calibration.
#pragma once

#include "core/gpu/timing/calibration.h"
#include "core/gpu/timing/time_model.h"

namespace warplens {

// The caller must have checked that everything it needs is known.
KernelTime calibrated_time(const Device& device, const KernelWork& work, const Calibration& calibration);

// Warp instructions per cycle of one SM. Units without a measured figure use that of the schedulers.
double issue_rate(const Calibration& calibration, IssueUnit unit);
// Blocks of so many threads that the whole device starts.
double block_starts_per_us(const Calibration& calibration, double threads);

// Where the data of a launch come from and go to.
struct Traffic {
  double loaded = 0;                             // sectors that miss L1
  double whole = 0, partial = 0, scattered = 0;  // sectors of stores
  double stays = 0;                              // share of the data that L2 still has from the launch before
  double read_bytes = 0, written_bytes = 0;      // of DRAM, if L2 were empty
};
Traffic traffic_of(const Device& device, const KernelWork& work);

}  // namespace warplens
