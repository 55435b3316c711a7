// A value that takes too long to make within a frame. It is made in the background and kept until its inputs
// change; where the system gives no thread, between two frames. A frame does not wait for it, and gets no
// exception from it.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/system/between_frames.h"

namespace warplens {

// `Key` identifies the inputs of the value and owns them: a mere address might belong to another object in
// the next frame.
template <class Key, class Value>
class Built {
 public:
  // If a value could not be made, it is tried again after this pause.
  std::chrono::milliseconds pause{2000};

  // Starts `make` (a function without arguments that owns what it reads) if the key is new. With `soon`, the
  // value is small enough to be made at once. The last value is returned until the next is ready. It is null
  // if there is none yet, or if it could not be made (why_not() says why).
  template <class Make>
  std::shared_ptr<const Value> get(const Key& key, bool soon, Make make) {
    if (is_due(key)) {
      if (soon) {
        m_superseded = m_running != nullptr;
        m_waits = false;
        m_wanted = key;
        settle(attempt(make));
        return m_value;
      }
      take_if_ready();
      m_waits = m_running != nullptr;
      if (m_waits) return m_value;  // one at a time; the next frame starts the newest key
      m_wanted = key;
      start(std::move(make));
    }
    take_if_ready();
    return m_value;
  }
  // "The map could not be made: out of memory". Empty if it was made, or is being made.
  std::string why_not(std::string_view what) const {
    return m_error.empty() ? "" : std::string(what) + " could not be made: " + m_error;
  }
  // Call it in every frame before the panels are drawn, because a panel that is hidden no longer asks for
  // the value.
  void collect() { take_if_ready(); }
  // Whether a value is being made, or is ready but was not fetched yet.
  bool busy() const { return m_running && (!m_superseded || m_waits); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Made {
    std::shared_ptr<const Value> value;
    std::string error;  // empty if there is a value
  };
  struct Job {
    Made made;
    std::atomic<bool> begun = false, ready = false;
  };
  struct Running {
    std::shared_ptr<Job> job = std::make_shared<Job>();
    std::optional<WorkBetweenFrames> later;  // may be in its midst when this ends: it owns the job too
    std::jthread thread;
  };

  // The text is short enough to need no allocation.
  template <class Make>
  static Made attempt(Make& make) {
    try {
      return {std::make_shared<const Value>(make()), ""};
    } catch (const std::bad_alloc&) {
      return {nullptr, "out of memory"};
    } catch (const std::exception& e) {
      return {nullptr, e.what()};
    } catch (...) {
      return {nullptr, "it failed"};
    }
  }
  bool is_due(const Key& key) const {
    if (!m_wanted || !(*m_wanted == key)) return true;
    return !m_error.empty() && Clock::now() - m_failed_at >= pause;
  }
  template <class Make>
  void start(Make make) {
    m_error.clear();
    try {
      m_running = std::make_unique<Running>();
      auto work = [make = std::make_shared<Make>(std::move(make)), job = m_running->job] {
        job->made = attempt(*make);
        job->ready = true;
      };
      if (auto thread = try_thread(work))
        m_running->thread = *std::move(thread);
      else
        m_running->later.emplace([work, job = m_running->job] {
          if (job->begun.exchange(true)) return false;
          work();
          return true;
        });
    } catch (const std::exception&) {  // no memory is available
      m_running.reset();
      settle({nullptr, "out of memory"});
    }
  }
  void settle(Made made) {
    m_value = std::move(made.value);
    m_error = std::move(made.error);
    if (!m_error.empty()) m_failed_at = Clock::now();
  }
  void take_if_ready() {
    if (!m_running || !m_running->job->ready) return;
    if (!m_superseded) settle(std::move(m_running->job->made));
    m_superseded = false;
    m_running.reset();
  }

  std::optional<Key> m_wanted;
  std::shared_ptr<const Value> m_value;
  std::string m_error;
  Clock::time_point m_failed_at{};
  std::unique_ptr<Running> m_running;
  bool m_superseded = false;  // the running work is for an older key than m_value
  bool m_waits = false;       // for its end, before the newest key is started
};

}  // namespace warplens
