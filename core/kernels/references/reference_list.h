// Helpers that the CPU references share, and the lists of references, one for each file.
#pragma once

#include <algorithm>
#include <bit>
#include <span>

#include "core/base/system/between_frames.h"
#include "core/kernels/references/references.h"

namespace warplens {

// About a millisecond of work. If the reference and the window share a thread, a frame may run after that.
constexpr int64_t operations_before_a_frame = 1 << 17;

// Buffers are allocated with operator new, so they are aligned for every element type.
template <class T>
std::span<T> elements(const HostArgument& argument) {
  return {reinterpret_cast<T*>(argument.bytes.data()), argument.bytes.size() / sizeof(T)};
}

inline int integer(const HostArgument& argument) {
  return std::bit_cast<int32_t>(static_cast<uint32_t>(argument.scalar.bits));
}
inline float real(const HostArgument& argument) {
  return std::bit_cast<float>(static_cast<uint32_t>(argument.scalar.bits));
}
// A count of elements. 0 if it is negative, since no thread then passes the bounds check.
inline size_t count(const HostArgument& argument) {
  return static_cast<size_t>(std::max(integer(argument), 0));
}
inline size_t area(int width, int height) {
  return width <= 0 || height <= 0 ? 0 : static_cast<size_t>(width) * static_cast<size_t>(height);
}

// GPUs convert floats outside of the integer's range to its nearest value, and NaN to 0.
inline uint8_t to_byte(float value) {
  constexpr float beyond = 4294967296.f;  // the kernels convert to 32 bits and keep the low 8
  if (!(value > 0)) return 0;
  return static_cast<uint8_t>(value >= beyond ? 0xffffffffu : static_cast<uint32_t>(value));
}

struct ReferenceRow {
  std::string_view name;
  Reference reference;
};

std::span<const ReferenceRow> picture_references();
std::span<const ReferenceRow> element_references();
std::span<const ReferenceRow> matrix_references();
std::span<const ReferenceRow> sum_references();
std::span<const ReferenceRow> texture_references();

}  // namespace warplens
