// What a texture or surface object is: the shape and type of its texels, and how a kernel reads them (CUDA
// C++ Programming Guide, "Texture Object API").
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/dtype.h"

namespace warplens {

enum class TextureShape : uint8_t { linear, one, two, three, layers_of_one, layers_of_two };
enum class TextureAddress : uint8_t { wrap, clamp, mirror, border };

struct TextureSpec {
  TextureShape shape = TextureShape::two;
  DType type = DType::f32;                    // of a channel; none of 64 bits
  uint32_t channels = 1;                      // 1, 2 or 4
  uint32_t width = 0, height = 1, depth = 1;  // texels; depth: layers, where there are
  std::array<TextureAddress, 3> address{TextureAddress::clamp, TextureAddress::clamp, TextureAddress::clamp};
  bool linear = false;           // filter: else the nearest texel
  bool normalized = false;       // coordinates from 0 to 1, else in texels
  bool normalized_read = false;  // integers read as floats from 0 or -1 to 1
  bool surface = false;

  uint64_t texel_bytes() const { return uint64_t{bytes_of(type)} * channels; }
  uint64_t bytes() const { return texel_bytes() * width * height * depth; }
};

inline std::optional<TextureAddress> texture_address_from(std::string_view name) {
  if (name == "wrap") return TextureAddress::wrap;
  if (name == "clamp") return TextureAddress::clamp;
  if (name == "mirror") return TextureAddress::mirror;
  if (name == "border") return TextureAddress::border;
  return std::nullopt;
}

}  // namespace warplens
