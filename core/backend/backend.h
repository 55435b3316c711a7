// A thing that runs launch requests: the virtual GPU here, a CUDA device in cuda/.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stop_token>

#include "core/backend/footprint.h"
#include "core/backend/launch_request.h"
#include "core/backend/library_work.h"
#include "core/backend/run_result.h"
#include "core/base/result.h"

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

// The virtual GPU: PTX on the CPU. Has no state between runs but a cache of decoded programs, so that running
// the same module again skips parsing.
std::unique_ptr<Backend> make_virtual_gpu();

// Replays one block of the request's first launch from its start, alone, with the memory that the request
// starts with, and records every memory access (up to a limit). Blocks that depend on other blocks' writes
// see the initial memory.
Result<BlockFootprint> replay_block(const LaunchRequest& request, Dim3 block, std::stop_token stop,
                                    size_t max_accesses = 65536);

}  // namespace warplens
