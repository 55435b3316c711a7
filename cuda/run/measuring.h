// How often things are measured, and behind what.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace warplens::cuda {

constexpr uint32_t most_samples = 20;               // of what does not say how many
constexpr std::chrono::milliseconds patience{400};  // for all of them

// As many as fit, where one took so long.
inline uint32_t samples_within_patience(std::chrono::steady_clock::duration first) {
  const double fit = std::chrono::duration<double>(patience) / std::chrono::duration<double>(first);
  return static_cast<uint32_t>(std::clamp(fit, 0.0, double(most_samples)));
}

// An array of this size, overwritten, leaves nothing else in the L2 cache.
inline uint64_t flush_bytes_of(std::optional<uint64_t> l2_bytes) {
  constexpr uint64_t least = 16 << 20;
  return std::max<uint64_t>(least, 2 * l2_bytes.value_or(0));
}

}  // namespace warplens::cuda
