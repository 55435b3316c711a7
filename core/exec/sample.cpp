// How a texture unit makes a value of texels: the CUDA C++ Programming Guide's "Texture Fetching", in the
// arithmetic of the H200, to the bit. Coordinates have 8 bits behind the point between two texels; a weight
// of several dimensions is rounded to 8 bits again; the mix is exact and rounded once.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/half.h"
#include "core/base/texture.h"
#include "core/exec/texture.h"

namespace warplens::exec {

namespace {

// Normalised coordinates are cut to this many bits behind the point.
constexpr int coordinate_bits = 21;
constexpr int64_t one = int64_t{1} << coordinate_bits;

bool is_signed(DType type) { return type == DType::i8 || type == DType::i16 || type == DType::i32; }
bool is_float(DType type) { return type == DType::f16 || type == DType::f32; }

// Along one dimension: the lower texel, the weight of the upper one in 256ths, and which texel a number
// means.
struct Axis {
  int64_t first = 0;
  uint32_t weight = 0;
  int64_t size = 1;
  TextureAddress mode = TextureAddress::clamp;
  bool mirrored = false;

  // -1: the border
  int64_t place(uint32_t upper) const {
    int64_t i = first + upper;
    if (mode == TextureAddress::border) return i >= 0 && i < size ? i : -1;
    if (mode == TextureAddress::wrap) return (i % size + size) % size;
    i = std::clamp<int64_t>(i, 0, size - 1);
    return mirrored ? size - 1 - i : i;
  }
};

// Far beyond any texture, so that the arithmetic below does not overflow. Not a number: 0.
double tamed(float x) {
  if (std::isnan(x)) return 0;
  return std::clamp<double>(x, -1e9, 1e9);
}

Axis axis_of(const TextureSpec& spec, uint32_t dimension, float coordinate) {
  Axis axis;
  axis.size = dimension == 0 ? spec.width : dimension == 1 ? spec.height : spec.depth;
  axis.mode = spec.address[dimension];
  double at = tamed(coordinate);
  if (spec.normalized) {
    auto cut = static_cast<int64_t>(std::floor(at * one));
    if (axis.mode == TextureAddress::wrap || axis.mode == TextureAddress::mirror) {
      const int64_t period = cut >> coordinate_bits;
      cut &= one - 1;
      axis.mirrored = axis.mode == TextureAddress::mirror && (period & 1) != 0;
    }
    at = static_cast<double>(cut) * static_cast<double>(axis.size) / one;
  } else if (axis.mode != TextureAddress::border) {
    axis.mode = TextureAddress::clamp;  // the guide: wrap and mirror need normalised coordinates
  }
  if (spec.linear) {
    const auto place = static_cast<int64_t>(std::floor((at - 0.5) * 256 + 0.5));
    axis.first = place >> 8;
    axis.weight = static_cast<uint32_t>(place & 255);
  } else {
    axis.first = static_cast<int64_t>(std::floor(at));
  }
  return axis;
}

uint64_t texel_index(const TextureSpec& spec, int64_t x, int64_t y, int64_t z) {
  return (static_cast<uint64_t>(z) * spec.height + static_cast<uint64_t>(y)) * spec.width +
         static_cast<uint64_t>(x);
}

uint32_t channel_bits(const Texture& texture, uint64_t texel, uint32_t channel) {
  const uint32_t bytes = bytes_of(texture.spec.type);
  uint32_t bits = 0;
  std::memcpy(&bits, texture.texels + (texel * texture.spec.channels + channel) * bytes, bytes);
  if (is_signed(texture.spec.type) && bytes < 4) {
    const uint32_t shift = 32 - 8 * bytes;
    bits = static_cast<uint32_t>(static_cast<int32_t>(bits << shift) >> shift);
  }
  return bits;
}

// 8 bits are widened to 16 by repeating them, so that the mix is one of 16 bits.
double channel_value(const Texture& texture, uint64_t texel, uint32_t channel) {
  const uint32_t bits = channel_bits(texture, texel, channel);
  switch (texture.spec.type) {
    case DType::f32:
      return std::bit_cast<float>(bits);
    case DType::f16:
      return float_of_f16(static_cast<uint16_t>(bits));
    case DType::u8:
      return bits * 257.0;
    case DType::i8:
      return std::round(std::max(static_cast<int32_t>(bits), -127) * 32767.0 / 127.0);
    case DType::i16:
      return std::max(static_cast<int32_t>(bits), -32767);
    default:
      return bits;
  }
}

// Ties go away from zero.
float rounded(double value) {
  const auto nearest = static_cast<float>(value);
  const float away = std::nextafter(nearest, value > 0 ? INFINITY : -INFINITY);
  return std::abs(away - value) == std::abs(value - nearest) ? away : nearest;
}

uint32_t result_bits(const TextureSpec& spec, double mix) {
  switch (spec.type) {
    case DType::f32:
      return std::bit_cast<uint32_t>(rounded(mix));
    case DType::f16:
      return std::bit_cast<uint32_t>(float_of_f16(f16_of<Rounding::nearest_away>(mix)));
    case DType::u8:
    case DType::u16:
      return std::bit_cast<uint32_t>(static_cast<float>(std::round(mix) / 65535.0));
    default:
      return std::bit_cast<uint32_t>(static_cast<float>(std::round(mix) / 32767.0));
  }
}

// What a point read gives: the float, or the integer as it is.
uint32_t point_bits(const Texture& texture, uint64_t texel, uint32_t channel) {
  const TextureSpec& spec = texture.spec;
  const uint32_t bits = channel_bits(texture, texel, channel);
  if (spec.type == DType::f16) return std::bit_cast<uint32_t>(float_of_f16(static_cast<uint16_t>(bits)));
  if (is_float(spec.type) || !spec.normalized_read) return bits;
  double value = bits;
  if (is_signed(spec.type)) value = static_cast<int32_t>(bits);
  const double largest =
      std::ldexp(1.0, static_cast<int>(8 * bytes_of(spec.type)) - (is_signed(spec.type) ? 1 : 0)) - 1;
  return std::bit_cast<uint32_t>(static_cast<float>(std::max(value / largest, -1.0)));
}

struct Corner {
  uint32_t weight = 0;
  uint32_t upper = 0;  // bit d: the upper texel along dimension d
};

// The weights of 2ⁿ corners in 256ths. The last dimension is split off first.
uint32_t corners_of(const std::array<Axis, 3>& axes, uint32_t dimensions, std::array<Corner, 8>& corners) {
  const uint32_t a = axes[0].weight;
  if (dimensions == 1) {
    corners[0] = {256 - a, 0};
    corners[1] = {a, 1};
    return 2;
  }
  const uint32_t other = dimensions == 2 ? 1 : 2;
  const uint32_t b = axes[other].weight, both = (a * b + 128) >> 8;
  corners[0] = {256 - a - b + both, 0};
  corners[1] = {a - both, 1};
  corners[2] = {b - both, 1u << other};
  corners[3] = {both, 1 | 1u << other};
  if (dimensions == 2) return 4;
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t upper = (corners[i].weight * axes[1].weight + 127) >> 8;
    corners[i + 4] = {upper, corners[i].upper | 2};
    corners[i].weight -= upper;
  }
  return 8;
}

uint32_t clamped_layer(const TextureSpec& spec, uint32_t layer) { return std::min(layer, spec.depth - 1); }

}  // namespace

