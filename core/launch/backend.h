// A backend runs launch requests. Core has one for the virtual GPU, cuda/ has one for CUDA devices.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stop_token>

#include "core/base/result.h"
#include "core/launch/launch_request.h"
#include "core/launch/library_work.h"
#include "core/launch/run_result.h"

namespace warplens {

// The running backend writes it; the window and the command line read it.
struct Progress {
  std::atomic<uint64_t> blocks_done{0}, blocks_total{0};
};

class Backend {
 public:
  virtual ~Backend() = default;

  // Runs the request to its end, or to a fault, or until `stop` is requested. Bad PTX and bad requests are
  // errors; faults, refusals and cancelled runs are results.
  virtual Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                                Progress* progress) = 0;

  // Does the work with the device's libraries. A library that is absent is in the answer, with the reason.
  // An error means that none of them could run.
  virtual Result<LibraryRun> run_libraries(const Device& device, const LibraryWork& work,
                                           std::stop_token stop);
};

}  // namespace warplens
