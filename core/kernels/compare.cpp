// Element-wise comparison of two buffers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "core/kernels/catalogue.h"

namespace warplens {

namespace {

// A binary16 converted to float.
float half_value(uint16_t bits) {
  const uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, fraction = bits & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent == 0) {
    const float size = std::ldexp(static_cast<float>(fraction), -24);
    return sign ? -size : size;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

struct Half {
  uint16_t bits;
};

double value_of(Half half) { return static_cast<double>(half_value(half.bits)); }
template <class T>
double value_of(T value) {
  return static_cast<double>(value);
}

std::string shown(Half half) { return fmt::format("{}", half_value(half.bits)); }
template <class T>
std::string shown(T value) {
  if constexpr (std::is_integral_v<T>)
    return fmt::format("{}", +value);
  else
    return fmt::format("{}", value);  // the shortest text that gives exactly this number
}

template <class T>
T element(std::span<const std::byte> bytes, uint64_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
double finite_rms(std::span<const std::byte> bytes, uint64_t count) {
  double sum = 0;
  uint64_t finite = 0;
  for (uint64_t i = 0; i < count; ++i)
    if (const double value = value_of(element<T>(bytes, i)); std::isfinite(value))
      sum += value * value, ++finite;
  return finite == 0 ? 0 : std::sqrt(sum / static_cast<double>(finite));
}

template <class T>
void compare(Check& check, std::span<const std::byte> got, std::span<const std::byte> want, double rtol) {
  const double rms = rtol > 0 ? finite_rms<T>(want, check.elements) : 0;
  for (uint64_t i = 0; i < check.elements; ++i) {
    if (std::memcmp(&got[i * sizeof(T)], &want[i * sizeof(T)], sizeof(T)) == 0) continue;
    const T g = element<T>(got, i), w = element<T>(want, i);
    const double got_value = value_of(g), want_value = value_of(w);
    if (std::isnan(got_value) && std::isnan(want_value)) continue;
    const double distance = std::fabs(got_value - want_value);
    if (std::isfinite(distance)) {
      check.max_abs = std::max(check.max_abs, distance);
      if (want_value != 0) check.max_rel = std::max(check.max_rel, distance / std::fabs(want_value));
    }
    const bool finite = std::isfinite(got_value) && std::isfinite(want_value);
    if (rtol > 0 && finite && distance <= rtol * std::max(std::fabs(want_value), rms)) continue;
    if (check.mismatches++ == 0) {
      check.first_mismatch = i;
      check.message = fmt::format("{}[{}] is {}, but should be {}.", check.buffer, i, shown(g), shown(w));
    }
  }
  check.equal = check.mismatches == 0;
}

void compare_as(DType type, Check& check, std::span<const std::byte> got, std::span<const std::byte> want,
                double rtol) {
  switch (type) {
    case DType::u8:
      return compare<uint8_t>(check, got, want, rtol);
    case DType::i8:
      return compare<int8_t>(check, got, want, rtol);
    case DType::u16:
      return compare<uint16_t>(check, got, want, rtol);
    case DType::i16:
      return compare<int16_t>(check, got, want, rtol);
    case DType::u32:
      return compare<uint32_t>(check, got, want, rtol);
    case DType::i32:
      return compare<int32_t>(check, got, want, rtol);
    case DType::u64:
      return compare<uint64_t>(check, got, want, rtol);
    case DType::i64:
      return compare<int64_t>(check, got, want, rtol);
    case DType::f16:
      return compare<Half>(check, got, want, rtol);
    case DType::f32:
      return compare<float>(check, got, want, rtol);
    case DType::f64:
      return compare<double>(check, got, want, rtol);
  }
}

}  // namespace

Check compare_buffers(std::string_view name, DType type, std::span<const std::byte> got,
                      std::span<const std::byte> want, double rtol) {
  Check check;
  check.buffer = name;
  check.elements = want.size() / bytes_of(type);
  if (got.size() != want.size() || want.size() % bytes_of(type) != 0) {
    check.mismatches = check.elements;
    check.message = fmt::format("{} has {} bytes, but should have {} of type {}.", name, got.size(),
                                want.size(), numpy_name(type));
    return check;
  }
  compare_as(type, check, got, want, rtol);
  return check;
}

}  // namespace warplens
