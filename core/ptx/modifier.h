// Everything that may follow a dot in an instruction or declaration: types, rounding, spaces, comparisons,
// flags.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens::ptx {

enum class Modifier : uint16_t {
#define PTX_MODIFIER(name, text, kind) name,
#include "core/ptx/modifiers.def"
#undef PTX_MODIFIER
};

enum class ModifierKind : uint8_t {
  type,
  rounding,
  space,
  compare,
  boolean,
  cache,
  scope,
  semantics,
  operation,
  vector,
  shape,
  geometry,
  flag
};

std::string_view text_of(Modifier modifier);  // "rn"
ModifierKind kind_of(Modifier modifier);
std::optional<Modifier> find_modifier(std::string_view text);  // without the dot

// For types only: the size of one element in bits (1 for pred), and its class.
uint32_t bits_of(Modifier type);
bool is_float(Modifier type);   // f16, f16x2, bf16, …, f32, f64
bool is_signed(Modifier type);  // s8 … s64

}  // namespace warplens::ptx
