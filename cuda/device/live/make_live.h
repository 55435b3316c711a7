// Makes the live engine for the chosen device, which is a real GPU or a virtual one.
#pragma once

#include <functional>
#include <memory>

#include "core/device/device.h"
#include "core/gpu/live/live_engine.h"

namespace warplens::cuda {

// Fails if there is no driver. The engine calls `wake` from any thread when it has something new.
Result<std::unique_ptr<LiveEngine>> make_live(const Device& device, std::function<void()> wake);

}  // namespace warplens::cuda
