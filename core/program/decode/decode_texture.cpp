// tex, tld4, txq, suld, sust, sured and suq.
#include <array>
#include <utility>

#include "core/program/decode/families.h"

namespace warplens::program {

namespace {

using Modifiers = std::span<const Modifier>;

TextureAsk ask_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::tex:
      return TextureAsk::sample;
    case Opcode::tld4:
      return TextureAsk::gather;
    case Opcode::suld:
      return TextureAsk::load;
    case Opcode::sust:
      return TextureAsk::store;
    case Opcode::sured:
      return TextureAsk::reduce;
    default:
      return TextureAsk::query;
  }
}

TextureQuery query_of(Modifiers modifiers) {
  constexpr std::pair<Modifier, TextureQuery> names[] = {
      {Modifier::query_width, TextureQuery::width},
      {Modifier::query_height, TextureQuery::height},
      {Modifier::query_depth, TextureQuery::depth},
      {Modifier::query_channel_data_type, TextureQuery::channel_data_type},
      {Modifier::query_channel_order, TextureQuery::channel_order},
      {Modifier::query_normalized_coords, TextureQuery::normalized_coords},
      {Modifier::query_array_size, TextureQuery::array_size},
      {Modifier::query_num_mipmap_levels, TextureQuery::levels},
      {Modifier::query_num_samples, TextureQuery::samples}};
  for (const auto& [name, query] : names) {
    if (has(modifiers, name)) return query;
  }
  return TextureQuery::width;
}

void set_geometry(TextureAccess& access, Modifiers modifiers) {
  const bool cubes = has(modifiers, Modifier::geometry_acube);
  access.cube = cubes || has(modifiers, Modifier::geometry_cube);
  access.layered = cubes || has(modifiers, Modifier::geometry_a1d) || has(modifiers, Modifier::geometry_a2d);
  const bool two = has(modifiers, Modifier::geometry_2d) || has(modifiers, Modifier::geometry_a2d);
  access.dimensions = two ? 2 : access.cube || has(modifiers, Modifier::geometry_3d) ? 3 : 1;
}

void set_surface(TextureAccess& access, Modifiers modifiers) {
  access.edge = has(modifiers, Modifier::clamp)       ? SurfaceEdge::clamp
                : has(modifiers, Modifier::edge_zero) ? SurfaceEdge::zero
                                                      : SurfaceEdge::trap;
  access.reduction = has(modifiers, Modifier::min)    ? SurfaceReduction::min
                     : has(modifiers, Modifier::max)  ? SurfaceReduction::max
                     : has(modifiers, Modifier::and_) ? SurfaceReduction::and_
                     : has(modifiers, Modifier::or_)  ? SurfaceReduction::or_
                                                      : SurfaceReduction::add;
}

// Sets the object: a handle in a register, or a .texref or .surfref of the module, which contains one.
bool set_texture(Emitter& emitter, TextureAccess& access, const Operand& address) {
  if (address.base == OperandKind::reg) {
    access.handle = emitter.component_slot(address.index, 255);
    return emitter.bits_of_register({.kind = OperandKind::reg, .index = address.index}) == 64;
  }
  if (address.base != OperandKind::symbol) return false;
  if (address.symbol_kind == ptx::SymbolKind::parameter) {
    if (!emitter.function().is_entry) return false;
    const auto& parameter = emitter.function().parameters[address.index];
    access.handle = emitter.parameter(emitter.program().parameter_offsets[address.index], Modifier::u64, 64);
    return parameter.bytes == 8;
  }
  Operand symbol = address;
  symbol.kind = OperandKind::symbol;
  const std::optional<uint64_t> place = emitter.layout().address_of(symbol);
  access.variable = place.value_or(0);
  return place.has_value() && address.symbol_kind == ptx::SymbolKind::module_variable;
}

