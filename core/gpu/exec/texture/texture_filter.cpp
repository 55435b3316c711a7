// How a texture unit computes a value from texels and weights: the same bits as on the H200.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/half.h"
#include "core/gpu/exec/state/texture.h"

namespace warplens::exec {

namespace {

bool is_signed(DType type) { return type == DType::i8 || type == DType::i16 || type == DType::i32; }

uint32_t channel_bits(const TextureSpec& spec, const std::byte* texel, uint32_t channel) {
  const uint32_t bytes = bytes_of(spec.type);
  uint32_t bits = 0;
  std::memcpy(&bits, texel + channel * bytes, bytes);
  if (is_signed(spec.type) && bytes < 4) {
    const uint32_t shift = 32 - 8 * bytes;
    bits = static_cast<uint32_t>(static_cast<int32_t>(bits << shift) >> shift);
  }
  return bits;
}

// Integers are mixed exactly, and become 16 bits: ties round up, and the result is never below -1.
uint32_t mixed_integers(const TextureSpec& spec, const Taps& taps, uint32_t channel) {
  int64_t sum = 0;  // in 256ths
  for (uint32_t i = 0; i < taps.count; ++i) {
    const Tap& tap = taps.list[i];
    if (tap.texel == nullptr || tap.outside || tap.weight == 0) continue;
    const uint32_t bits = channel_bits(spec, tap.texel, channel);
    sum += int64_t{tap.weight} * (is_signed(spec.type) ? int64_t{static_cast<int32_t>(bits)} : int64_t{bits});
  }
  int64_t value = (sum + 128) >> 8;
  if (spec.type == DType::u8) value = (sum * 257 + 128) >> 8;
  // 127 becomes 32767: part of the sum's 15 bits is repeated below them.
  if (spec.type == DType::i8) value = sum + ((sum + 64 + 16 * (sum >> 12)) >> 7);
  if (is_signed(spec.type)) value = std::max<int64_t>(value, -32767);
  const double largest = is_signed(spec.type) ? 32767.0 : 65535.0;
  return std::bit_cast<uint32_t>(static_cast<float>(static_cast<double>(value) / largest));
}

// Ties round away from zero.
float rounded(double value) {
  const auto nearest = static_cast<float>(value);
  const float away = std::nextafter(nearest, value > 0 ? INFINITY : -INFINITY);
  return std::abs(away - value) == std::abs(value - nearest) ? away : nearest;
}

double float_of(const TextureSpec& spec, const Tap& tap, uint32_t channel) {
  const uint32_t bits = channel_bits(spec, tap.texel, channel);
  if (spec.type == DType::f16) return double{float_of_f16(static_cast<uint16_t>(bits))};
  return double{std::bit_cast<float>(bits)};
}

// The sum of one pass in 256ths, and the exponent of its largest texel.
struct FilterPass {
  double sum = 0;
  int exponent = -1074;
  bool finite = true;
};

// After the leading bit of the largest texel that takes part, this many bits of each are kept: four more than
// the type has.
int kept_bits(DType type) { return type == DType::f16 ? 14 : 27; }

FilterPass pass_of(const TextureSpec& spec, const Taps& taps, uint32_t first, uint32_t channel) {
  FilterPass pass;
  std::array<double, Taps::a_pass> value{};
  for (uint32_t i = 0; i < Taps::a_pass; ++i) {
    const Tap& tap = taps.list[first + i];
    if (tap.texel == nullptr || tap.outside || tap.weight == 0) continue;
    value[i] = float_of(spec, tap, channel);
    pass.finite = pass.finite && std::isfinite(value[i]);
    if (value[i] != 0 && pass.finite) pass.exponent = std::max(pass.exponent, std::ilogb(value[i]));
  }
  const int unit = pass.exponent - kept_bits(spec.type);
  for (uint32_t i = 0; i < Taps::a_pass; ++i) {
    const double kept = pass.finite ? std::ldexp(std::trunc(std::ldexp(value[i], -unit)), unit) : value[i];
    pass.sum += kept * taps.list[first + i].weight;
  }
  return pass;
}

// Bits of the other pass below the last bit of the pass with the larger texels are cut off, downwards.
FilterPass together(const TextureSpec& spec, const FilterPass& a, const FilterPass& b) {
  FilterPass both{a.sum + b.sum, std::max(a.exponent, b.exponent), a.finite && b.finite};
  if (!both.finite) return both;
  const int unit = both.exponent - kept_bits(spec.type) - 1;
  both.sum = std::ldexp(std::floor(std::ldexp(a.sum, -unit)) + std::floor(std::ldexp(b.sum, -unit)), unit);
  return both;
}

uint32_t mixed_floats(const TextureSpec& spec, const Taps& taps, uint32_t channel) {
  // A single texel: the code below returns it unchanged, but -0 as 0.
  if (taps.count == 1 && spec.type == DType::f32 && !taps.list[0].outside) {
    const auto value = std::bit_cast<float>(channel_bits(spec, taps.list[0].texel, channel));
    if (std::isfinite(value)) return std::bit_cast<uint32_t>(value + 0.0f);
  }
  FilterPass all = pass_of(spec, taps, 0, channel);
  for (uint32_t first = Taps::a_pass; first < taps.count; first += Taps::a_pass)
    all = together(spec, all, pass_of(spec, taps, first, channel));
  const double mix = all.sum / 256;
  if (spec.type == DType::f32) return std::bit_cast<uint32_t>(rounded(mix));
  return std::bit_cast<uint32_t>(float_of_f16(f16_of<Rounding::nearest_away>(mix)));
}

}  // namespace

// The result of a point read: the float, or the unchanged integer.
uint32_t point_bits(const TextureSpec& spec, const Tap& tap, uint32_t channel) {
  if (tap.texel == nullptr || tap.outside || channel >= spec.channels) return 0;
  const uint32_t bits = channel_bits(spec, tap.texel, channel);
  if (spec.type == DType::f16) return std::bit_cast<uint32_t>(float_of_f16(static_cast<uint16_t>(bits)));
  if (is_float(spec.type) || !spec.normalized_read) return bits;
  double value = bits;
  if (is_signed(spec.type)) value = static_cast<int32_t>(bits);
  const double largest =
      std::ldexp(1.0, static_cast<int>(8 * bytes_of(spec.type)) - (is_signed(spec.type) ? 1 : 0)) - 1;
  return std::bit_cast<uint32_t>(static_cast<float>(std::max(value / largest, -1.0)));
}

TexelBits value_of(const TextureSpec& spec, const Taps& taps) {
  TexelBits result{};
  for (uint32_t c = 0; c < spec.channels; ++c) {
    result[c] = !taps.mixed           ? point_bits(spec, taps.list[0], c)
                : is_float(spec.type) ? mixed_floats(spec, taps, c)
                                      : mixed_integers(spec, taps, c);
  }
  return result;
}

}  // namespace warplens::exec
