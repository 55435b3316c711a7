// Single values of calls: on the host or on the device, by the pointer mode of a handle.
#pragma once

#include "cuda/stand_in/libraries/shared/memory.h"

namespace warplens::libraries {

// alpha, beta and their like: a value of the host, read now, or where it is on the device.
template <class T>
class Scalar {
 public:
  Scalar() = default;
  Scalar(bool on_device, const void* pointer) : m_address(pointer) {
    if (on_device || pointer == nullptr) return;
    m_value = *static_cast<const T*>(pointer);
    m_address = nullptr;
  }
  // Whether it was there.
  bool read(const Memory& memory, T& to) const {
    to = m_value;
    if (m_address == nullptr) return true;
    const T* found = memory.array<const T>(m_address, 1, warplens_reads);
    if (found != nullptr) to = *found;
    return found != nullptr;
  }

 private:
  T m_value{};
  const void* m_address = nullptr;
};

// A result: written to the host, or to the device.
template <class T>
class Result {
 public:
  Result(bool on_device, T* to) : m_to(to), m_on_device(on_device) {}
  bool waits() const { return !m_on_device; }
  bool write(const Memory& memory, T value) const {
    T* to = m_on_device ? memory.array<T>(m_to, 1, warplens_writes) : m_to;
    if (to != nullptr) *to = value;
    return to != nullptr;
  }

 private:
  T* m_to;
  bool m_on_device;
};

}  // namespace warplens::libraries
