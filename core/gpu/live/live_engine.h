// Kernels that run again and again, once a frame, for a window that draws what they write. One interface for
// a CUDA device (cuda/live/live_gpu.h) and for the virtual GPU (virtual_live.h); fakes stand in for both in
// tests.
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

// Frames under way at most: one is drawn, one is ready or being computed, one may be started.
constexpr size_t live_slots = 3;

// The window's OpenGL: how it names itself, and a buffer for each slot that a GPU may write to directly.
struct OpenGlBuffers {
  std::string vendor, renderer;  // GL_VENDOR, GL_RENDERER
  std::vector<uint32_t> names;
  uint64_t bytes = 0;  // of each
};

// How frames come from the kernel to the window.
struct FramePath {
  bool shared = false;  // the kernel writes into memory that OpenGL draws from: nothing crosses the bus
  std::string why_not;  // where it is not: one sentence
  std::string advice;   // what the user may do about it; empty: nothing
  bool operator==(const FramePath&) const = default;
};

// Copies of the frames' data between host and device since the engine was made; what a kernel starts from
// (the picture, once) is not in it.
struct BusTraffic {
  uint64_t copies = 0, bytes = 0;
};

struct LiveFrame {
  size_t slot = 0;
  double kernel_ms = 0;  // measured: by the device's events, or the virtual GPU's run on this machine
  // The picture, where it came through host memory; empty: it is in the slot's OpenGL buffer. Valid until the
  // slot is started again.
  std::span<const std::byte> host;
};

// Everything is called on the window's thread, with its OpenGL context current, and nothing waits for a
// kernel but take_back() and the destructor.
class LiveEngine {
 public:
  virtual ~LiveEngine() = default;

  // The buffers may be written to from now on, each from start() of its slot until finished() names it.
  virtual void lend(OpenGlBuffers buffers) = 0;
  // They are the window's alone again: what is under way is waited for and dropped.
  virtual void take_back() = 0;
  // Empty until the first frame was started.
  virtual std::optional<FramePath> path() const = 0;

  // Runs the request's launches, its first picture output being the slot. False: not yet (another one is
  // under way, or the kernel is being made ready in the background); ask again with what is then wanted. An
  // error ends it: the kernel cannot run live, or it faulted.
  virtual Result<bool> start(size_t slot, std::shared_ptr<const LaunchRequest> request) = 0;
  // Those that are ready since the last call, oldest first.
  virtual Result<std::vector<LiveFrame>> finished() = 0;
  // finished() or start() will have news by themselves.
  virtual bool busy() const = 0;
  virtual BusTraffic traffic() const = 0;
};

// The output that a live picture shows: the first one that is a picture of 8-bit channels. Empty: there is
// none.
std::optional<uint32_t> live_output(const LaunchRequest& request);

}  // namespace warplens
