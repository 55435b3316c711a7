// The live picture of the Image view. It requests a frame from an engine whenever the numbers have changed,
// and shows the newest frame that is ready. It never waits.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/state/actions.h"
#include "app/state/live/live_motion.h"
#include "app/views/image/picture.h"
#include "app/widgets/live_picture.h"
#include "core/gpu/live/frame_ring.h"

namespace warplens {

// Makes the engine for a device. An error says why it cannot run kernels live. `wake` wakes the window, from
// any thread.
using MakeLive =
    std::function<Result<std::unique_ptr<LiveEngine>>(const Device& device, std::function<void()> wake)>;
// Makes the engine of the virtual GPU, for any device.
Result<std::unique_ptr<LiveEngine>> make_virtual_live_for(const Device& device, std::function<void()> wake);

// What the Image view draws instead of a run's result. The raster has the size of the result but no pixels;
// those are in the texture.
struct LiveShown {
  std::shared_ptr<const RunResult> result;
  ImageSet set;
  uint32_t texture = 0;
};

class LiveView {
 public:
  MakeLive make_engine = make_virtual_live_for;
  std::function<void()> wake;

  // Call it once in each frame while live mode is on and the view is drawn. Null if there is no picture yet.
  const LiveShown* frame(const AppState& state, Actions& actions);
  // Ends live mode. It waits for the frame in progress.
  void stop();
  // The seconds until another frame is due without an event. Empty if none is.
  std::optional<double> wait_s() const;

  // Whether dragging on the picture moves the kernel's plane.
  bool takes_pointer(const AppState& state) const;
  void drag(const AppState& state, Actions& actions, Point pixels);
  void zoom(const AppState& state, Actions& actions, Point at, double factor);

  // Reads the picture back, for a file. Null if there is none.
  std::shared_ptr<const Raster> read_back() const;
  uint64_t frames_shown() const { return m_frames_shown; }
  BusTraffic traffic() const;
  const LiveEngine* engine() const { return m_engine.get(); }

 private:
  using Clock = std::chrono::steady_clock;
  // The inputs of the newest started frame.
  struct Made {
    KernelSetup setup;
    std::string kernel, device;
    std::shared_ptr<const KernelDescription> own;  // a new object after each compilation
    std::shared_ptr<const LaunchRequest> request;
  };

  Result<void> open(const AppState& state);
  Result<void> follow(const AppState& state, Actions& actions);
  Result<void> follow_without_throwing(const AppState& state, Actions& actions);
  bool is_new(const AppState& state) const;
  Result<void> start(const AppState& state);
  Result<void> take_finished();
  Result<void> fit_buffers(const BufferSpec& spec);
  void show(const LiveFrame& frame);
  void play(const AppState& state, Actions& actions);
  void settle(const AppState& state, Actions& actions);
  void move(const MovedValues& values, Actions& actions);
  void report(const AppState& state, Actions& actions);

  // Members are destroyed from the last to the first: the engine first gives back the buffers of the
  // picture.
  std::unique_ptr<LivePicture> m_picture;
  std::unique_ptr<LiveEngine> m_engine;
  std::string m_device;  // the engine's device
  FrameRing m_ring;
  std::array<std::shared_ptr<const LaunchRequest>, live_slots> m_requests;
  std::optional<Made> m_made;
  std::optional<LiveShown> m_shown;
  std::shared_ptr<const Bytes> m_input_of;  // the bytes of the input's raster
  LiveMotion m_motion;
  const KernelDescription* m_kernel = nullptr;  // built in, or `m_own`, which keeps the address in use
  std::shared_ptr<const KernelDescription> m_own;
  double m_phase = 0;
  bool m_was_playing = false, m_moved_by_us = false, m_pending = false, m_playing = false;
  mutable int m_waits_since_drawn = 0;
  Clock::time_point m_played_at{};
  uint64_t m_frames_shown = 0;
  // Figures for the report.
  Clock::time_point m_reported_at{};
  uint64_t m_frames_reported = 0, m_bytes_reported = 0;
  double m_kernel_ms = 0;
  LiveReport m_report;
};

}  // namespace warplens
