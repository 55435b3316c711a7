// The Occupancy view shows what limits the number of resident warps. It is derived from the launch, the
// kernel's resources and the device; only what was achieved needs a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/base/draw/table.h"
#include "core/device/device.h"
#include "core/device/launch_limits.h"
#include "core/device/occupancy.h"
#include "core/gpu/timing/achieved_occupancy.h"

namespace warplens {

// A device to compare with, and the kernel's resources on it.
struct DeviceCandidate {
  Device device;
  std::optional<Resources> resources;
};

struct OccupancyViewInput {
  Device device;
  LaunchShape shape;
  std::optional<Resources> resources;              // empty if not known (yet)
  std::optional<LaunchRefusal> refusal;            // if CUDA would refuse the launch
  std::vector<DeviceCandidate> devices;            // all devices, in the order of the list
  std::optional<AchievedOccupancy> achieved = {};  // by a run of this launch
  bool will_run = false;                           // a run is on its way that will say it
};

// How one resource of an SM is divided. The three parts add up to the capacity.
struct ResourceBar {
  Limiter resource = Limiter::warps;
  std::string name;               // "Warps"
  uint64_t capacity = 0;          // of the SM, in `unit`
  uint64_t used = 0;              // requested by the resident blocks
  uint64_t wasted = 0;            // allocated but not usable: empty lanes, rounding, reserved by the system
  uint64_t blocked = 0;           // free, but no further block fits
  uint64_t per_block = 0;         // used plus wasted by one block
  std::optional<uint64_t> limit;  // blocks that this resource by itself would allow; empty if any number
  bool limits = false;            // this resource limits the occupancy
  bool known = true;
  std::string words;    // "36,864 of 65,536"
  std::string formula;  // with the numbers filled in
};

struct CurvePoint {
  uint32_t x = 0;
  double percent = 0;
  std::string words;  // "256 threads: 100 %, 6 blocks of 8 warps"
};
struct OccupancyCurve {
  std::string title, unit;          // "over the block size", "threads"
  uint32_t largest = 0;             // the right end of the axis
  std::vector<CurvePoint> points;   // by x
  std::optional<CurvePoint> today;  // empty: not known
};

// One SM: the blocks that fit, and how many of them the grid has for its busiest SM.
struct SmOccupants {
  uint32_t max_warps = 0;
  uint32_t blocks_that_fit = 0, blocks_here = 0;
  uint32_t warps_per_block = 0;
  uint32_t lanes_of_last_warp = 32;  // of each block
};

// The waves of blocks, if all blocks took equally long and started together.
struct WavePlan {
  uint64_t blocks = 0;
  uint32_t sms = 0, blocks_per_sm = 0;
  uint64_t slots = 0;    // of one wave, sms · blocks_per_sm
  uint64_t waves = 0;    // including the last one, however few blocks it has
  uint64_t in_last = 0;  // blocks of the last wave
  // The number of blocks on an SM in a wave. Blocks are given to the SMs in turn, one at a time.
  uint32_t on_sm(uint64_t wave, uint32_t sm) const;
};

struct DeviceBar {
  std::string id, name;
  bool today = false;
  bool estimated = false;         // with the registers on the current device
  std::optional<double> percent;  // empty if refused or not known
  std::string words;              // hover text
  std::string limiter;            // "registers"
};

struct OccupancyView {
  std::string figure;     // "83.3 %", or "≤ 100 %" if registers are not known; empty if nothing is known
  std::string residents;  // "40 of 48 warps are resident on each SM"
  std::string limiter;    // "Registers run out first."
  std::string reason;     // the reason, in a sentence or two
  std::string advice;     // how to get more; empty if there is nothing better
  std::string formula;
  std::string achieved;  // "≈ 63.2 % achieved: 30.4 warps on average while an SM works"; may be empty
  std::string achieved_formula;  // empty while it is not known
  std::string resources_words;   // "24 registers a thread, from ptxas"
  bool refused = false, exact = true;
  std::vector<ResourceBar> bars;
  std::vector<OccupancyCurve> curves;
  SmOccupants sm;
  WavePlan waves;
  std::string wave_words;  // "7 waves; in the last one 152 of 168 block slots stay empty"
  std::vector<DeviceBar> devices;
};

OccupancyView view_occupancy(const OccupancyViewInput& input);

// The occupancy of the launch. The curves call it with one value changed.
Occupancy occupancy_of_launch(const OccupancyViewInput& input);

// "registers", "shared memory", "warp slots", "block slots", joined by "and".
std::string limiter_names(const std::vector<Limiter>& limiters);

// Bars, curves and devices as rows, for Save CSV.
Table occupancy_table(const OccupancyView& view);

}  // namespace warplens
