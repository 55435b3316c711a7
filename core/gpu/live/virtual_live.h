// Live frames on the virtual GPU: in the background, as fast as this machine's processor can, without
// counting and recording. Frames come through host memory; the window never waits.
#pragma once

#include <functional>
#include <memory>

#include "core/gpu/live/live_engine.h"

namespace warplens {

// `on_news` is called on the engine's own thread when a frame is ready: it wakes the window.
std::unique_ptr<LiveEngine> make_virtual_live(std::function<void()> on_news);

}  // namespace warplens
