// Live frames on a CUDA device. The kernel writes into the window's OpenGL buffers if both can share memory,
// otherwise into page-locked host memory. It runs in this process, so it must be a kernel that is known to
// end. With other numbers it may still not end. After the time limit the engine then gives up: it leaves the
// kernel running, does not free the memory that the kernel may write to, and returns an error.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "core/base/system/slow_call.h"
#include "core/gpu/live/live_engine.h"
#include "cuda/device/live/gl_interop.h"
#include "cuda/device/live/live_program.h"

namespace warplens::cuda {

class LiveGpu final : public LiveEngine {
 public:
  struct Options {
    bool share = true;               // false: always through host memory
    std::function<void()> on_event;  // called on another thread when a kernel is prepared
    std::chrono::milliseconds frame_limit{default_time_limit_ms};  // for one frame
    std::chrono::milliseconds patience{
        1000};  // limit of take_back(), and twice of the destructor; the window waits for both
  };
  LiveGpu(Driver driver, int ordinal, Options options);
  ~LiveGpu() override;

  void lend(OpenGlBuffers buffers) override;
  void take_back() override;
  std::optional<FramePath> path() const override { return m_path; }
  Result<bool> start(size_t slot, std::shared_ptr<const LaunchRequest> request) override;
  Result<std::vector<LiveFrame>> finished() override;
  bool busy() const override { return !m_running.empty() || m_preparing != nullptr; }
  BusTraffic traffic() const override;
  // The device's memory, to find leaks. Empty before the first frame.
  std::optional<Context::Memory> memory() const;

 private:
  // What a slot needs besides the window's buffer. The last two are only for frames that go through host
  // memory.
  struct Slot {
    Owned<CUevent> begin, end, landed;
    Owned<CUdeviceptr> picture;
    Owned<void*> host;
  };
  struct Opened {
    std::unique_ptr<Context> context;
    Owned<CUstream> stream;
    std::vector<Slot> slots;
  };
  struct Prepared {
    std::shared_ptr<Opened> opened;  // from the first preparation; declared first, since the program uses it
    std::unique_ptr<LiveProgram> program;
  };
  // The function to call when a kernel is prepared, as long as the engine exists.
  struct News {
    std::mutex mutex;
    std::function<void()> tell;
  };

  Result<bool> ready_for(const std::shared_ptr<const LaunchRequest>& request);
  static Result<std::shared_ptr<Opened>> open(const Driver& driver, int ordinal);
  static Result<Prepared> prepare(const Driver& driver, int ordinal, std::shared_ptr<Opened> opened,
                                  const std::shared_ptr<const LaunchRequest>& request);
  Result<void> choose_path();
  Result<void> make_stages();
  Result<std::optional<CUdeviceptr>> target(size_t slot);
  Result<void> enqueue(size_t slot, const LaunchRequest& request, CUdeviceptr target);
  Result<LiveFrame> complete(size_t slot);
  bool wait_for_all();
  void abandon();
  Error broken(Error error);

  Driver m_driver;
  int m_ordinal;
  Options m_options;
  std::shared_ptr<News> m_news;
  std::shared_ptr<Opened> m_opened;
  std::unique_ptr<LiveProgram> m_program;
  BusTraffic m_earlier, m_traffic;  // of earlier programs; of frames
  OpenGlBuffers m_lent;
  std::vector<GlBuffer> m_shared;
  std::optional<FramePath> m_path;
  std::string m_map_failure;  // if set, sharing ends as soon as no frame is running
  uint64_t m_stage_bytes = 0;
  struct Running {
    size_t slot;
    std::chrono::steady_clock::time_point since;
  };
  std::deque<Running> m_running;  // oldest first
  std::optional<Error> m_broken;  // the error that the context now always gives
  std::unique_ptr<SlowCall<Result<Prepared>>> m_preparing;
};

// Whether a live kernel of this process did not end. Then a call that waits for the device never returns;
// the driver makes such a call when the program exits.
bool live_kernel_left_running();

}  // namespace warplens::cuda
