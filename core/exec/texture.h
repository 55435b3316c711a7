// Textures and surfaces, PTX ISA 9.7.10 and 9.7.11: what a handle stands for, what an instruction asks for,
// which texels a read takes, and how they are filtered.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/texture.h"
#include "core/exec/op.h"

namespace warplens::exec {

struct Texture {
  TextureSpec spec;
  std::byte* texels = nullptr;  // row after row, layer after layer, level after level
  std::string name;
  uint64_t address = 0;  // of the buffer, for the model of the caches
};

// Handles lie where no address does.
constexpr uint64_t first_texture_handle = 0x7e'0000'0000'0000;

enum class TextureAsk : uint8_t { sample, gather, load, store, reduce, query };
enum class TextureQuery : uint8_t {
  width,
  height,
  depth,
  channel_data_type,
  channel_order,
  normalized_coords,
  array_size,
  levels,
  samples,
  is_texture,
  is_surface
};
enum class SurfaceEdge : uint8_t { trap, clamp, zero };
enum class SurfaceReduction : uint8_t { add, min, max, and_, or_ };

// One texture instruction, decoded.
struct TextureAccess {
  TextureAsk ask = TextureAsk::sample;
  uint32_t handle = no_slot;  // slot of the handle
  uint64_t variable = 0;      // or the address of the module's .texref or .surfref
  std::array<uint32_t, 3> coordinates{no_slot, no_slot, no_slot};
  uint32_t dimensions = 0;
  uint32_t layer = no_slot;                                                                 // of arrays
  uint32_t level = no_slot;                                                                 // of a mipmap
  std::array<uint32_t, 6> gradients{no_slot, no_slot, no_slot, no_slot, no_slot, no_slot};  // along x, then y
  bool integers = false;                                                                    // coordinates
  bool layered = false;
  bool cube = false;
  bool formatted = false;  // surfaces: coordinates are texels, and values are converted
  std::array<uint32_t, 4> values{no_slot, no_slot, no_slot, no_slot};  // results, or what is stored
  uint32_t count = 0;
  uint32_t value_bits = 32;  // of a register
  uint32_t bytes = 4;        // surfaces: of one value in memory
  bool as_float = false;     // result
  bool as_half = false;      // and that as f16, in pairs where a register has 32 bits
  bool is_signed = false;    // reduce
  uint32_t component = 0;    // gather
  TextureQuery query = TextureQuery::width;
  SurfaceEdge edge = SurfaceEdge::trap;
  SurfaceReduction reduction = SurfaceReduction::add;
};

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
const Op* run_texture(const Op* op, Warp& warp);

}  // namespace warplens::exec
