#include "core/kernels/fill.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/half.h"

namespace warplens {

namespace {

// splitmix64's output function (Steele, Lea and Flood, 2014): a counter becomes 64 good random bits.
uint64_t mixed(uint64_t counter) {
  uint64_t z = counter * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Rounding a value just below `high` may give `high` itself, which is not in the range.
double rounded_below(double value, double low, double high, DType type) {
  if (type == DType::f32) {
    const auto limit = static_cast<float>(high);
    float rounded = static_cast<float>(value);
    if (static_cast<double>(rounded) >= high) rounded = std::nextafter(limit, static_cast<float>(low));
    return static_cast<double>(rounded);
  }
  return value >= high && high > low ? std::nextafter(high, low) : value;
}

void store(Bytes& bytes, uint64_t index, uint64_t bits, uint32_t width) {
  std::memcpy(bytes.data() + index * width, &bits, width);  // little-endian, like the machines that run this
}

}  // namespace

uint64_t encode_scalar(expression::Value exact, DType type) {
  const double value = exact.number();
  switch (type) {
    case DType::f16:
      return f16_of(value);
    case DType::f32:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    case DType::f64:
      return std::bit_cast<uint64_t>(value);
    default:
      if (!exact.is_real()) return exact.bits();
      // For larger values the conversion is undefined in C++; ranges are checked before.
      if (std::isnan(value)) return 0;
      if (value >= 9223372036854775808.0)
        return static_cast<uint64_t>(std::min(value, 18446744073709549568.0));
      return static_cast<uint64_t>(static_cast<int64_t>(std::max(value, -9223372036854775808.0)));
  }
}

void fill_values(DType type, std::span<const expression::Value> values, uint64_t first, Bytes& bytes) {
  const uint32_t width = bytes_of(type);
  for (size_t i = 0; i < values.size(); ++i) store(bytes, first + i, encode_scalar(values[i], type), width);
}

Bytes fill_index(DType type, uint64_t elements) {
  const uint32_t width = bytes_of(type);
  Bytes bytes(elements * width);
  for (uint64_t i = 0; i < elements; ++i)
    store(bytes, i, is_float(type) ? encode_scalar(static_cast<double>(i), type) : i, width);
  return bytes;
}

Bytes fill_random(DType type, uint64_t elements, double low, double high, uint64_t seed, uint64_t stream) {
  const uint32_t width = bytes_of(type);
  const uint64_t base = mixed(mixed(seed + 1) + stream);
  Bytes bytes(elements * width);
  for (uint64_t i = 0; i < elements; ++i) {
    const double unit = static_cast<double>(mixed(base + i) >> 11) * 0x1p-53;  // [0, 1)
    const double value = low + unit * (high - low);
    store(bytes, i,
          encode_scalar(is_float(type) ? rounded_below(value, low, high, type) : std::floor(value), type),
          width);
  }
  return bytes;
}

}  // namespace warplens
