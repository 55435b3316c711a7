// The number of measurements, and the size of the array that clears the L2 cache.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace warplens::cuda {

constexpr uint32_t most_samples = 20;               // if the number is not given
constexpr std::chrono::milliseconds patience{400};  // for all samples

// The number of samples that fit, if the first one took this long.
inline uint32_t samples_within_patience(std::chrono::steady_clock::duration first) {
  const double fit = std::chrono::duration<double>(patience) / std::chrono::duration<double>(first);
  return static_cast<uint32_t>(std::clamp(fit, 0.0, double(most_samples)));
}

// After an array of this size is overwritten, the L2 cache holds nothing else.
inline uint64_t flush_bytes_of(std::optional<uint64_t> l2_bytes) {
  constexpr uint64_t least = 16 << 20;
  return std::max<uint64_t>(least, 2 * l2_bytes.value_or(0));
}

}  // namespace warplens::cuda
