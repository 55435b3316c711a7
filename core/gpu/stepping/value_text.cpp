// Values of variables as texts and numbers.
#include <fmt/format.h>

#include <bit>

#include "core/gpu/stepping/block_view.h"
#include "core/gpu/stepping/engine/engine.h"
#include "core/gpu/stepping/stops/lane_names.h"
#include "core/gpu/stepping/variable_reader.h"
#include "core/program/op/address_space.h"

namespace warplens::stepping {

namespace {

using debug::Type;

// Cuts the bits to the width and sign of the type.
LaneBits cut(const Type& type, LaneBits bits) {
  if (type.bytes == 0 || type.bytes >= 8) return bits;
  const auto unused = static_cast<uint32_t>(64 - 8 * type.bytes);
  const bool is_signed = type.kind == Type::Kind::integer || type.kind == Type::Kind::character ||
                         type.kind == Type::Kind::enumeration;
  const uint64_t high = bits.low << unused;
  bits.low = is_signed ? static_cast<uint64_t>(static_cast<int64_t>(high) >> unused) : high >> unused;
  return bits;
}

ptx::Modifier float_type(const Type& type) {
  if (is_half(type)) return *half_type(type);
  return type.bytes == 8 ? ptx::Modifier::f64 : type.bytes == 2 ? ptx::Modifier::f16 : ptx::Modifier::f32;
}

std::string character_text(int64_t value) {
  return value >= ' ' && value < 127 ? fmt::format("{} '{}'", value, static_cast<char>(value))
                                     : fmt::format("{}", value);
}

std::string enumeration_text(const Type& type, int64_t value) {
  for (const debug::Enumerator& enumerator : type.enumerators)
    if (enumerator.value == value) return enumerator.name;
  return fmt::format("{} (no {})", value, type.name.empty() ? "enumerator" : type.name);
}

// An address in a named array: "&x[3]", or "x + 5 bytes" between elements.
std::string named_address(const std::string& name, uint64_t offset, uint64_t element) {
  if (element == 0) return offset == 0 ? name : fmt::format("{} + {} bytes", name, offset);
  if (offset % element == 0) return fmt::format("&{}[{}]", name, offset / element);
  return fmt::format("{} + {} bytes", name, offset);
}

std::string pointer_text(const Engine& engine, uint64_t address, uint64_t element) {
  using namespace program;
  if (address == 0) return "null";
  const uint64_t window = address / window_bytes * window_bytes, offset = address % window_bytes;
  if (window == shared_window) {
    for (const SharedArray& array : engine.shared_arrays())
      if (offset >= array.address && offset - array.address < array.bytes)
        return named_address(array.name, offset - array.address, element);
    return fmt::format("shared memory + {}", offset);
  }
  if (window == local_window) return fmt::format("local memory + {}", offset);
  if (window == parameter_window) return fmt::format("parameters + {}", offset);
  // One past the end is still an address that a program may form.
  const exec::Allocation* allocation = engine.memory().find(address);
  if (allocation == nullptr) {
    allocation = engine.memory().nearest_below(address);
    if (allocation != nullptr && address > allocation->end) allocation = nullptr;
  }
  if (allocation == nullptr || allocation->name.empty()) return fmt::format("0x{:x}", address);
  return named_address(allocation->name, address - allocation->begin, element);
}

std::string scalar_text(const Engine& engine, const Type& type, LaneBits bits) {
  bits = cut(type, bits);
  const auto value = static_cast<int64_t>(bits.low);
  switch (type.kind) {
    case Type::Kind::boolean:
      return bits.low != 0 ? "true" : "false";
    case Type::Kind::integer:
      return fmt::format("{}", value);
    case Type::Kind::unsigned_integer:
      return fmt::format("{}", bits.low);
    case Type::Kind::character:
    case Type::Kind::unsigned_character:
      return character_text(value);
    case Type::Kind::floating:
    case Type::Kind::structure:
      return text_of(float_type(type), bits);
    case Type::Kind::enumeration:
      return enumeration_text(type, value);
    case Type::Kind::pointer:
    case Type::Kind::reference:
      return pointer_text(engine, bits.low, debug::type_bytes(engine.variable_table().info(), type.element));
    default:
      return fmt::format("0x{:x}", bits.low);
  }
}

constexpr uint64_t shown_parts = 4;
constexpr uint32_t deepest = 3;

std::string text_at(const Engine& engine, uint32_t warp, const VariableView& view, uint32_t lane,
                    uint32_t depth) {
  const debug::DebugInfo& info = engine.variable_table().info();
  const uint32_t bit = 1u << lane;
  if ((view.in_scope & bit) == 0) return "out of scope";
  if ((view.no_place & bit) != 0) return "the compiler kept no place for it";
  if ((view.not_set & bit) != 0) return "not yet set";
  if ((view.unreadable & bit) != 0) return view.reason;
  const Type& type = debug::plain_type(info, view.type_index);
  if (is_scalar(type) || is_half(type)) return scalar_text(engine, type, view.bits[lane]);
  if (type.kind == Type::Kind::none) return "of a type that is not read here";
  const uint64_t count = count_of_parts(engine, view);
  std::string text = "{";
  if (depth >= deepest) return "{…}";
  for (const VariableView& part : view_parts(engine, warp, view, 0, shown_parts)) {
    if (text.size() > 1) text += ", ";
    if (type.kind == Type::Kind::structure) text += part.name + " = ";
    text += text_at(engine, warp, part, lane, depth + 1);
  }
  return text + (count > shown_parts ? ", …}" : "}");
}

}  // namespace

std::string value_text(const Engine& engine, uint32_t warp, const VariableView& view, uint32_t lane) {
  return text_at(engine, warp, view, lane, 0);
}

expression::Value value_number(const Engine& engine, const VariableView& view, uint32_t lane) {
  if ((view.has >> lane & 1) == 0) return {};
  const Type& type = debug::plain_type(engine.variable_table().info(), view.type_index);
  if (is_half(type) || type.kind == Type::Kind::floating) return number_of(float_type(type), view.bits[lane]);
  if (!is_scalar(type)) return {};
  const LaneBits bits = cut(type, view.bits[lane]);
  const bool is_unsigned = type.kind == Type::Kind::unsigned_integer || type.kind == Type::Kind::pointer;
  return is_unsigned ? expression::Value(bits.low) : static_cast<int64_t>(bits.low);
}

}  // namespace warplens::stepping
