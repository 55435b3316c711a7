// A sweep runs the same kernel several times and changes one thing: the shape of the block, or the size of
// the problem. The window and the command line use the same function.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/gpu/timing/time_model.h"
#include "core/job/run_job.h"

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
  double longest_point_ms = 0;  // after a point that took longer, larger sizes are left out; 0 for no limit
};

// The times of one point, with or without the cache model.
struct PointTimes {
  KernelTime kernel;  // modelled, all launches together
  TimesUs time;
  std::optional<Band> total_us;  // copies, launches and kernels
};

// One run of a sweep. What is not known is empty. A refused shape or a fault is a point too.
struct SweepPoint {
  Dim3 block;
  uint64_t size = 0;    // 0 for the setup's own
  double elements = 0;  // threads that the problem needs
  RunStatus status = RunStatus::ok;
  std::string cuda_error;  // refused
  std::string message;     // why it did not run to its end, or how its result is wrong
  LaunchShape shape;
  std::optional<Resources> resources;
  std::optional<Occupancy> occupancy;
  std::optional<Counters> counters;
  std::optional<uint64_t> sectors, sectors_ideal;  // of global memory
  PointTimes plain;                                // without the cache model
  std::optional<PointTimes> cached;                // with it; empty if the run was too long for the model
  // `kernel`, `time` and `total_us` are from `cached` if all points have it, otherwise from `plain`.
  KernelTime kernel;
  std::shared_ptr<const SmStates> sm;  // of a sweep over blocks; null if it was not modelled
  std::optional<Spread> measured_us;   // of the same kernels, on a real GPU
  TimesUs time;
  std::optional<Band> total_us;
  double execute_ms = 0;         // of the virtual GPU on this machine; not a GPU's time
  std::optional<double> cpu_ms;  // of the CPU reference on this machine, measured
  // The time by which points are compared: the measured time if there is one, otherwise the modelled one.
  // The band of a measured time goes from its 10th to its 90th percentile.
  std::optional<Band> us() const {
    if (measured_us) return Band{measured_us->p10, measured_us->median, measured_us->p90};
    return kernel.us;
  }
  bool counts() const { return status == RunStatus::ok && us().has_value(); }
};

// The problem size at which the GPU, with copies and launch, takes as long as the CPU.
struct Crossover {
  enum class Where : uint8_t { unknown, from_the_start, between, never } where = Where::unknown;
  double elements = 0;              // of `between`
  std::optional<double> low, high;  // for the fast and the slow end of the band
};

struct Sweep {
  SweepKind kind = SweepKind::blocks;
  std::string kernel, device;
  uint32_t max_warps_per_sm = 0, sms = 0;
  std::vector<SweepPoint> points;
  size_t wanted = 0;                  // number of points when the sweep is complete
  bool measured = false;              // on a real GPU; otherwise modelled
  std::optional<size_t> best, worst;  // by the kernel's time, among the correct points
  Crossover crossover;                // of sizes
  std::string sentence;               // why the best is the best, or from which size the GPU is faster
  std::string left_out;               // why points are missing; empty if none is
  bool cached = false;                // the times of all points include the cache model; otherwise none do
  bool complete() const { return points.size() == wanted || !left_out.empty(); }
};

// Runs the points that `so_far` lacks, and calls `tell` after each, or once if it lacks none. `so_far` may
// come from another request with the same kernel and numbers: its points are found by their block or size. A
// stopped sweep returns the points so far. Times with and without the cache model are not compared with each
// other: if one point lacks the cache model, it is left out for all, and if there are measured times, the
// modelled ones are then omitted. It is an error if there is nothing to vary.
Result<Sweep> run_sweep(const SweepRequest& request, Backend& backend, std::stop_token stop,
                        Progress* progress, const std::function<void(const Sweep&)>& tell = {},
                        const Sweep& so_far = {});

// The setup with a problem of this size: every whole number that the problem or a buffer's extents use is
// set to `size`, and a picture is scaled to this width.
Result<KernelSetup> sized_setup(const KernelDescription& kernel, const KernelSetup& setup, uint64_t size);
// The names of these numbers, and "picture width" for the picture.
std::vector<std::string> size_names(const KernelDescription& kernel);

// The blocks and sizes to try if the user gives none.
std::vector<Dim3> usual_blocks(const KernelDescription& kernel, const Device& device);
std::vector<uint64_t> usual_sizes(const KernelDescription& kernel);

// Adds `today` to the shapes if it is missing. Sorted by the number of threads.
std::vector<Dim3> with_todays(std::vector<Dim3> blocks, Dim3 today);

// Whether the point and the best one cannot be told apart: a measured time is within the 10th to the 90th
// percentile of the best one's, and for a modelled time the best one is not clearly faster (least_gain.h).
// The best point ties with itself. False if there is no best point or the point has no time.
bool ties_with_best(const Sweep& sweep, const SweepPoint& point);
// The number of such points. 1 if only the best one ties, 0 if there is no best one.
size_t count_ties(const Sweep& sweep);

// Fills best, worst, crossover and sentence from the points; sweep_sentence.cpp.
void conclude(Sweep& sweep);

}  // namespace warplens
