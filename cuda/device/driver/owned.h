// A handle of the driver that is released when its owner is destroyed.
#pragma once

#include <functional>
#include <utility>

namespace warplens::cuda {

template <class Handle>
class Owned {
 public:
  Owned() = default;
  Owned(Handle handle, std::function<void(Handle)> release)
      : m_handle(handle), m_release(std::move(release)) {}
  Owned(Owned&& other) noexcept { swap(other); }
  Owned& operator=(Owned&& other) noexcept {
    Owned moved(std::move(other));
    swap(moved);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (m_release) m_release(m_handle);
  }

  Handle get() const { return m_handle; }
  explicit operator bool() const { return static_cast<bool>(m_release); }

 private:
  void swap(Owned& other) noexcept {
    std::swap(m_handle, other.m_handle);
    std::swap(m_release, other.m_release);
  }

  Handle m_handle{};
  std::function<void(Handle)> m_release;
};

}  // namespace warplens::cuda
