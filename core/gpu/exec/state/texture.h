// Textures and surfaces, PTX ISA 9.7.10 and 9.7.11: the object of a handle, the texels that a read takes, and
// their filtering.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/texture.h"
#include "core/gpu/exec/state/program.h"
#include "core/program/op/texture_access.h"

namespace warplens::exec {

struct Texture {
  TextureSpec spec;
  std::byte* texels = nullptr;  // row after row, layer after layer, level after level
  std::string name;
  uint64_t address = 0;  // address of the buffer, for the model of the caches
};

// Handles are in a range without addresses.
constexpr uint64_t first_texture_handle = 0x7e'0000'0000'0000;

// A position in texture space. A layer beyond the last is the last.
struct TexturePlace {
  std::array<float, 3> at{};
  uint32_t dimensions = 2;
  uint32_t layer = 0;  // or the cube in an array of cubes
  bool cube = false;   // `at` is a direction
  float level = 0;     // level of a mipmap
};

// The texels of a read and their weights, whose sum is 256. Four at a time are mixed in one pass.
struct Tap {
  const std::byte* texel = nullptr;  // null: nothing is read
  uint32_t weight = 0;
  bool outside = false;  // the border: the unit requests the texel at the edge, and uses 0
};
struct Taps {
  static constexpr uint32_t a_pass = 4;
  std::array<Tap, 16> list{};
  uint32_t count = 0;
  bool mixed = false;  // otherwise the single texel is returned unchanged
};

// Four channels as the bits of f32, or of integers if the texels are read as integers. Missing ones are 0.
using TexelBits = std::array<uint32_t, 4>;

Taps taps_of(const Texture& texture, const TexturePlace& place);
// Reads at integer texel coordinates. There is no texel if they are outside.
Taps fetch(const Texture& texture, const std::array<int32_t, 3>& at, uint32_t dimensions, uint32_t layer,
           uint32_t level);
// The four texels that a linear filter would mix, in the order of PTX ISA 9.7.10.4.
Taps gather(const Texture& texture, const TexturePlace& place);
// The mipmap level for these gradients of normalised coordinates.
float level_of(const Texture& texture, const std::array<float, 6>& gradients, uint32_t dimensions);

TexelBits value_of(const TextureSpec& spec, const Taps& taps);
uint32_t point_bits(const TextureSpec& spec, const Tap& tap, uint32_t channel);

struct Warp;

}  // namespace warplens::exec
