// Textures and surfaces, PTX ISA 9.7.10 and 9.7.11: what a handle stands for, which texels a read takes, and
// how they are filtered.
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
  uint64_t address = 0;  // of the buffer, for the model of the caches
};

// Handles lie where no address does.
constexpr uint64_t first_texture_handle = 0x7e'0000'0000'0000;

// A place in texture space. A layer beyond the last is the last.
struct TexturePlace {
  std::array<float, 3> at{};
  uint32_t dimensions = 2;
  uint32_t layer = 0;  // or cube of an array of cubes
  bool cube = false;   // `at` is a direction
  float level = 0;     // of a mipmap
};

// The texels of a read and their weights, which are 256 together. Four at a time are mixed in one pass.
struct Tap {
  const std::byte* texel = nullptr;  // none: nothing is read
  uint32_t weight = 0;
  bool outside = false;  // the border: the unit asks for the texel at the edge, and takes 0
};
struct Taps {
  static constexpr uint32_t a_pass = 4;
  std::array<Tap, 16> list{};
  uint32_t count = 0;
  bool mixed = false;  // else the one texel as it is
};

// Four channels as the bits of f32, or of integers where the texels are read as such. Missing ones are 0.
using TexelBits = std::array<uint32_t, 4>;

Taps taps_of(const Texture& texture, const TexturePlace& place);
// At whole texel coordinates. No texel where they lie outside.
Taps fetch(const Texture& texture, const std::array<int32_t, 3>& at, uint32_t dimensions, uint32_t layer,
           uint32_t level);
// The four texels that a linear filter would mix, in the order of PTX ISA 9.7.10.4.
Taps gather(const Texture& texture, const TexturePlace& place);
// The level that gradients of normalised coordinates ask for.
float level_of(const Texture& texture, const std::array<float, 6>& gradients, uint32_t dimensions);

TexelBits value_of(const TextureSpec& spec, const Taps& taps);
uint32_t point_bits(const TextureSpec& spec, const Tap& tap, uint32_t channel);

struct Warp;

}  // namespace warplens::exec
