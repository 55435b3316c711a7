// The backend for a real GPU in this process. A kernel that never ends cannot be stopped from here. So
// launches that have not been tried yet go to a process of their own (remote_gpu.h), in which this backend
// runs. It also serves launches that draw straight into the window.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/launch/backend.h"
#include "cuda/device/devices/nvml.h"
#include "cuda/device/driver/context.h"
#include "cuda/device/libraries/libraries.h"

namespace warplens::cuda {

// Captures the output of printf in kernels, which CUDA's driver writes to the process's standard output.
struct PrintfCapture {
  std::function<void()> begin;
  std::function<std::string()> end;  // the output since begin()
};

struct GpuBackendOptions {
  PrintfCapture printf;                   // if empty, the output is not captured
  std::function<void()> started, passed;  // called before the first pass, and after each pass: signs of life
  std::function<Libraries(int driver_version)> load_libraries = cuda::load_libraries;
};

class GpuBackend final : public Backend {
 public:
  // The first run makes the context. A fault destroys it, and the next run tries to make another one. The
  // driver of an H200 (580) refuses that in a process that has seen an illegal address or a trap.
  GpuBackend(Driver driver, int ordinal, GpuBackendOptions options = {});

  // A first run warms up and gives the outputs. Then `repeat` runs are measured; with `repeat` 1, as many as
  // fit into a moment. `stop` is checked between runs.
  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                        Progress* progress) override;

  // Runs on this backend's device, whatever `device` says. The first call loads the libraries.
  Result<LibraryRun> run_libraries(const Device& device, const LibraryWork& work,
                                   std::stop_token stop) override;

  // The context, for callers that share it. It is made if there is none.
  Result<const Context*> context();

 private:
  Driver m_driver;
  int m_ordinal;
  GpuBackendOptions m_options;
  Nvml m_nvml;
  std::string m_bus;
  std::optional<Libraries> m_libraries;
  std::optional<Context> m_context;
  bool m_faulted = false;
};

}  // namespace warplens::cuda
