#include "core/gpu/live/virtual_live.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/launch/backend.h"

namespace warplens {

namespace {

// Runs one frame at a time: a second one in the queue would only be older when its turn comes.
class VirtualLive final : public LiveEngine {
 public:
  explicit VirtualLive(std::function<void()> on_event)
      : m_on_event(std::move(on_event)), m_thread([this](std::stop_token quit) { work(quit); }) {}

  ~VirtualLive() override {
    take_back();
    m_thread.request_stop();
    m_wake.notify_all();
  }

  void lend(OpenGlBuffers) override {}

  void take_back() override {
    std::unique_lock lock(m_mutex);
    m_order.reset();
    m_stop.request_stop();
    m_idle.wait(lock, [this] { return !m_at_work; });
    m_ready.reset();
    m_error.reset();
  }

  std::optional<FramePath> path() const override {
    return FramePath{false, "The virtual GPU computes on this machine's processor.", ""};
  }

  Result<bool> start(size_t slot, std::shared_ptr<const LaunchRequest> request) override {
    if (slot >= live_slots) return bad_input("There is no such slot for a live frame.");
    if (!live_output(*request))
      return bad_input("This kernel writes no picture, so there is none to show live.");
    {
      std::lock_guard lock(m_mutex);
      if (m_order || m_at_work || m_ready || m_error) return false;
      m_order = Order{slot, std::move(request)};
      m_stop = std::stop_source();
    }
    m_wake.notify_all();
    return true;
  }

  Result<std::vector<LiveFrame>> finished() override {
    std::lock_guard lock(m_mutex);
    if (m_error) return *std::exchange(m_error, std::nullopt);
    std::vector<LiveFrame> frames;
    if (auto ready = std::exchange(m_ready, std::nullopt)) {
      std::shared_ptr<const Bytes>& kept = m_pictures.at(ready->slot);
      kept = std::move(ready->picture);
      frames.push_back({ready->slot, ready->ms, {kept->data(), kept->size()}});
    }
    return frames;
  }

  bool busy() const override {
    std::lock_guard lock(m_mutex);
    return m_order || m_at_work || m_ready || m_error;
  }

  BusTraffic traffic() const override { return {}; }

 private:
  struct Order {
    size_t slot;
    std::shared_ptr<const LaunchRequest> request;
  };
  struct Ready {
    size_t slot;
    double ms;
    std::shared_ptr<const Bytes> picture;
  };

  void work(std::stop_token quit) {
    std::unique_lock lock(m_mutex);
    while (m_wake.wait(lock, quit, [this] { return m_order.has_value(); })) {
      const Order order = *std::exchange(m_order, std::nullopt);
      const std::stop_token stop = m_stop.get_token();
      m_at_work = true;
      lock.unlock();
      Result<Ready> ready = run(order, stop);
      lock.lock();
      m_at_work = false;
      if (!stop.stop_requested()) {
        if (ready)
          m_ready = std::move(*ready);
        else
          m_error = ready.error();
      }
      m_idle.notify_all();
      lock.unlock();
      if (m_on_event) m_on_event();
      lock.lock();
    }
  }

  Result<Ready> run(const Order& order, std::stop_token stop) {
    try {
      auto request = std::make_shared<LaunchRequest>(*order.request);
      request->observe = Observe::none;
      request->record_writers = request->record_blocks = false;
      request->repeat = 1;
      // One core is left to the window, but not if there are only two: the window needs little, and half is
      // much.
      const unsigned cores = std::max(std::thread::hardware_concurrency(), 1u);
      request->workers = cores > 2 ? cores - 1 : cores;
      Result<RunResult> result = m_backend->run(std::move(request), stop, nullptr);
      if (!result) return result.error();
      if (result->status != RunStatus::ok) return failed(result->message);
      const uint32_t shown = *live_output(*order.request);
      for (const OutputBuffer& output : result->outputs)
        if (output.index == shown && output.bytes)
          return Ready{order.slot, result->host.execute_ms, output.bytes};
      return failed("The kernel handed back no picture.");
    } catch (const std::bad_alloc&) {
      return failed("There is not enough memory for a live picture of this size.");
    } catch (const std::exception& e) {
      return failed(std::string("The program failed inside: ") + e.what());
    }
  }

  std::function<void()> m_on_event;
  std::unique_ptr<Backend> m_backend = make_virtual_gpu();  // worker only
  mutable std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::condition_variable m_idle;
  std::optional<Order> m_order;
  std::optional<Ready> m_ready;
  std::optional<Error> m_error;
  bool m_at_work = false;
  std::stop_source m_stop;
  std::array<std::shared_ptr<const Bytes>, live_slots> m_pictures;  // window's thread only
  std::jthread m_thread;                                            // last: it uses all of the above
};

}  // namespace

std::unique_ptr<LiveEngine> make_virtual_live(std::function<void()> on_event) {
  return std::make_unique<VirtualLive>(std::move(on_event));
}

}  // namespace warplens
