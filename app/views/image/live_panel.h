// The live picture of the Image view: asks an engine for a frame whenever the numbers have moved, and shows
// the newest one that is ready. Nothing here waits.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/state/actions.h"
#include "app/state/live_motion.h"
#include "app/views/image/picture.h"
#include "app/widgets/live_picture.h"
#include "core/gpu/live/frame_ring.h"

namespace warplens {

// The engine for a device; an error says why it cannot run kernels live. `wake`: it wakes the window, from
// any thread.
using MakeLive =
    std::function<Result<std::unique_ptr<LiveEngine>>(const Device& device, std::function<void()> wake)>;
// The virtual GPU, whatever the device.
Result<std::unique_ptr<LiveEngine>> make_virtual_live_for(const Device& device, std::function<void()> wake);

// What the Image view draws instead of a run's result. The raster of the result has its size and no pixels;
// they are in the texture.
struct LiveShown {
  std::shared_ptr<const RunResult> result;
  ImageSet set;
  uint32_t texture = 0;
};

class LiveView {
 public:
  MakeLive make_engine = make_virtual_live_for;
  std::function<void()> wake;

  // Once a frame while live mode is on and the view is drawn. Null: no picture yet.
  const LiveShown* frame(const AppState& state, Actions& actions);
  // Ends it: waits for the frame under way.
  void stop();
  // Another frame is due although nothing happened: how long until then, in seconds. Empty: not.
  std::optional<double> wait_s() const;

  // The pointer on the picture, in its pixels. True: the kernel has a plane that it moves.
  bool takes_pointer(const AppState& state) const;
  void drag(const AppState& state, Actions& actions, Point pixels);
  void zoom(const AppState& state, Actions& actions, Point at, double factor);

  // Reads the picture back, for a file; null: there is none.
  std::shared_ptr<const Raster> read_back() const;
  uint64_t frames_shown() const { return m_frames_shown; }
  BusTraffic traffic() const;
  const LiveEngine* engine() const { return m_engine.get(); }

 private:
  using Clock = std::chrono::steady_clock;
  // What the newest started frame was made of.
  struct Made {
    KernelSetup setup;
    std::string kernel, device;
    std::shared_ptr<const KernelDescription> own;  // another object each time that it is compiled
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

  // Destroyed first to last from below: the engine gives back the picture's buffers.
  std::unique_ptr<LivePicture> m_picture;
  std::unique_ptr<LiveEngine> m_engine;
  std::string m_device;  // of the engine
  FrameRing m_ring;
  std::array<std::shared_ptr<const LaunchRequest>, live_slots> m_requests;
  std::optional<Made> m_made;
  std::optional<LiveShown> m_shown;
  std::shared_ptr<const Bytes> m_input_of;  // what the input's raster was made of
  LiveMotion m_motion;
  const KernelDescription* m_kernel = nullptr;  // built in, or `m_own`, which keeps its address its own
  std::shared_ptr<const KernelDescription> m_own;
  double m_phase = 0;
  bool m_was_playing = false, m_moved_by_us = false, m_pending = false, m_playing = false;
  mutable int m_waits_since_drawn = 0;
  Clock::time_point m_played_at{};
  uint64_t m_frames_shown = 0;
  // Of the report.
  Clock::time_point m_reported_at{};
  uint64_t m_frames_reported = 0, m_bytes_reported = 0;
  double m_kernel_ms = 0;
  LiveReport m_report;
};

}  // namespace warplens
