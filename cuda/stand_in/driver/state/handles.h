// The object that a handle names, or nothing if it is not valid: programs may pass anything.
#pragma once

#include <memory>
#include <unordered_map>

namespace warplens::driver {

template <class T>
class Handles {
 public:
  T* add(std::unique_ptr<T> made) {
    T* handle = made.get();
    m_all.emplace(handle, std::move(made));
    return handle;
  }
  T* find(const void* handle) const {
    const auto at = m_all.find(handle);
    return at == m_all.end() ? nullptr : at->second.get();
  }
  std::unique_ptr<T> take(const void* handle) {
    const auto at = m_all.find(handle);
    if (at == m_all.end()) return nullptr;
    auto taken = std::move(at->second);
    m_all.erase(at);
    return taken;
  }
  size_t size() const { return m_all.size(); }
  template <class F>
  void for_each(F f) const {
    for (const auto& [handle, made] : m_all) f(*made);
  }
  template <class F>
  void erase_if(F f) {
    std::erase_if(m_all, [&](const auto& row) { return f(*row.second); });
  }

 private:
  std::unordered_map<const void*, std::unique_ptr<T>> m_all;
};

}  // namespace warplens::driver
