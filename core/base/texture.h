// A texture or surface object: the shape and type of its texels, and how a kernel reads them (CUDA C++
// Programming Guide, "Texture Object API").
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/dtype.h"

namespace warplens {

// A cube is six square layers: +x, -x, +y, -y, +z, -z.
enum class TextureShape : uint8_t {
  linear,
  one,
  two,
  three,
  layers_of_one,
  layers_of_two,
  cube,
  layers_of_cubes
};
enum class TextureAddress : uint8_t { wrap, clamp, mirror, border };

inline bool is_cube(TextureShape shape) {
  return shape == TextureShape::cube || shape == TextureShape::layers_of_cubes;
}
inline bool is_layered(TextureShape shape) {
  return shape == TextureShape::layers_of_one || shape == TextureShape::layers_of_two ||
         shape == TextureShape::layers_of_cubes;
}

struct TextureSpec {
  TextureShape shape = TextureShape::two;
  DType type = DType::f32;                    // of one channel; at most 32 bits
  uint32_t channels = 1;                      // 1, 2 or 4
  uint32_t width = 0, height = 1, depth = 1;  // in texels; `depth` of a layered texture: layers
  uint32_t levels = 1;                        // mipmap levels, stored one after the other, each half as wide
  uint32_t pitch = 0;                         // bytes from one row to the next; 0 if the rows have no gaps
  std::array<TextureAddress, 3> address{TextureAddress::clamp, TextureAddress::clamp, TextureAddress::clamp};
  bool linear = false;           // filter linearly; otherwise read the nearest texel
  bool normalized = false;       // coordinates run from 0 to 1; otherwise they are in texels
  bool normalized_read = false;  // integers are read as floats from 0 (signed: from -1) to 1
  bool surface = false;
  bool linear_levels = false;  // filter between mipmap levels
  float level_bias = 0, min_level = 0, max_level = 1000;

  uint64_t texel_bytes() const { return uint64_t{bytes_of(type)} * channels; }
  uint32_t width_of(uint32_t level) const { return std::max(1u, width >> level); }
  uint32_t height_of(uint32_t level) const { return std::max(1u, height >> level); }
  uint32_t depth_of(uint32_t level) const {
    return shape == TextureShape::three ? std::max(1u, depth >> level) : depth;
  }
  uint64_t row_bytes(uint32_t level) const { return pitch != 0 ? pitch : texel_bytes() * width_of(level); }
  uint64_t level_bytes(uint32_t level) const { return row_bytes(level) * height_of(level) * depth_of(level); }
  // The bytes of all texels. UINT64_MAX if they do not fit in 64 bits.
  uint64_t bytes() const {
    uint64_t sum = pitch != 0 ? texel_bytes() * width : 0;  // no gap follows the last row
    for (uint32_t level = 0; level < levels; ++level) {
      const uint64_t rows = uint64_t{height_of(level)} * depth_of(level) - (pitch != 0 ? 1 : 0);
      if (rows != 0 && row_bytes(level) > (UINT64_MAX - sum) / rows) return UINT64_MAX;
      sum += row_bytes(level) * rows;
    }
    return sum;
  }
};

inline std::optional<TextureAddress> texture_address_from(std::string_view name) {
  if (name == "wrap") return TextureAddress::wrap;
  if (name == "clamp") return TextureAddress::clamp;
  if (name == "mirror") return TextureAddress::mirror;
  if (name == "border") return TextureAddress::border;
  return std::nullopt;
}

}  // namespace warplens
