// The same kernel again and again with one thing changed: the block's shape, or the size of the problem. One
// function for the window and the command line.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/job/run_job.h"
#include "core/timing/time_model.h"

namespace warplens {

enum class SweepKind : uint8_t { blocks, sizes };

struct SweepRequest {
  SweepKind kind = SweepKind::blocks;
  std::shared_ptr<const KernelDescription> kernel;
  KernelSetup setup;
  Device device;
  RunOptions options;
  std::vector<Dim3> blocks;     // of a sweep over blocks
  std::vector<uint64_t> sizes;  // of a sweep over sizes, see sized_setup
  double longest_point_ms = 0;  // after a point that took longer, larger sizes are left out; 0: none
};

// Times of one point, with or without the model of the caches behind them.
struct PointTimes {
  KernelTime kernel;  // modelled, all launches together
  TimesUs time;
  std::optional<Band> total_us;  // copies, launches and kernels
};

// One run of it. What is not known is empty; a refused shape or a fault is a point like any other.
struct SweepPoint {
  Dim3 block;
  uint64_t size = 0;    // 0: the setup's own
  double elements = 0;  // threads that the problem needs
  RunStatus status = RunStatus::ok;
  std::string cuda_error;  // refused
  std::string message;     // why it did not run to its end, or that its result is wrong
  LaunchShape shape;
  std::optional<Resources> resources;
  std::optional<Occupancy> occupancy;
  std::optional<Counters> counters;
  std::optional<uint64_t> sectors, sectors_ideal;  // of global memory
  PointTimes plain;                                // no model of the caches behind it
  std::optional<PointTimes> cached;                // empty: the run was too long for the model
  KernelTime kernel;                               // this and the two below: of the kind that all points have
  std::optional<Spread> measured_us;               // of the same kernels, on a real GPU
  TimesUs time;
  std::optional<Band> total_us;
  double execute_ms = 0;         // of the interpreter on this machine: no GPU's time
  std::optional<double> cpu_ms;  // of the CPU reference on this machine, measured
  // What points are compared by: the measured time where there is one, else the modelled one.
  // A measured one's band is from its 10th to its 90th percentile.
  std::optional<Band> us() const {
    if (measured_us) return Band{measured_us->p10, measured_us->median, measured_us->p90};
    return kernel.us;
  }
  bool counts() const { return status == RunStatus::ok && us().has_value(); }
};

// Where the GPU, with copies and launch, takes as long as the CPU.
struct Crossover {
  enum class Where : uint8_t { unknown, from_the_start, between, never } where = Where::unknown;
  double elements = 0;              // of `between`
  std::optional<double> low, high;  // with the fast and the slow end of the band
};

struct Sweep {
  SweepKind kind = SweepKind::blocks;
  std::string kernel, device;
  uint32_t max_warps_per_sm = 0, sms = 0;
  std::vector<SweepPoint> points;
  size_t wanted = 0;                  // points when it is complete
  bool measured = false;              // on a real GPU; else modelled
  std::optional<size_t> best, worst;  // by the kernel's time, of the points that are right
  Crossover crossover;                // of sizes
  std::string sentence;               // why the best is the best, or where the GPU begins to pay
  std::string left_out;               // why points are missing; empty where none is
  bool cached = false;  // the model of the caches is behind the times of all points, else of none
  bool complete() const { return points.size() == wanted || !left_out.empty(); }
};

// Times with and without the model of the caches are not compared with each other: one point that lacks it is
// enough to leave it out. Runs what `so_far` lacks, and tells each point as it comes. A stopped sweep gives
// the points up to there. Errors: nothing to vary.
Result<Sweep> run_sweep(const SweepRequest& request, Backend& backend, std::stop_token stop,
                        Progress* progress, const std::function<void(const Sweep&)>& tell = {},
                        Sweep so_far = {});

// The setup with its problem made this large: every whole number that the problem or a buffer's extents use
// is set to it, and a picture is scaled to be so wide.
Result<KernelSetup> sized_setup(const KernelDescription& kernel, const KernelSetup& setup, uint64_t size);
// Names of these numbers; "picture width" where it is the picture.
std::vector<std::string> size_names(const KernelDescription& kernel);

// What is worth trying where nobody said it.
std::vector<Dim3> usual_blocks(const KernelDescription& kernel, const Device& device);
std::vector<uint64_t> usual_sizes(const KernelDescription& kernel);

// Times up to so many times the best are as good.
constexpr double as_good_as_best = 1.01;
// The same for measured times, which differ a little from run to run.
constexpr double as_good_as_best_measured = 1.03;
inline double as_good(const Sweep& sweep) {
  return sweep.measured ? as_good_as_best_measured : as_good_as_best;
}

// Fills best, worst, crossover and sentence from the points; sweep_sentence.cpp.
void conclude(Sweep& sweep);

}  // namespace warplens
