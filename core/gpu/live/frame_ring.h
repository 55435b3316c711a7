// The state of each slot of a live picture: free, being written by the kernel, or being read for drawing.
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

  // A slot for the next frame. Empty if all are in use, or if two frames are already started: a third one
  // would only be older when it is shown.
  std::optional<size_t> next() const;
  void started(size_t slot) { m_slots.at(slot) = Slot::running; }
  // The slot's picture is read from now on, until release().
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
