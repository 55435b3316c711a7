#include "core/gpu/live/frame_ring.h"

#include <algorithm>

namespace warplens {

std::optional<size_t> FrameRing::next() const {
  if (running() >= most_running) return std::nullopt;
  const auto found = std::find(m_slots.begin(), m_slots.end(), Slot::free);
  if (found == m_slots.end()) return std::nullopt;
  return static_cast<size_t>(found - m_slots.begin());
}

size_t FrameRing::running() const {
  return static_cast<size_t>(std::count(m_slots.begin(), m_slots.end(), Slot::running));
}

std::optional<uint32_t> live_output(const LaunchRequest& request) {
  for (uint32_t i = 0; i < request.buffers.size(); ++i) {
    const BufferSpec& spec = request.buffers[i];
    const bool channels = spec.channels == 1 || spec.channels == 3 || spec.channels == 4;
    if (!spec.output || spec.dtype != DType::u8 || !channels || spec.width == 0 || spec.height == 0) continue;
    if (spec.bytes == uint64_t{spec.width} * spec.height * spec.channels) return i;
  }
  return std::nullopt;
}

}  // namespace warplens
