// One line that describes a picture of a run: kernel, launch, device, and where its numbers come from.
#pragma once

#include <string>

#include "core/launch/run_result.h"

namespace warplens {

// "RGB → grayscale · 32 × 32 blocks of 16 × 16 · NVIDIA GeForce RTX 3060, virtual: numbers counted, times
// modelled". Uses the launch and the device of the result, which may be older than the current choice.
std::string caption_of(const std::string& title, const RunResult& result);
// The caption without the kernel.
std::string launch_caption(const RunResult& result);

}  // namespace warplens
