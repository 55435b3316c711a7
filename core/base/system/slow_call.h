// A call that may take long or never return, for example into a driver that is stuck. It runs on a thread of
// its own, so a caller that has no more time can abandon it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace warplens {

// Whether an abandoned call is still running. The process must then end with std::_Exit: a normal exit would
// wait for the library, or unload it while the call runs in it.
bool slow_calls_left();

namespace detail {
void count_left(int more);
}

template <class T>
class SlowCall {
 public:
  // `call` must own everything that it reads, since it may outlive its caller, and must not throw.
  explicit SlowCall(std::function<T()> call) : m_shared(std::make_shared<Shared>()) {
    std::thread([shared = m_shared, call = std::move(call)]() mutable {
      std::optional<T> value(call());
      call = nullptr;  // frees what it owns before the waiting thread is told
      std::unique_lock lock(shared->mutex);
      shared->value = std::move(value);
      shared->came_back.notify_all();
      if (!shared->left) return;
      shared->value.reset();
      detail::count_left(-1);
    }).detach();
  }
  ~SlowCall() {
    const std::lock_guard lock(m_shared->mutex);
    if (m_shared->value || m_taken) return;  // the call has returned
    m_shared->left = true;
    detail::count_left(+1);
  }
  SlowCall(const SlowCall&) = delete;
  SlowCall& operator=(const SlowCall&) = delete;

  // True if the call has returned; false if the time is up or a stop was requested.
  bool wait(std::chrono::milliseconds longest, const std::stop_token& stop = {}) {
    std::unique_lock lock(m_shared->mutex);
    return m_shared->came_back.wait_for(lock, stop, longest, [this] { return m_shared->value.has_value(); });
  }
  // The value of the call. Use it only after the call has returned.
  T take() {
    const std::lock_guard lock(m_shared->mutex);
    m_taken = true;
    return *std::exchange(m_shared->value, std::nullopt);
  }

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable_any came_back;
    std::optional<T> value;
    bool left = false;
  };
  std::shared_ptr<Shared> m_shared;
  bool m_taken = false;
};

}  // namespace warplens