bool set_coordinates(Emitter& emitter, TextureAccess& access, std::span<const Operand> coordinates) {
  size_t at = 0;
  if (access.layered) access.layer = emitter.source(coordinates[at++], 32);
  if (coordinates.size() < at + access.dimensions) return false;
  for (uint32_t d = 0; d < access.dimensions; ++d)
    access.coordinates[d] = emitter.source(coordinates[at++], 32);
  return true;
}

// tex.level: the level. tex.grad: the steps of the coordinates along x and y.
void set_level(Emitter& emitter, TextureAccess& access, std::span<const Operand> operands) {
  if (operands.size() == 3) access.level = emitter.source(operands[2], 32);
  if (operands.size() < 4) return;
  for (size_t direction = 0; direction < 2; ++direction) {
    const Operand& steps = operands[2 + direction];
    const bool several = steps.kind == OperandKind::vector;
    const auto parts = several ? emitter.children(steps) : std::span(&steps, 1);
    for (size_t d = 0; d < std::min<size_t>(parts.size(), 3); ++d)
      access.gradients[direction * 3 + d] = emitter.source(parts[d], 32);
  }
}

void set_values(Emitter& emitter, TextureAccess& access, const Operand& values) {
  const auto one = [&](const Operand& value, uint32_t i) {
    const bool is_read = access.ask == TextureAsk::store || access.ask == TextureAsk::reduce;
    access.values[i] = is_read ? emitter.source(value, access.value_bits) : emitter.destination(value);
  };
  if (values.kind != OperandKind::vector) {
    access.count = 1;
    return one(values, 0);
  }
  const auto parts = emitter.children(values);
  access.count = static_cast<uint32_t>(std::min<size_t>(parts.size(), 4));
  for (uint32_t i = 0; i < access.count; ++i) one(parts[i], i);
}

}  // namespace

void decode_texture(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  const Selector s = selector_of(instruction, modifiers);
  TextureAccess access;
  access.ask = ask_of(instruction.opcode);
  const bool stores = access.ask == TextureAsk::store || access.ask == TextureAsk::reduce;
  const Operand& address = operands[stores ? 0 : 1];
  access.value_bits = register_bits(s.type);
  access.bytes = ptx::bits_of(s.type) / 8;
  access.as_float = ptx::is_float(s.type);
  access.as_half = access.ask == TextureAsk::sample && (s.type == Modifier::f16 || s.type == Modifier::f16x2);
  access.formatted = instruction.opcode == Opcode::sust && has(modifiers, Modifier::formatted);
  access.is_signed = ptx::is_signed(s.type);
  access.integers = s.source_type == Modifier::s32 && instruction.opcode == Opcode::tex;
  access.query = query_of(modifiers);
  access.component = has(modifiers, Modifier::component_g) ? 1
                     : has(modifiers, Modifier::part_b)    ? 2
                     : has(modifiers, Modifier::part_a)    ? 3
                                                           : 0;
  set_geometry(access, modifiers);
  set_surface(access, modifiers);
  const Operand& values = operands[stores ? 1 : 0];
  // A register may be wider than a surface's value.
  const Operand& first = values.kind == OperandKind::vector ? emitter.children(values)[0] : values;
  if (first.kind == OperandKind::reg) access.value_bits = emitter.bits_of_register(first);
  if (!set_texture(emitter, access, address))
    return emitter.refuse(instruction, "a texture is a 64-bit handle or the name of a .texref.");
  if (access.ask != TextureAsk::query && !set_coordinates(emitter, access, emitter.children(address))) {
    return emitter.refuse(instruction, "there are fewer coordinates than the texture has dimensions.");
  }
  set_values(emitter, access, values);
  if (access.ask == TextureAsk::sample) set_level(emitter, access, operands);
  Op op{.handlers = emitter.routine(Routine::texture)};
  TextureOp{.access = static_cast<uint32_t>(emitter.program().textures.size()),
            .counter = emitter.counted(index, CountedOp::Kind::texture)}
      .write(op);
  emitter.program().textures.push_back(access);
  emitter.append_guarded(index, instruction, op);
}

}  // namespace warplens::program
