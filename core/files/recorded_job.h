// A launch of a recording as a job: the same text, shape, parameters and memory, at the same addresses.
#pragma once

#include <memory>
#include <string>

#include "core/job/run_job.h"
#include "core/recording/recording.h"

namespace warplens {

// Together, the memory of a launch that is run again.
constexpr uint64_t max_recorded_memory_bytes = uint64_t{8} << 30;

// The launch of this number, from 1. Errors say which there are.
Result<const recording::Event*> find_launch(const recording::Recording& recording, uint64_t number,
                                            const std::string& name);

// `name`: of the recording, for messages. Output buffers are those that the launch changed when it was
// recorded.
Result<LaunchRequest> recorded_request(const recording::Recording& recording, const recording::Event& launch,
                                       const std::string& name);
Result<Job> recorded_job(const recording::Recording& recording, const recording::Event& launch,
                         const std::string& name, const Device& device, const RunOptions& options);

// Compares what a run left in memory with what the program's own launch had left there, byte for byte: a row
// for each buffer that it changed. A difference makes the run one whose check failed.
void check_against_recording(const recording::RecordedLaunch& launch, RunResult& result);

}  // namespace warplens
