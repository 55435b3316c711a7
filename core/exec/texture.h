// Textures and surfaces, PTX ISA 9.7.10 and 9.7.11: what a handle stands for, what an instruction asks for,
// and how texels are filtered.
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
  std::byte* texels = nullptr;  // rows one after another, without gaps
  std::string name;
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
  samples
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
  uint32_t layer = no_slot;  // of arrays
  bool integers = false;     // coordinates
  bool layered = false;
  std::array<uint32_t, 4> values{no_slot, no_slot, no_slot, no_slot};  // results, or what is stored
  uint32_t count = 0;
  uint32_t value_bits = 32;  // of a register
  uint32_t bytes = 4;        // surfaces: of one value in memory
  bool as_float = false;     // result
  bool is_signed = false;    // reduce
  uint32_t component = 0;    // gather
  TextureQuery query = TextureQuery::width;
  SurfaceEdge edge = SurfaceEdge::trap;
  SurfaceReduction reduction = SurfaceReduction::add;
};

// Four channels as the bits of f32, or of integers where the texels are read as such. Missing ones are 0.
using TexelBits = std::array<uint32_t, 4>;

// A texel at a place in texture space. A layer beyond the last is the last.
TexelBits sample(const Texture& texture, const std::array<float, 3>& at, uint32_t dimensions, uint32_t layer);
TexelBits fetch(const Texture& texture, const std::array<int32_t, 3>& at, uint32_t dimensions,
                uint32_t layer);
// One component of the four texels that a linear filter would mix, PTX ISA 9.7.10.4.
TexelBits gather(const Texture& texture, const std::array<float, 3>& at, uint32_t component);

struct Warp;
const Op* run_texture(const Op* op, Warp& warp);

}  // namespace warplens::exec
