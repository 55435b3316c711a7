// The functions that the worker calls. Tests replace them with fakes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "app/state/parts/frame.h"
#include "core/base/result.h"
#include "core/device/real_gpus.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/image/image.h"
#include "core/job/files/own_kernel_file.h"
#include "core/job/sweep.h"
#include "core/kernels/catalogue.h"
#include "core/launch/backend.h"
#include "core/launch/footprint.h"

namespace warplens {

struct RunOrder {
  uint64_t serial = 0;
  const KernelDescription* kernel = nullptr;  // lives as long as the program, or as long as `own`
  KernelSetup setup;
  Device device;
  std::shared_ptr<const KernelDescription> own = nullptr;
  Looking looking = Looking::small_runs;
  uint64_t order = 0;    // SetupState::order
  uint32_t workers = 0;  // 0 takes all cores
  bool sm = false;       // with the model of an SM in time, which the open lesson asks for
};

// A finished run for which further results are wanted.
struct RefineOrder {
  RunOrder run;
  std::shared_ptr<const RunResult> result;
  uint32_t stage = 0;  // what is added, one after the other: WorkerCalls::refine_stages of them
};

struct CompileOrder {
  uint64_t serial = 0;
  std::string source, name, path, entry, copy_of;
  bool from_file = false;  // read `path` first
  Device device;
};

struct ReplayOrder {
  uint64_t serial = 0;  // of the run to which the footprint belongs
  std::shared_ptr<const LaunchRequest> request;
  Dim3 block;
};

struct SweepOrder {
  uint64_t serial = 0;
  SweepRequest request;
  Sweep so_far;  // the points so far, if a run interrupted the sweep
};

struct WorkerCalls {
  std::function<Result<Resources>(const RunOrder&)> resources;
  std::function<Result<RunResult>(const RunOrder&, std::stop_token, Progress*)> run;
  // Adds mistakes that were found, then the traffic of L1, L2 and DRAM with times that use it, then fixes
  // that were tried; one of them a call. Null if nothing can be added to the result.
  std::function<Result<std::shared_ptr<const RunResult>>(const RefineOrder&, std::stop_token)> refine =
      nullptr;
  uint32_t refine_stages = 1;
  std::function<Result<BlockFootprint>(const ReplayOrder&, std::stop_token)> replay;
  std::function<Result<Sweep>(const SweepOrder&, std::stop_token, Progress*,
                              const std::function<void(const Sweep&)>& tell)>
      sweep = nullptr;
  std::function<Result<CompiledKernel>(const CompileOrder&, std::stop_token)> compile = nullptr;
  std::function<Result<void>(const std::string& path, const std::string& text)> save_text = nullptr;
  FindRealGpus real_gpus = nullptr;              // takes a moment; never returns if the driver is stuck
  std::chrono::milliseconds gpu_patience{5000};  // then the user is told that it has not answered
  std::function<Result<Image>(const std::string&)> load_picture;
  std::function<Result<void>(const Image&, const std::string&)> save_picture;
};

// The real functions: run_job on the backend, with writer maps, heat maps and the CPU reference.
WorkerCalls make_worker_calls(const std::shared_ptr<Backend>& backend = make_virtual_gpu(),
                              FindRealGpus real_gpus = nullptr);

}  // namespace warplens
