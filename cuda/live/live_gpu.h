// Live frames on a CUDA device: the kernel writes into the window's OpenGL buffers where the two can share
// memory, else into page-locked host memory. It runs in this process, so only what is known to end is given
// to it. A kernel that does not end all the same, with other numbers, is waited for no longer than the limit:
// then it and all that it may write to are left to it, and the engine answers with an error.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "core/base/system/slow_call.h"
#include "core/gpu/live/live_engine.h"
#include "cuda/live/gl_interop.h"
#include "cuda/live/live_program.h"

namespace warplens::cuda {

class LiveGpu final : public LiveEngine {
 public:
  struct Options {
    bool share = true;              // false: through host memory, whatever could be
    std::function<void()> on_news;  // called on a thread of its own when a kernel has been made ready
    std::chrono::milliseconds frame_limit{default_time_limit_ms};  // of one frame
    std::chrono::milliseconds patience{
        1000};  // of take_back() and, twice, the destructor, which the window waits for
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
  // The device's memory, for whoever looks for leaks; empty before the first frame.
  std::optional<Context::Memory> memory() const;

 private:
  // What a slot needs beside the window's buffer; the last two only where frames come through host memory.
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
    std::shared_ptr<Opened> opened;  // by the first one; before the program, which works in it
    std::unique_ptr<LiveProgram> program;
  };
  // Who is told that a kernel has been made ready, until the engine goes.
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
  BusTraffic m_earlier, m_traffic;  // of programs before this one, and of frames
  OpenGlBuffers m_lent;
  std::vector<GlBuffer> m_shared;
  std::optional<FramePath> m_path;
  std::string m_map_failure;  // sharing ends as soon as nothing is under way
  uint64_t m_stage_bytes = 0;
  struct Running {
    size_t slot;
    std::chrono::steady_clock::time_point since;
  };
  std::deque<Running> m_running;  // oldest first
  std::optional<Error> m_broken;  // the context answers nothing else any more
  std::unique_ptr<SlowCall<Result<Prepared>>> m_preparing;
};

// A live kernel of this process never ended: nothing that waits for the device, as the driver does when a
// program ends, would come back.
bool live_kernel_left_running();

}  // namespace warplens::cuda
