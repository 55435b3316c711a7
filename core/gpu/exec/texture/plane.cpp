#include "core/gpu/exec/texture/plane.h"

#include <algorithm>

#include "core/gpu/exec/texture/coordinate.h"

namespace warplens::exec {

std::optional<Plane> Plane::of(const Texture& texture, const program::TextureAccess& access) {
  const TextureSpec& spec = texture.spec;
  const bool is_plain = access.ask == program::TextureAsk::sample && !access.integers && !access.cube &&
                        !access.layered && !access.as_half && access.dimensions <= 2 && spec.levels == 1;
  // A filter changes the value of signed integers, even of a single texel.
  const bool keeps = spec.type == DType::f32 ||
                     (spec.normalized_read && (spec.type == DType::u8 || spec.type == DType::u16));
  if (!is_plain || (spec.linear && !keeps)) return std::nullopt;
  // A 1D texture with a filter is the upper edge of a plane with one row, so half of the filter is border.
  if (access.dimensions == 1 && spec.linear && spec.address[1] == TextureAddress::border) return std::nullopt;
  Plane plane;
  plane.m_texels = texture.texels;
  plane.m_row_bytes = spec.row_bytes(0);
  plane.m_texel_bytes = spec.texel_bytes();
  plane.m_dimensions = access.dimensions;
  plane.m_linear = spec.linear;
  plane.m_normalized = spec.normalized;
  const auto side = [&](uint32_t dimension, uint32_t size) {
    TextureAddress mode = spec.address[dimension];
    if (!spec.normalized && mode != TextureAddress::border) mode = TextureAddress::clamp;
    return Side{size, mode};
  };
  plane.m_x = side(0, spec.width_of(0));
  plane.m_y = side(1, spec.height_of(0));
  if (plane.m_x.mode == TextureAddress::mirror || plane.m_y.mode == TextureAddress::mirror)
    return std::nullopt;
  return plane;
}

bool Plane::place(const Side& side, float coordinate, int64_t& at) const {
  double texels = coordinate;
  if (!(texels > -1e9 && texels < 1e9)) return false;  // also false for NaN
  if (m_normalized) {
    int64_t cut = floored(texels * static_cast<double>(coordinate_one));
    if (side.mode == TextureAddress::wrap) cut &= coordinate_one - 1;
    texels = static_cast<double>(cut) * static_cast<double>(side.size) / static_cast<double>(coordinate_one);
  }
  if (m_linear) {
    const int64_t fine = floored((texels - 0.5) * 256 + 0.5);
    if ((fine & 255) != 0) return false;
    at = fine >> 8;
  } else {
    at = floored(texels);
  }
  if (at >= 0 && at < side.size) return true;
  if (side.mode != TextureAddress::clamp) return false;
  at = std::clamp<int64_t>(at, 0, side.size - 1);
  return true;
}

}  // namespace warplens::exec
