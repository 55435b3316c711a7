// Which texels a read takes, and with which weights: "Texture Fetching" of the CUDA C++ Programming Guide, as
// the H200 does it. Coordinates have 8 fractional bits between two texels. Weights are multiples of 1/256:
// 256 is split between two mipmap levels or slices first, then between columns, then between rows, with
// rounding each time.
#include <algorithm>
#include <cmath>

#include "core/gpu/exec/state/texture.h"
#include "core/gpu/exec/texture/coordinate.h"

namespace warplens::exec {

namespace {

// One dimension of a read: the lower texel, the weight of the upper one in 256ths, and the texel for an
// index.
struct Axis {
  int64_t first = 0;
  uint32_t weight = 0;
  int64_t size = 1;
  TextureAddress mode = TextureAddress::clamp;
  bool mirrored = false;

  bool outside(uint32_t upper) const {
    return mode == TextureAddress::border && (first + upper < 0 || first + upper >= size);
  }
  int64_t place(uint32_t upper) const {
    int64_t i = first + upper;
    if (mode == TextureAddress::wrap) return (i % size + size) % size;
    i = std::clamp<int64_t>(i, 0, size - 1);
    return mirrored ? size - 1 - i : i;
  }
};

// Limits a coordinate to a range far larger than any texture, so that the arithmetic below does not overflow.
// NaN becomes 0.
double tamed(float x) {
  if (std::isnan(x)) return 0;
  return std::clamp<double>(x, -1e9, 1e9);
}

void split_at(Axis& axis, double texels, bool linear) {
  if (!linear) {
    axis.first = floored(texels);
    return;
  }
  const auto place = floored((texels - 0.5) * 256 + 0.5);
  axis.first = place >> 8;
  axis.weight = static_cast<uint32_t>(place & 255);
}

// One level of a texture.
struct Level {
  const Texture& texture;
  std::array<int64_t, 3> size{};
  const std::byte* texels = nullptr;
  uint64_t row_bytes = 0;

