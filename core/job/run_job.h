// Runs one job, in the same way for the window and the command line: launch limits, resources, the run, the
// comparison with the CPU reference, occupancy and warnings.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/device/launch_limits.h"
#include "core/kernels/catalogue.h"
#include "core/launch/backend.h"
#include "core/launch/run_result.h"

namespace warplens {

// The contents that a buffer must have after the run (`expect` in a launch file).
struct Expectation {
  std::string buffer;
  std::shared_ptr<const Bytes> bytes;
  DType dtype = DType::u8;
  double rtol = 0;  // as in compare_buffers
};

// What is made of a run beside what it counts.
struct Passes {
  bool check = true;       // compare with the CPU reference and the expectations, and time the reference
  bool caches = false;     // model L1, L2 and DRAM in a second pass if that is short (cache_pass.h)
  bool sm = false;         // model an SM in time (sm_pass.h), which needs the model of the caches
  bool findings = false;   // look for all mistakes in a pass of its own if that is short (findings_pass.h)
  bool fixes = false;      // try launches that may fix the warnings (tried_fixes.h)
  bool libraries = false;  // on a real GPU: time its libraries at the same work (libraries.h)
};

// Options for any run.
struct RunOptions : Observation, Schedule, DeviceOptions, Repetition, Passes {};

// A job is a value and is cheap to copy. A worker thread may keep its copy while the user changes
// everything.
struct Job : Passes {
  std::shared_ptr<const LaunchRequest> request;
  std::shared_ptr<const KernelDescription>
      kernel;  // null if it is not from the catalogue; then there is no CPU reference
  std::shared_ptr<const KernelSetup> setup;  // what the request was made from; null if it is not known
  std::optional<Dim3> problem;               // threads needed per axis, for the warnings
  std::vector<Expectation> expectations;
  std::optional<double> compile_ms;   // of a source that was compiled for this job
  bool findings_of_any_size = false;  // with `findings`: however long the pass takes
};

// A pointer for Job::kernel to an entry of built_in_kernels(). It owns nothing, since those live as long as
// the program.
std::shared_ptr<const KernelDescription> borrowed(const KernelDescription& kernel);

// Evaluates the user's choices: fills the buffers, sets grid and block. It fails if make_request fails.
Result<Job> make_job(std::shared_ptr<const KernelDescription> kernel, const KernelSetup& setup,
                     const Device& device, const RunOptions& options);

// Sets device and options of a request that came from elsewhere (a launch file).
LaunchRequest with_options(LaunchRequest request, const Device& device, const RunOptions& options);

// Runs the job on the backend. A launch that CUDA would refuse is not run: the result has status refused,
// CUDA's error, the consequence, and everything that is known without running. If there is no assembler,
// resources and occupancy are empty, and a warning with the id resources_unknown says why. Bad PTX and bad
// requests are errors.
Result<RunResult> run_job(const Job& job, Backend& backend, std::stop_token stop, Progress* progress);

}  // namespace warplens
