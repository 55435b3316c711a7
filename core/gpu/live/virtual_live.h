// Live frames on the virtual GPU. They are computed in the background, as fast as this machine's processor
// can, without counting and recording. They go through host memory. The window never waits.
#pragma once

#include <functional>
#include <memory>

#include "core/gpu/live/live_engine.h"

namespace warplens {

// The engine calls `on_event` on its own thread when a frame is ready, to wake the window.
std::unique_ptr<LiveEngine> make_virtual_live(std::function<void()> on_event);

}  // namespace warplens