TexelBits sample(const Texture& texture, const std::array<float, 3>& at, uint32_t dimensions,
                 uint32_t layer) {
  const TextureSpec& spec = texture.spec;
  TexelBits result{};
  // The unit reads a line as a plane of one row, at its upper edge.
  const bool line = dimensions == 1 && spec.linear && spec.shape != TextureShape::linear;
  const uint32_t used = line ? 2 : dimensions;
  std::array<Axis, 3> axes{};
  for (uint32_t d = 0; d < used; ++d) axes[d] = axis_of(spec, d, d < dimensions ? at[d] : 0);
  std::array<Corner, 8> corners{};
  corners[0].weight = 256;
  const uint32_t count = spec.linear ? corners_of(axes, used, corners) : 1;
  std::array<double, 4> mix{};
  for (uint32_t i = 0; i < count; ++i) {
    std::array<int64_t, 3> place{};
    bool inside = corners[i].weight != 0;
    for (uint32_t d = 0; d < used; ++d) {
      place[d] = axes[d].place(corners[i].upper >> d & 1);
      inside = inside && place[d] >= 0;
    }
    if (!inside) continue;
    if (dimensions < 3) place[2] = spec.depth > 1 ? clamped_layer(spec, layer) : 0;
    const uint64_t texel = texel_index(spec, place[0], place[1], place[2]);
    for (uint32_t c = 0; c < spec.channels; ++c) {
      if (!spec.linear) result[c] = point_bits(texture, texel, c);
      if (spec.linear) mix[c] += corners[i].weight * channel_value(texture, texel, c);
    }
  }
  if (!spec.linear) return result;
  for (uint32_t c = 0; c < spec.channels; ++c) result[c] = result_bits(spec, mix[c] / 256);
  return result;
}

TexelBits fetch(const Texture& texture, const std::array<int32_t, 3>& at, uint32_t dimensions,
                uint32_t layer) {
  const TextureSpec& spec = texture.spec;
  TexelBits result{};
  // Lines are fetched of linear memory only; of an array the unit gives 0.
  if (spec.shape == TextureShape::one) return result;
  std::array<int64_t, 3> place{};
  for (uint32_t d = 0; d < dimensions; ++d) {
    const int64_t size = d == 0 ? spec.width : d == 1 ? spec.height : spec.depth;
    if (at[d] < 0 || at[d] >= size) return result;  // whatever the address mode
    place[d] = at[d];
  }
  if (dimensions < 3 && spec.depth > 1) place[2] = clamped_layer(spec, layer);
  const uint64_t texel = texel_index(spec, place[0], place[1], place[2]);
  for (uint32_t c = 0; c < spec.channels; ++c) result[c] = point_bits(texture, texel, c);
  return result;
}

TexelBits gather(const Texture& texture, const std::array<float, 3>& at, uint32_t component) {
  Texture smooth = texture;
  smooth.spec.linear = true;
  const Axis x = axis_of(smooth.spec, 0, at[0]), y = axis_of(smooth.spec, 1, at[1]);
  constexpr uint32_t corner[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  TexelBits result{};
  for (uint32_t i = 0; i < 4; ++i) {
    const int64_t px = x.place(corner[i][0]), py = y.place(corner[i][1]);
    if (px < 0 || py < 0 || component >= texture.spec.channels) continue;
    result[i] = point_bits(texture, texel_index(texture.spec, px, py, 0), component);
  }
  return result;
}

}  // namespace warplens::exec
