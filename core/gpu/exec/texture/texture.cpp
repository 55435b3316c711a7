// Texture and surface instructions of a warp, lane by lane.
#include "core/gpu/exec/state/texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>

#include "core/base/half.h"
#include "core/gpu/exec/state/counters.h"
#include "core/gpu/exec/state/memory.h"
#include "core/gpu/exec/state/passed_faults.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/warp.h"
#include "core/gpu/exec/state/watch.h"
#include "core/gpu/exec/texture/plane.h"
#include "core/gpu/exec/texture/texture_sectors.h"

namespace warplens::exec {

namespace {

struct Lane {
  const Op* op;
  Warp& warp;
  const TextureAccess& access;
  uint32_t lane;
};

const Op* refuse(const Lane& at, FaultKind kind, uint64_t handle, std::string why) {
  return raise(at.warp, {.kind = kind,
                         .op = at.op,
                         .lane = at.lane,
                         .address = handle,
                         .bytes = at.access.bytes * at.access.count,
                         .access = at.access.ask == TextureAsk::load ? AccessKind::load : AccessKind::store,
                         .detail = std::move(why)});
}

uint32_t word(const Lane& at, uint32_t slot) { return at.warp.reg<uint32_t>(slot)[at.lane]; }

uint64_t handle_of(const Lane& at) {
  if (at.access.handle != no_slot) return at.warp.reg<uint64_t>(at.access.handle)[at.lane];
  uint64_t handle = 0;
  const Allocation* variable = at.warp.block->memory->find(at.access.variable);
  if (variable != nullptr) std::memcpy(&handle, variable->at(at.access.variable), 8);
  return handle;
}

void set_value(const Lane& at, uint32_t i, uint64_t bits) {
  const uint32_t slot = at.access.values[i];
  if (slot == no_slot) return;
  if (at.access.value_bits == 16) at.warp.reg<uint16_t>(slot)[at.lane] = static_cast<uint16_t>(bits);
  if (at.access.value_bits == 32) at.warp.reg<uint32_t>(slot)[at.lane] = static_cast<uint32_t>(bits);
  if (at.access.value_bits == 64) at.warp.reg<uint64_t>(slot)[at.lane] = bits;
}

uint64_t value_of(const Lane& at, uint32_t i) {
  const uint32_t slot = at.access.values[i];
  if (at.access.value_bits == 16) return at.warp.reg<uint16_t>(slot)[at.lane];
  if (at.access.value_bits == 32) return at.warp.reg<uint32_t>(slot)[at.lane];
  return at.warp.reg<uint64_t>(slot)[at.lane];
}

uint32_t layer_of(const Lane& at) { return at.access.layer == no_slot ? 0 : word(at, at.access.layer); }

// PTX ISA 5.3: the constants of OpenCL.
uint32_t channel_type(DType type) {
  switch (type) {
    case DType::i8:
      return 0x10d7;
    case DType::i16:
      return 0x10d8;
    case DType::i32:
      return 0x10d9;
    case DType::u8:
      return 0x10da;
    case DType::u16:
      return 0x10db;
    case DType::u32:
      return 0x10dc;
    case DType::f16:
      return 0x10dd;
    default:
      return 0x10de;
  }
}

uint32_t answer(const TextureSpec& spec, TextureQuery query) {
  const bool flat = spec.shape == TextureShape::linear || spec.shape == TextureShape::one ||
                    spec.shape == TextureShape::layers_of_one;
  switch (query) {
    case TextureQuery::width:
      return spec.width;
    case TextureQuery::height:
      return flat ? 0 : spec.height;
    case TextureQuery::depth:
      return spec.shape == TextureShape::three ? spec.depth : 0;
    case TextureQuery::channel_data_type:
      return channel_type(spec.type);
    case TextureQuery::channel_order:  // R, RG, RGBA
      return spec.channels == 1 ? 0x10b0 : spec.channels == 2 ? 0x10b2 : 0x10b5;
    case TextureQuery::normalized_coords:
      return spec.normalized ? 1 : 0;
    case TextureQuery::array_size:
      return is_layered(spec.shape) ? is_cube(spec.shape) ? spec.depth / 6 : spec.depth : 0;
    case TextureQuery::levels:
      return spec.levels;
    default:
      return 1;  // samples
  }
}

float coordinate(const Lane& at, uint32_t slot) {
  return slot == no_slot ? 0 : std::bit_cast<float>(word(at, slot));
}

TexturePlace place_of(const Lane& at, const Texture& texture) {
  const TextureAccess& access = at.access;
  TexturePlace place{.dimensions = access.dimensions, .layer = layer_of(at), .cube = access.cube};
  for (uint32_t d = 0; d < access.dimensions; ++d) place.at[d] = coordinate(at, access.coordinates[d]);
  place.level = coordinate(at, access.level);
  if (access.gradients[0] != no_slot && texture.spec.levels > 1) {
    std::array<float, 6> gradients{};
    for (size_t i = 0; i < 6; ++i) gradients[i] = coordinate(at, access.gradients[i]);
    place.level = level_of(texture, gradients, access.dimensions);
  }
  return place;
}

Taps fetched(const Lane& at, const Texture& texture) {
  const TextureAccess& access = at.access;
  std::array<int32_t, 3> place{};
  for (uint32_t d = 0; d < access.dimensions; ++d)
    place[d] = static_cast<int32_t>(word(at, access.coordinates[d]));
  return fetch(texture, place, access.dimensions, layer_of(at),
               access.level == no_slot ? 0 : word(at, access.level));
}

// Floats become f16: one in a register, or two.
void set_halves(const Lane& at, const TexelBits& texel) {
  const auto half = [&](uint32_t i) { return uint32_t{f16_of(std::bit_cast<float>(texel[i]))}; };
  const bool pairs = at.access.value_bits == 32;
  for (uint32_t i = 0; i < at.access.count; ++i)
    set_value(at, i, pairs ? half(2 * i) | half(2 * i + 1) << 16 : half(i));
}

void tell(const Lane& at, AccessKind kind, const std::byte* texel, uint64_t bytes, bool through_texture) {
  at.warp.block->watch->access(
      *at.op, at.warp, at.lane,
      {.kind = kind, .bytes = bytes, .texel = texel, .through_texture = through_texture});
}

// Reports the texels that a read takes.
void tell_taps(const Lane& at, const Texture& texture, const Taps& taps) {
  for (uint32_t i = 0; i < taps.count; ++i) {
    const Tap& tap = taps.list[i];
    if (tap.texel == nullptr || tap.outside || (taps.mixed && tap.weight == 0)) continue;
    tell(at, AccessKind::load, tap.texel, texture.spec.texel_bytes(), true);
  }
}

void read_texels(const Lane& at, const Texture& texture, TextureSectors* sectors) {
  const TextureAccess& access = at.access;
  TexelBits texel{};
  Taps taps;
  if (access.ask == TextureAsk::gather) {
    taps = gather(texture, place_of(at, texture));
    for (uint32_t i = 0; i < 4; ++i) texel[i] = point_bits(texture.spec, taps.list[i], access.component);
  } else {
    taps = access.integers ? fetched(at, texture) : taps_of(texture, place_of(at, texture));
    texel = value_of(texture.spec, taps);
  }
  if (sectors != nullptr) sectors->add(at.lane, texture, taps);
  if (at.warp.block->watch != nullptr) tell_taps(at, texture, taps);
  if (access.as_half) return set_halves(at, texel);
  for (uint32_t i = 0; i < access.count; ++i) set_value(at, i, texel[i]);
}

// The position of a surface access in the texels. If it is outside, .clamp moves it to the edge.
struct SurfacePlace {
  bool inside = true;
  uint64_t offset = 0;
};
SurfacePlace surface_place(const Lane& at, const Texture& texture) {
  const TextureAccess& access = at.access;
  const TextureSpec& spec = texture.spec;
  const int64_t texel = static_cast<int64_t>(spec.texel_bytes());
  const int64_t bytes = access.formatted ? texel : int64_t{access.bytes} * access.count;
  const std::array<int64_t, 3> limit{spec.width * texel - bytes + 1, spec.height, spec.depth};
  std::array<int64_t, 3> place{};
  SurfacePlace result;
  for (uint32_t d = 0; d < access.dimensions; ++d) {
    place[d] = static_cast<int32_t>(word(at, access.coordinates[d]));
    if (d == 0 && access.formatted) place[d] *= texel;
    if (d == 0 && place[d] % bytes != 0)
      place[d] -= place[d] % bytes;  // the unit rounds down to a multiple of `bytes`
    if (place[d] >= 0 && place[d] < limit[d]) continue;
    if (limit[d] <= 0) {  // wider than a whole row: it fits nowhere in the surface
      result.inside = false;
      place[d] = 0;
      continue;
    }
    if (access.edge != SurfaceEdge::clamp) result.inside = false;
    place[d] = std::clamp<int64_t>(place[d], 0, limit[d] - 1);
  }
  if (access.layer != no_slot) {
    const uint32_t layer = layer_of(at);
    if (layer >= spec.depth && access.edge != SurfaceEdge::clamp) result.inside = false;
    place[2] = std::min(layer, spec.depth - 1);
  }
  result.offset = (static_cast<uint64_t>(place[2]) * spec.height + static_cast<uint64_t>(place[1])) *
                      spec.width * spec.texel_bytes() +
                  static_cast<uint64_t>(place[0]);
  return result;
}

template <class T>
T reduced(SurfaceReduction reduction, T a, T b) {
  switch (reduction) {
    case SurfaceReduction::add:
      return static_cast<T>(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));  // sums wrap
    case SurfaceReduction::min:
      return std::min(a, b);
    case SurfaceReduction::max:
      return std::max(a, b);
    case SurfaceReduction::and_:
      return static_cast<T>(a & b);
    case SurfaceReduction::or_:
      return static_cast<T>(a | b);
  }
  return a;
}

// Other workers' blocks may update the same texel.
template <class Bits, class Value>
void reduce_at(std::byte* place, SurfaceReduction reduction, uint64_t operand) {
  std::atomic_ref<Bits> texel(*reinterpret_cast<Bits*>(place));
  Bits old = texel.load(std::memory_order_relaxed), next = 0;
  do {
    next = std::bit_cast<Bits>(reduced(reduction, std::bit_cast<Value>(old), static_cast<Value>(operand)));
  } while (!texel.compare_exchange_weak(old, next, std::memory_order_relaxed));
}

void reduce(const Lane& at, std::byte* place) {
  const TextureAccess& access = at.access;
  const uint64_t operand = value_of(at, 0);
  if (access.bytes == 8) {
    access.is_signed ? reduce_at<uint64_t, int64_t>(place, access.reduction, operand)
                     : reduce_at<uint64_t, uint64_t>(place, access.reduction, operand);
  } else if (access.is_signed) {
    reduce_at<uint32_t, int32_t>(place, access.reduction, operand);
  } else {
    reduce_at<uint32_t, uint32_t>(place, access.reduction, operand);
  }
}

// Integers and finite floats are clamped to the type's range, and floats are cut; a NaN becomes a NaN of f16.
uint32_t stored_bits(DType type, uint32_t bits) {
  const auto whole = static_cast<int32_t>(bits);
  switch (type) {
    case DType::u8:
      return std::min(bits, 0xffu);
    case DType::u16:
      return std::min(bits, 0xffffu);
    case DType::i8:
      return static_cast<uint32_t>(std::clamp(whole, -128, 127));
    case DType::i16:
      return static_cast<uint32_t>(std::clamp(whole, -32768, 32767));
    case DType::f16: {
      const auto value = std::bit_cast<float>(bits);
      if (std::isnan(value)) return 0x7e00;
      return f16_of<Rounding::zero>(std::isinf(value) ? value : std::clamp(value, -65504.0f, 65504.0f));
    }
    default:
      return bits;
  }
}

// sust.p: 32-bit values are converted to the type of the surface's texels.
void store_formatted(const Lane& at, const Texture& texture, std::byte* texel) {
  const TextureSpec& spec = texture.spec;
  const uint32_t bytes = bytes_of(spec.type);
  for (uint32_t c = 0; c < spec.channels; ++c) {
    const auto bits =
        stored_bits(spec.type, c < at.access.count ? static_cast<uint32_t>(value_of(at, c)) : 0);
    std::memcpy(texel + size_t{c} * bytes, &bits, bytes);
  }
}

bool access_surface(const Lane& at, const Texture& texture) {
  const TextureAccess& access = at.access;
  const SurfacePlace place = surface_place(at, texture);
  if (!place.inside && access.edge == SurfaceEdge::trap) return false;
  if (place.inside && at.warp.block->watch != nullptr) {
    const AccessKind kind = access.ask == TextureAsk::load    ? AccessKind::load
                            : access.ask == TextureAsk::store ? AccessKind::store
                                                              : AccessKind::atomic;
    const uint64_t bytes =
        access.formatted ? texture.spec.texel_bytes() : uint64_t{access.bytes} * access.count;
    tell(at, kind, texture.texels + place.offset, bytes, false);
  }
  if (access.formatted) {
    if (place.inside) store_formatted(at, texture, texture.texels + place.offset);
    return true;
  }
  for (uint32_t i = 0; i < access.count; ++i) {
    std::byte* texel = texture.texels + place.offset + size_t{i} * access.bytes;
    uint64_t bits = 0;
    if (access.ask == TextureAsk::load) {
      if (place.inside) std::memcpy(&bits, texel, access.bytes);
      set_value(at, i, bits);
    } else if (!place.inside) {
      continue;
    } else if (access.ask == TextureAsk::store) {
      bits = value_of(at, i);
      std::memcpy(texel, &bits, access.bytes);
    } else {
      reduce(at, texel);
    }
  }
  return true;
}

uint32_t dimensions_of(TextureShape shape) {
  switch (shape) {
    case TextureShape::linear:
    case TextureShape::one:
    case TextureShape::layers_of_one:
      return 1;
    case TextureShape::two:
    case TextureShape::layers_of_two:
      return 2;
    default:
      return 3;
  }
}

std::string shape_text(bool layered, bool cube, bool surface, uint32_t dimensions) {
  const char* what = surface ? "surface" : "texture";
  if (cube) return fmt::format("{}cube {}", layered ? "layered " : "", what);
  return fmt::format("{}{} of {} dimension{}", layered ? "layered " : "", what, dimensions,
                     dimensions == 1 ? "" : "s");
}

// Whether an instruction of this geometry may use the texture. If not, returns the reason.
std::string mismatch(const TextureAccess& access, const Texture& texture) {
  const TextureSpec& spec = texture.spec;
  const bool on_surface = access.ask >= TextureAsk::load;
  // As a surface, a cube is an array of its faces.
  const bool faces = on_surface && spec.surface && is_cube(spec.shape);
  const bool cube = is_cube(spec.shape) && !faces, layered = is_layered(spec.shape) || faces;
  const uint32_t dimensions = faces ? 2 : dimensions_of(spec.shape);
  if (on_surface != spec.surface || dimensions != access.dimensions || layered != access.layered ||
      cube != access.cube) {
    return fmt::format("uses {}, a {}, with an instruction for a {}.", texture.name,
                       shape_text(layered, cube, spec.surface, dimensions),
                       shape_text(access.layered, access.cube, on_surface, access.dimensions));
  }
  if (on_surface) return {};
  const bool integer_texels = spec.type != DType::f32 && spec.type != DType::f16 && !spec.normalized_read;
  if (integer_texels != access.as_float) return {};
  return fmt::format("reads {} as {}, but its texels are {}.", texture.name,
                     access.as_float ? "floats" : "integers", integer_texels ? "integers" : "floats");
}

// The texture of the lane before: most warps use one texture, which is then checked once.
struct Known {
  uint64_t handle = 0;
  const Texture* texture = nullptr;
  std::optional<Plane> plane;
};

// A read of a single unchanged texel. False if it is of another kind; then nothing was done.
bool read_one(const Lane& at, const Known& known, TextureSectors* sectors) {
  const TextureAccess& access = at.access;
  const TextureSpec& spec = known.texture->spec;
  const std::byte* texel =
      known.plane->texel_at(coordinate(at, access.coordinates[0]), coordinate(at, access.coordinates[1]));
  if (texel == nullptr) return false;
  const Tap tap{texel, 256, false};
  TexelBits bits{};
  for (uint32_t c = 0; c < spec.channels; ++c) bits[c] = point_bits(spec, tap, c);
  if (spec.linear && spec.type == DType::f32) {
    // The filter returns -0 as 0, and has its own NaN.
    for (uint32_t c = 0; c < spec.channels; ++c) {
      const auto value = std::bit_cast<float>(bits[c]);
      if (!std::isfinite(value)) return false;
      bits[c] = std::bit_cast<uint32_t>(value + 0.0f);
    }
  }
  if (sectors != nullptr) sectors->add(at.lane, *known.texture, texel);
  for (uint32_t i = 0; i < access.count; ++i) set_value(at, i, bits[i]);
  return true;
}

const Op* run_lane(const Lane& at, TextureSectors* sectors, Known& known) {
  const uint64_t handle = handle_of(at);
  if (known.texture != nullptr && known.handle == handle) {
    if (!known.plane || !read_one(at, known, sectors)) read_texels(at, *known.texture, sectors);
    return at.op;
  }
  const Texture* texture = at.warp.block->memory->texture(handle);
  if (texture == nullptr) {
    return refuse(at, FaultKind::invalid_texture, handle,
                  handle == 0 ? "uses a texture or surface to which nothing is bound."
                              : fmt::format("uses 0x{:x} as a texture or surface, which is none.", handle));
  }
  const TextureSpec& spec = texture->spec;
  if (at.access.ask == TextureAsk::query) {
    set_value(at, 0, answer(spec, at.access.query));
    return at.op;
  }
  if (std::string why = mismatch(at.access, *texture); !why.empty())
    return refuse(at, FaultKind::invalid_texture, handle, std::move(why));
  if (!spec.surface) {
    known = {handle, texture, {}};
    if (at.warp.block->watch == nullptr) known.plane = Plane::of(*texture, at.access);
    if (!known.plane || !read_one(at, known, sectors)) read_texels(at, *texture, sectors);
    return at.op;
  }
  if (!access_surface(at, *texture)) {
    const bool reads = at.access.ask == TextureAsk::load;
    refuse(at, FaultKind::surface_bounds, handle,
           fmt::format("{} {} outside its {} × {} × {} texels (the first coordinate counts {}).",
                       reads ? "reads" : "writes", texture->name, spec.width, spec.height, spec.depth,
                       at.access.formatted ? "texels" : "bytes"));
    if (!pass_fault(at.warp)) return nullptr;
    for (uint32_t i = 0; reads && i < at.access.count; ++i) set_value(at, i, 0);
  }
  return at.op;
}

}  // namespace

const Op* run_texture(const Op* op, Warp& warp) {
  const TextureOp texture = TextureOp::of(*op);
  const TextureAccess& access = warp.block->textures[texture.access];
  const bool counts = warp.block->count_memory && access.ask <= TextureAsk::gather;
  std::optional<TextureSectors> sectors;
  if (counts) sectors.emplace();
  if (warp.block->count_memory) ++warp.block->memory_ops[texture.counter].requests;
  Known known;
  for (uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    const Lane at{op, warp, access, static_cast<uint32_t>(std::countr_zero(lanes))};
    if (run_lane(at, counts ? &*sectors : nullptr, known) == nullptr) return nullptr;
  }
  if (!counts) return op + 1;
  const std::span<const uint64_t> touched = sectors->finish();
  warp.block->memory_ops[texture.counter].sectors += touched.size();
  if (warp.block->recorder != nullptr) warp.block->recorder->record_texture(touched);
  return op + 1;
}

}  // namespace warplens::exec
