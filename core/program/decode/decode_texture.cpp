// tex, tld4, txq, suld, sust, sured and suq.
#include <array>
#include <utility>

#include "core/program/decode/decoder.h"

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

}  // namespace

// The object: a handle in a register, or a .texref or .surfref of the module, which holds one.
bool Decoder::set_texture(TextureAccess& access, const Operand& address) {
  if (address.base == OperandKind::reg) {
    access.handle = component_slot(address.index, 255);
    return bits_of_register({.kind = OperandKind::reg, .index = address.index}) == 64;
  }
  if (address.base != OperandKind::symbol) return false;
  if (address.symbol_kind == ptx::SymbolKind::parameter) {
    if (!m_function.is_entry) return false;
    const auto& parameter = m_function.parameters[address.index];
    access.handle =
        m_frame.parameter(m_program, m_program.parameter_offsets[address.index], Modifier::u64, 64);
    return parameter.bytes == 8;
  }
  Operand symbol = address;
  symbol.kind = OperandKind::symbol;
  const std::optional<uint64_t> place = m_layout.address_of(symbol);
  access.variable = place.value_or(0);
  return place.has_value() && address.symbol_kind == ptx::SymbolKind::module_variable;
}

bool Decoder::set_coordinates(TextureAccess& access, std::span<const Operand> coordinates) {
  size_t at = 0;
  if (access.layered) access.layer = source(coordinates[at++], 32);
  if (coordinates.size() < at + access.dimensions) return false;
  for (uint32_t d = 0; d < access.dimensions; ++d) access.coordinates[d] = source(coordinates[at++], 32);
  return true;
}

// tex.level: the level. tex.grad: the steps of the coordinates along x and y.
void Decoder::set_level(TextureAccess& access, std::span<const Operand> operands) {
  if (operands.size() == 3) access.level = source(operands[2], 32);
  if (operands.size() < 4) return;
  for (size_t direction = 0; direction < 2; ++direction) {
    const Operand& steps = operands[2 + direction];
    const bool several = steps.kind == OperandKind::vector;
    const auto parts = several ? m_function.children_of(steps) : std::span(&steps, 1);
    for (size_t d = 0; d < std::min<size_t>(parts.size(), 3); ++d)
      access.gradients[direction * 3 + d] = source(parts[d], 32);
  }
}

void Decoder::set_values(TextureAccess& access, const Operand& values) {
  const auto one = [&](const Operand& value, uint32_t i) {
    const bool is_read = access.ask == TextureAsk::store || access.ask == TextureAsk::reduce;
    access.values[i] = is_read ? source(value, access.value_bits) : destination(value);
  };
  if (values.kind != OperandKind::vector) {
    access.count = 1;
    return one(values, 0);
  }
  const auto parts = m_function.children_of(values);
  access.count = static_cast<uint32_t>(std::min<size_t>(parts.size(), 4));
  for (uint32_t i = 0; i < access.count; ++i) one(parts[i], i);
}

void Decoder::decode_texture(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
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
  const Operand& first = values.kind == OperandKind::vector ? m_function.children_of(values)[0] : values;
  if (first.kind == OperandKind::reg) access.value_bits = bits_of_register(first);
  if (!set_texture(access, address))
    return refuse(instruction, "a texture is a 64-bit handle or the name of a .texref.");
  if (access.ask != TextureAsk::query && !set_coordinates(access, m_function.children_of(address))) {
    return refuse(instruction, "there are fewer coordinates than the texture has dimensions.");
  }
  set_values(access, values);
  if (access.ask == TextureAsk::sample) set_level(access, operands);
  Op op{.handlers = m_table.both(Routine::texture)};
  op.immediate = static_cast<int64_t>(m_program.textures.size());
  op.state = counted(index, CountedOp::Kind::texture);
  m_program.textures.push_back(access);
  const size_t guard = begin_guard(index, instruction);
  append(index, op);
  finish_guard(guard);
}

}  // namespace warplens::program
