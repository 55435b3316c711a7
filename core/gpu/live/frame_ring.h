// Which slot of a live picture is whose: free, being written by the kernel, or being read by the drawing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/gpu/live/live_engine.h"

namespace warplens {

class FrameRing {
 public:
  enum class Slot : uint8_t { free, running, drawing };

  // One to start the next frame in. Empty: all are in use, or two frames wait for the kernel already, and a
  // third would only be older when it is shown.
  std::optional<size_t> next() const;
  void started(size_t slot) { m_slots.at(slot) = Slot::running; }
  // Its picture is read from now on, until release().
  void drawn(size_t slot) { m_slots.at(slot) = Slot::drawing; }
  void release(size_t slot) { m_slots.at(slot) = Slot::free; }
  void clear() { m_slots = {}; }

  Slot of(size_t slot) const { return m_slots.at(slot); }
  size_t running() const;

 private:
  static constexpr size_t most_running = 2;
  std::array<Slot, live_slots> m_slots{};
};

}  // namespace warplens
