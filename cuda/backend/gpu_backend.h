// Backend on a real GPU, in this process. A kernel that never ends cannot be stopped from here, so launches
// that nobody has tried go through a process of their own (remote_gpu.h); this one is what runs in there, and
// it serves launches that draw straight into the window.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/launch/backend.h"
#include "cuda/devices/nvml.h"
#include "cuda/driver/context.h"
#include "cuda/libraries/libraries.h"

namespace warplens::cuda {

// Where the kernels' printf goes. CUDA's driver writes it to the process's standard output.
struct PrintfCapture {
  std::function<void()> begin;
  std::function<std::string()> end;  // what was written since
};

struct GpuBackendOptions {
  PrintfCapture printf;                   // empty: it goes where the driver writes it
  std::function<void()> started, passed;  // before the first pass, and after each: signs of life
  std::function<Libraries(int driver_version)> load_libraries = cuda::load_libraries;
};

class GpuBackend final : public Backend {
 public:
  // The context is made by the first run. After a fault it is gone, and the next run tries to make another
  // one; the driver of an H200 (580) refuses that to a process that has seen an illegal address or a trap.
  GpuBackend(Driver driver, int ordinal, GpuBackendOptions options = {});

  // Measures over `repeat` runs behind a first one that warms up and gives the outputs; with `repeat` 1, over
  // as many as fit into a moment. `stop` is looked at between them.
  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                        Progress* progress) override;

  // On this device, whichever is named. The libraries are loaded by the first call.
  Result<LibraryRun> run_libraries(const Device& device, const LibraryWork& work,
                                   std::stop_token stop) override;

  // The context, for whoever wants to share it; made where there is none.
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
