// A value that takes too long to make within a frame: made beside it, kept until its inputs change.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <utility>

namespace warplens {

// `Key` says what the value was made of. The last value stays until the next is ready.
template <class Key, class Value>
class Built {
 public:
  // Starts `make` (a function without arguments that owns what it reads) when the key is new. `soon`: small
  // enough to be made at once.
  template <class Make>
  const Value* get(const Key& key, bool soon, Make make) {
    if (!m_wanted || !(*m_wanted == key)) {
      if (m_running.valid() && !soon) {
        take_if_ready();
        if (m_running.valid()) return m_value.get();  // one at a time; the newest key is seen next frame
      }
      m_wanted = key;
      if (soon) {
        m_running = {};
        m_value = std::make_shared<const Value>(make());
        return m_value.get();
      }
      m_asked_since_ready = 0;
      m_running = std::async(std::launch::async, [make] { return std::make_shared<const Value>(make()); });
    }
    take_if_ready();
    return m_value.get();
  }
  // Something is being made, or is ready and the panel has not had a frame to take it. A panel that is hidden
  // by now never takes it, and keeps nobody awake.
  bool busy() const {
    if (!m_running.valid()) return false;
    if (m_running.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return true;
    return m_asked_since_ready < patience && ++m_asked_since_ready > 0;
  }

 private:
  void take_if_ready() {
    if (m_running.valid() && m_running.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
      m_value = m_running.get();
  }

  std::optional<Key> m_wanted;
  std::shared_ptr<const Value> m_value;
  std::future<std::shared_ptr<const Value>> m_running;
  static constexpr int patience = 8;  // calls of busy(): a frame has a few
  mutable int m_asked_since_ready = 0;
};

}  // namespace warplens
