// The Occupancy view: what limits the number of resident warps? All of it is derived from the launch, the
// kernel's resources and the device; nothing has to run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/draw/table.h"
#include "core/device/device.h"
#include "core/device/launch_limits.h"
#include "core/device/occupancy.h"

namespace warplens {

// A device to compare with, and what the kernel takes there; empty: not known.
struct DeviceCandidate {
  Device device;
  std::optional<Resources> resources;
};

struct OccupancyViewInput {
  Device device;
  LaunchShape shape;
  std::optional<Resources> resources;    // empty: not known (yet)
  std::optional<LaunchRefusal> refusal;  // CUDA would not run it
  std::vector<DeviceCandidate> devices;  // all of the list, in its order
};

// How one resource of an SM is shared out. The three parts add up to the capacity.
struct ResourceBar {
  Limiter resource = Limiter::warps;
  std::string name;        // "Warps"
  uint64_t capacity = 0;   // of the SM, in `unit`
  uint64_t used = 0;       // by what resident blocks ask for
  uint64_t wasted = 0;     // given to them, but of no use: empty lanes, rounding, what the system reserves
  uint64_t blocked = 0;    // free, but no further block can use it
  uint64_t per_block = 0;  // used and wasted by one block
  std::optional<uint64_t> limit;  // blocks that this resource alone would allow; empty: any number
  bool limits = false;            // it is (one of) the scarcest
  bool known = true;
  std::string words;    // "36,864 of 65,536"
  std::string formula;  // with the numbers put in
};

struct CurvePoint {
  uint32_t x = 0;
  double percent = 0;
  std::string words;  // "256 threads: 100 %, 6 blocks of 8 warps"
};
struct OccupancyCurve {
  std::string title, unit;          // "over the block size", "threads"
  uint32_t largest = 0;             // right end of the axis
  std::vector<CurvePoint> points;   // by x
  std::optional<CurvePoint> today;  // empty: not known
};

// One SM: the blocks that fit, and of these the ones that this grid has for its busiest SM.
struct SmOccupants {
  uint32_t max_warps = 0;
  uint32_t blocks_that_fit = 0, blocks_here = 0;
  uint32_t warps_per_block = 0;
  uint32_t lanes_of_last_warp = 32;  // of each block
};

// Blocks over time, if all took equally long and started together.
struct WavePlan {
  uint64_t blocks = 0;
  uint32_t sms = 0, blocks_per_sm = 0;
  uint64_t slots = 0;    // of one wave: sms · blocks_per_sm
  uint64_t waves = 0;    // the last one counts, however empty
  uint64_t in_last = 0;  // blocks of the last wave
  // Blocks on an SM in a wave: the first blocks go one to each SM, and so on round.
  uint32_t on_sm(uint64_t wave, uint32_t sm) const;
};

struct DeviceBar {
  std::string id, name;
  bool today = false;
  bool estimated = false;         // with the registers of today's device
  std::optional<double> percent;  // empty: refused or not known
  std::string words;              // hover text
  std::string limiter;            // "registers"
};

struct OccupancyView {
  std::string figure;     // "83.3 %"; "≤ 100 %" where registers are not known; empty: nothing can be said
  std::string residents;  // "40 of 48 warps are resident on each SM"
  std::string limiter;    // "Registers run out first."
  std::string reason;     // how it comes to that, in a sentence or two
  std::string advice;     // what would make room; empty: nothing better
  std::string formula;
  std::string resources_words;  // "24 registers a thread, from ptxas"
  bool refused = false, exact = true;
  std::vector<ResourceBar> bars;
  std::vector<OccupancyCurve> curves;
  SmOccupants sm;
  WavePlan waves;
  std::string wave_words;  // "7 waves; in the last one 152 of 168 block slots stay empty"
  std::vector<DeviceBar> devices;
};

OccupancyView view_occupancy(const OccupancyViewInput& input);

// Occupancy of the launch with one thing changed; what the curves are made of.
Occupancy occupancy_of_launch(const OccupancyViewInput& input);

// "registers", "shared memory", "warp slots", "block slots", joined by "and".
std::string limiter_names(const std::vector<Limiter>& limiters);

// Bars, curves and devices as rows, for Save CSV.
Table occupancy_table(const OccupancyView& view);

}  // namespace warplens
