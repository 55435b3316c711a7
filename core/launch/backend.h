// A thing that runs launch requests: the virtual GPU here, a CUDA device in cuda/.
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

// Written by the running backend, read by whoever shows progress.
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

  // The same work by the libraries that the device has for it. Libraries that are absent are in the answer,
  // with the reason; an error is what kept all of them from running.
  virtual Result<LibraryRun> run_libraries(const Device& device, const LibraryWork& work,
                                           std::stop_token stop);
};

}  // namespace warplens
