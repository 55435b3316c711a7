// Makes a job from a launch of a recording: the same code, shape, parameters and memory, at the same
// addresses.
#pragma once

#include <memory>
#include <string>

#include "core/job/run_job.h"
#include "core/recording/recording.h"

namespace warplens {

// The limit for the memory of a launch that is run again, in total.
constexpr uint64_t max_recorded_memory_bytes = uint64_t{8} << 30;

// The launch with this number, counted from 1. An error lists the launches that exist.
Result<const recording::Event*> find_launch(const recording::Recording& recording, uint64_t number,
                                            const std::string& name);

// `name` is that of the recording, for messages. Output buffers are those that the launch changed when it was
// recorded.
Result<LaunchRequest> recorded_request(const recording::Recording& recording, const recording::Event& launch,
                                       const std::string& name);
Result<Job> recorded_job(const recording::Recording& recording, const recording::Event& launch,
                         const std::string& name, const Device& device, const RunOptions& options);

// Compares the memory after a run with the memory after the recorded launch, byte for byte, with a row for
// each buffer that the launch changed. If there is a difference, the run's status is check_failed.
void check_against_recording(const recording::RecordedLaunch& launch, RunResult& result);

}  // namespace warplens
