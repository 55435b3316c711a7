// One line that says what a picture of a run is of: kernel, launch, device, and where its numbers come from.
#pragma once

#include <string>

#include "core/launch/run_result.h"

namespace warplens {

// "RGB → grayscale · 32 × 32 blocks of 16 × 16 · NVIDIA GeForce RTX 3060, virtual: numbers counted, times
// modelled". The result's launch and device, which may be older than what is chosen now.
std::string caption_of(const std::string& title, const RunResult& result);
// The same without the kernel.
std::string launch_caption(const RunResult& result);

}  // namespace warplens
