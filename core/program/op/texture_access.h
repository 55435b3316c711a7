// The parameters of a texture or surface instruction, PTX ISA 9.7.10 and 9.7.11.
#pragma once

#include <array>
#include <cstdint>

#include "core/program/op/op.h"

namespace warplens::program {

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
  uint64_t variable = 0;      // otherwise the address of the module's .texref or .surfref
  std::array<uint32_t, 3> coordinates{no_slot, no_slot, no_slot};
  uint32_t dimensions = 0;
  uint32_t layer = no_slot;                                                                 // of arrays
  uint32_t level = no_slot;                                                                 // of a mipmap
  std::array<uint32_t, 6> gradients{no_slot, no_slot, no_slot, no_slot, no_slot, no_slot};  // along x, then y
  bool integers = false;                                                                    // coordinates
  bool layered = false;
  bool cube = false;
  bool formatted = false;  // surfaces: coordinates are texels, and values are converted
  std::array<uint32_t, 4> values{no_slot, no_slot, no_slot, no_slot};  // results, or the values to store
  uint32_t count = 0;
  uint32_t value_bits = 32;  // of a register
  uint32_t bytes = 4;        // surfaces: of one value in memory
  bool as_float = false;     // result
  bool as_half = false;      // the result is f16, in pairs if a register has 32 bits
  bool is_signed = false;    // reduce
  uint32_t component = 0;    // gather
  TextureQuery query = TextureQuery::width;
  SurfaceEdge edge = SurfaceEdge::trap;
  SurfaceReduction reduction = SurfaceReduction::add;
};

struct TextureOp {
  uint32_t access = 0;   // in Program::textures
  uint32_t counter = 0;  // in Program::counted

  static TextureOp of(const Op& op) { return {static_cast<uint32_t>(op.immediate), op.state}; }
  void write(Op& op) const {
    op.immediate = access;
    op.state = counter;
  }
};

}  // namespace warplens::program
