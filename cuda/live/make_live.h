// Live frames for the device that is chosen: a real GPU's, or the virtual one's.
#pragma once

#include <functional>
#include <memory>

#include "core/device/device.h"
#include "core/gpu/live/live_engine.h"

namespace warplens::cuda {

// Errors: there is no driver. `wake` is called, from any thread, when the engine has news.
Result<std::unique_ptr<LiveEngine>> make_live(const Device& device, std::function<void()> wake);

}  // namespace warplens::cuda
