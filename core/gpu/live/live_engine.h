// Kernels that run again and again, once a frame, for a window that draws what they write. One interface for
// a CUDA device (cuda/device/live/live_gpu.h) and for the virtual GPU (virtual_live.h). Tests replace both
// with fakes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/launch/launch_request.h"

namespace warplens {

// The largest number of frames in progress: one is drawn, one is ready or being computed, one may be
// started.
constexpr size_t live_slots = 3;

// The window's OpenGL: its vendor and renderer, and a buffer for each slot to which a GPU may write
// directly.
struct OpenGlBuffers {
  std::string vendor, renderer;  // GL_VENDOR, GL_RENDERER
  std::vector<uint32_t> names;
  uint64_t bytes = 0;  // of each
};

// How frames get from the kernel to the window.
struct FramePath {
  bool shared = false;  // the kernel writes into memory that OpenGL draws from: nothing crosses the bus
  std::string why_not;  // why it is not shared: one sentence
  std::string advice;   // what the user can do about it; empty if nothing
  bool operator==(const FramePath&) const = default;
};

// Copies of frame data between host and device since the engine was made. The initial copy of the picture is
// not included.
struct BusTraffic {
  uint64_t copies = 0, bytes = 0;
};

struct LiveFrame {
  size_t slot = 0;
  double kernel_ms = 0;  // measured: by the device's events, or the virtual GPU's run on this machine
  // The picture, if it came through host memory. Empty if it is in the slot's OpenGL buffer. Valid until the
  // slot is started again.
  std::span<const std::byte> host;
};

// Call everything on the window's thread, with its OpenGL context current. Only take_back() and the
// destructor wait for a kernel.
class LiveEngine {
 public:
  virtual ~LiveEngine() = default;

  // From now on the engine may write to the buffers, to each from start() of its slot until finished() names
  // it.
  virtual void lend(OpenGlBuffers buffers) = 0;
  // Gives the buffers back to the window. Frames in progress are waited for and dropped.
  virtual void take_back() = 0;
  // Empty until the first frame is started.
  virtual std::optional<FramePath> path() const = 0;

  // Runs the request's launches. The first output that is a picture goes to the slot. Returns false if it
  // cannot start yet (another frame is running, or the kernel is being prepared in the background); then
  // call it again later with a current request. An error is final: the kernel cannot run live, or it
  // faulted.
  virtual Result<bool> start(size_t slot, std::shared_ptr<const LaunchRequest> request) = 0;
  // The frames that became ready since the last call, oldest first.
  virtual Result<std::vector<LiveFrame>> finished() = 0;
  // Whether finished() or start() will soon give something new.
  virtual bool busy() const = 0;
  virtual BusTraffic traffic() const = 0;
};

// The output that a live picture shows: the first output that is a picture with 8-bit channels. Empty if
// there is none.
std::optional<uint32_t> live_output(const LaunchRequest& request);

}  // namespace warplens
