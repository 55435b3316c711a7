// A call that may not come back for long, or never, as one into a driver that is stuck: it runs on a thread
// of its own, and whoever has no more time leaves it behind.
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

// A call that nobody waits for any more has still not come back. The end of the process would wait for its
// library, or take it away from under the call: leave with std::_Exit.
bool slow_calls_left();

namespace detail {
void count_left(int more);
}

template <class T>
class SlowCall {
 public:
  // `call` owns all that it reads, since it may outlive everything else, and throws nothing.
  explicit SlowCall(std::function<T()> call) : m_shared(std::make_shared<Shared>()) {
    std::thread([shared = m_shared, call = std::move(call)]() mutable {
      std::optional<T> value(call());
      call = nullptr;  // what it owns goes before anybody hears that it came back
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
    if (m_shared->value || m_taken) return;  // it has come back
    m_shared->left = true;
    detail::count_left(+1);
  }
  SlowCall(const SlowCall&) = delete;
  SlowCall& operator=(const SlowCall&) = delete;

  // True: it has come back. False: the time is up, or a stop was asked for.
  bool wait(std::chrono::milliseconds longest, const std::stop_token& stop = {}) {
    std::unique_lock lock(m_shared->mutex);
    return m_shared->came_back.wait_for(lock, stop, longest, [this] { return m_shared->value.has_value(); });
  }
  // Once it has come back.
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