  Level(const Texture& of, uint32_t level) : texture(of), texels(of.texels) {
    const TextureSpec& spec = of.spec;
    for (uint32_t below = 0; below < level; ++below) texels += spec.level_bytes(below);
    size = {spec.width_of(level), spec.height_of(level), spec.depth_of(level)};
    row_bytes = spec.row_bytes(level);
  }
  const std::byte* at(int64_t x, int64_t y, int64_t z) const {
    const auto row = static_cast<uint64_t>(z * size[1] + y);
    return texels + row * row_bytes + static_cast<uint64_t>(x) * texture.spec.texel_bytes();
  }
};

// At an edge both texels may be the same; then the weight is not split.
void settle(Axis& axis) {
  const bool same = axis.place(0) == axis.place(1) && axis.outside(0) == axis.outside(1);
  if (same) axis.weight = 0;
}

// A coordinate from 0 to 1.
Axis axis_of_part(int64_t size, TextureAddress mode, double part, bool linear) {
  Axis axis{.size = size, .mode = mode};
  auto cut = floored(part * coordinate_one);
  if (mode == TextureAddress::wrap || mode == TextureAddress::mirror) {
    const int64_t period = cut >> coordinate_bits;
    cut &= coordinate_one - 1;
    axis.mirrored = mode == TextureAddress::mirror && (period & 1) != 0;
  }
  split_at(axis, static_cast<double>(cut) * static_cast<double>(size) / coordinate_one, linear);
  settle(axis);
  return axis;
}

Axis axis_of(const Level& level, uint32_t dimension, float coordinate, bool linear) {
  const TextureSpec& spec = level.texture.spec;
  const int64_t size = level.size[dimension];
  TextureAddress mode = spec.address[dimension];
  if (spec.normalized) return axis_of_part(size, mode, tamed(coordinate), linear);
  // The guide says that wrap and mirror need normalised coordinates.
  if (mode != TextureAddress::border) mode = TextureAddress::clamp;
  Axis axis{.size = size, .mode = mode};
  split_at(axis, tamed(coordinate), linear);
  settle(axis);
  return axis;
}

void push(Taps& taps, const std::byte* texel, uint32_t weight, bool outside = false) {
  taps.list[taps.count++] = {texel, weight, outside};
}

// The weights of the upper left, upper right, lower left and lower right texels.
std::array<uint32_t, 4> quarters(uint32_t weight, uint32_t right, uint32_t below) {
  const uint32_t column = (weight * right + 128) >> 8, rest = weight - column;
  const uint32_t right_below = (column * below + 128) >> 8, left_below = (rest * below + 127) >> 8;
  return {rest - left_below, column - right_below, left_below, right_below};
}

void push_plane(Taps& taps, const Level& level, const Axis& x, const Axis& y, int64_t z, uint32_t weight,
                bool outside = false) {
  const std::array<uint32_t, 4> weights = quarters(weight, x.weight, y.weight);
  for (uint32_t i = 0; i < 4; ++i) {
    push(taps, level.at(x.place(i & 1), y.place(i >> 1), z), weights[i],
         outside || x.outside(i & 1) || y.outside(i >> 1));
  }
}

// Converts a direction to a face of the cube and a position on it from 0 to 1 (CUDA C++ Programming Guide,
// "Cubemap Textures"). If components are equal, z is preferred to y, and y to x.
struct CubePlace {
  int64_t face = 0;
  double u = 0.5, v = 0.5;
};
CubePlace cube_place(const std::array<float, 3>& d) {
  const float x = std::abs(d[0]), y = std::abs(d[1]), z = std::abs(d[2]);
  const uint32_t axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  CubePlace place;
  const bool negative = d[axis] < 0;
  place.face = 2 * axis + (negative ? 1 : 0);
  const float towards = 1 / std::abs(d[axis]);  // the compiler's code multiplies by the reciprocal
  const float s = axis == 0 ? (negative ? d[2] : -d[2]) : axis == 2 && negative ? -d[0] : d[0];
  const float t = axis == 1 ? (negative ? -d[2] : d[2]) : -d[1];
  const float across = s * towards, down = t * towards;
  if (!std::isnan(across)) place.u = (double{across} + 1) / 2;
  if (!std::isnan(down)) place.v = (double{down} + 1) / 2;
  return place;
}

// Each face is a separate plane: address modes apply at its edges.
void push_cube(Taps& taps, const Level& level, const TexturePlace& place, uint32_t weight) {
  const TextureSpec& spec = level.texture.spec;
  const CubePlace on = cube_place(place.at);
  const int64_t cubes = std::max<int64_t>(level.size[2] / 6, 1);
  const int64_t layer = 6 * std::min<int64_t>(place.layer, cubes - 1) + on.face;
  const Axis x = axis_of_part(level.size[0], spec.address[0], on.u, spec.linear);
  const Axis y = axis_of_part(level.size[0], spec.address[1], on.v, spec.linear);
  if (spec.linear) return push_plane(taps, level, x, y, layer, weight);
  push(taps, level.at(x.place(0), y.place(0), layer), weight, x.outside(0) || y.outside(0));
}

int64_t clamped_layer(const TextureSpec& spec, uint32_t layer) { return std::min(layer, spec.depth - 1); }

void push_level(Taps& taps, const Texture& texture, const TexturePlace& place, uint32_t number,
                uint32_t weight) {
  const TextureSpec& spec = texture.spec;
  const Level level(texture, number);
  if (place.cube) return push_cube(taps, level, place, weight);
  std::array<Axis, 3> axes{};
  // The unit reads a 1D texture as a plane with one row, at its upper edge.
  const uint32_t used =
      place.dimensions == 1 && spec.linear && spec.shape != TextureShape::linear ? 2 : place.dimensions;
  for (uint32_t d = 0; d < used; ++d)
    axes[d] = axis_of(level, d, d < place.dimensions ? place.at[d] : 0, spec.linear);
  const int64_t layer = clamped_layer(spec, place.layer);
  if (!spec.linear) {
    const int64_t z = place.dimensions == 3 ? axes[2].place(0) : layer;
    const bool outside = axes[0].outside(0) || axes[1].outside(0) || axes[2].outside(0);
    return push(taps, level.at(axes[0].place(0), axes[1].place(0), z), weight, outside);
  }
  // At the centre of a texel the others have no weight: the usual case of a read with a filter.
  if (place.dimensions < 3 && axes[0].weight == 0 && axes[1].weight == 0)
    return push(taps, level.at(axes[0].place(0), axes[1].place(0), layer), weight,
                axes[0].outside(0) || axes[1].outside(0));
  if (place.dimensions < 3) return push_plane(taps, level, axes[0], axes[1], layer, weight);
  const uint32_t behind = (weight * axes[2].weight + 127) >> 8;
  push_plane(taps, level, axes[0], axes[1], axes[2].place(0), weight - behind, axes[2].outside(0));
  push_plane(taps, level, axes[0], axes[1], axes[2].place(1), behind, axes[2].outside(1));
}

// In 256ths of a level.
int64_t level_in_256ths(const TextureSpec& spec, float level) {
  const auto in_256ths = [](float value) { return floored(tamed(value) * 256); };
  const int64_t biased = in_256ths(level) + static_cast<int64_t>(std::trunc(tamed(spec.level_bias) * 256));
  const int64_t least = in_256ths(spec.min_level), most = std::max(least, in_256ths(spec.max_level));
  return std::clamp<int64_t>(std::clamp(biased, least, most), 0, (int64_t{spec.levels} - 1) * 256);
}

}  // namespace

Taps taps_of(const Texture& texture, const TexturePlace& place) {
  const TextureSpec& spec = texture.spec;
  Taps taps;
  taps.mixed = spec.linear;
  if (spec.levels == 1) {
    push_level(taps, texture, place, 0, 256);
    return taps;
  }
  const int64_t level = level_in_256ths(spec, place.level);
  const auto first = static_cast<uint32_t>(level >> 8), weight = static_cast<uint32_t>(level & 255);
  if (!spec.linear_levels || weight == 0) {
    push_level(taps, texture, place, static_cast<uint32_t>((level + (spec.linear_levels ? 0 : 128)) >> 8),
               256);
    return taps;
  }
  taps.mixed = true;
  push_level(taps, texture, place, first, 256 - weight);
  taps.count = (taps.count + Taps::a_pass - 1) / Taps::a_pass * Taps::a_pass;
  push_level(taps, texture, place, first + 1, weight);
  return taps;
}

Taps fetch(const Texture& texture, const std::array<int32_t, 3>& at, uint32_t dimensions, uint32_t layer,
           uint32_t number) {
  const TextureSpec& spec = texture.spec;
  Taps taps;
  push(taps, nullptr, 256);
  // 1D textures are fetched only from linear memory; for an array, the unit returns 0.
  if (spec.shape == TextureShape::one || number >= spec.levels) return taps;
  const Level level(texture, number);
  std::array<int64_t, 3> place{};
  for (uint32_t d = 0; d < dimensions; ++d) {
    // For any address mode, except in mipmaps.
    if (spec.levels == 1 && (at[d] < 0 || at[d] >= level.size[d])) return taps;
    place[d] = std::clamp<int64_t>(at[d], 0, level.size[d] - 1);
  }
  if (dimensions < 3) place[2] = clamped_layer(spec, layer);
  taps.list[0].texel = level.at(place[0], place[1], place[2]);
  return taps;
}

Taps gather(const Texture& texture, const TexturePlace& place) {
  const Level level(texture, 0);
  const Axis x = axis_of(level, 0, place.at[0], true), y = axis_of(level, 1, place.at[1], true);
  constexpr uint32_t corner[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  Taps taps;
  for (const auto& [right, below] : corner)
    push(taps, level.at(x.place(right), y.place(below), clamped_layer(texture.spec, place.layer)), 64,
         x.outside(right) || y.outside(below));
  return taps;
}

// The length of the longer axis of the ellipse that one screen step becomes in the texture. The H200 uses
// approximations: docs/limits.md.
float level_of(const Texture& texture, const std::array<float, 6>& gradients, uint32_t dimensions) {
  const TextureSpec& spec = texture.spec;
  const std::array<double, 3> size{double(spec.width), double(spec.height), double(spec.depth)};
  double xx = 0, yy = 0, xy = 0;
  for (uint32_t d = 0; d < dimensions; ++d) {
    const double scale = spec.normalized ? size[d] : 1;
    const double x = gradients[d] * scale, y = gradients[d + 3] * scale;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  const double longest = (xx + yy + std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy)) / 2;
  return longest > 0 ? static_cast<float>(std::log2(longest) / 2) : 0;
}

}  // namespace warplens::exec
