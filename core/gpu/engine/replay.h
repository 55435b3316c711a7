// Runs one block again and records its memory accesses.
#pragma once

#include <cstddef>
#include <stop_token>

#include "core/base/result.h"
#include "core/launch/footprint.h"
#include "core/launch/launch_request.h"

namespace warplens {

// Replays one block of the request's first launch from its start and records every memory access, up to a
// limit. Only this block runs, with the memory that the request starts with, so it does not see what other
// blocks write.
Result<BlockFootprint> replay_block(const LaunchRequest& request, Dim3 block, std::stop_token stop,
                                    size_t max_accesses = 65536);

}  // namespace warplens
