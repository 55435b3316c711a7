// Requests and results as bytes, for the process that runs launches on a device. Both ends are the same
// program, so the format is simple and has no versions. Input is still checked.
#pragma once

#include <string>
#include <string_view>

#include "core/launch/launch_request.h"
#include "core/launch/library_work.h"
#include "core/launch/run_result.h"

namespace warplens::cuda {

// A whole request.
std::string encode(const LaunchRequest& request);
Result<LaunchRequest> decode_request(std::string_view bytes);

// What a run on a device gives, or its error: outcome, what ran, and what was measured
// (core/launch/fields.h).
std::string encode(const Result<RunResult>& result);
Result<RunResult> decode_result(std::string_view bytes);

// The same for library work.
std::string encode(const LibraryWork& work);
Result<LibraryWork> decode_work(std::string_view bytes);
std::string encode(const Result<LibraryRun>& run);
Result<LibraryRun> decode_times(std::string_view bytes);

}  // namespace warplens::cuda
