#include "core/ptx/modifier.h"

#include "core/ptx/name_table.h"

namespace warplens::ptx {

namespace {

constexpr auto k_texts = std::to_array<std::string_view>({
#define PTX_MODIFIER(name, text, kind) std::string_view(text),
#include "core/ptx/modifiers.def"
#undef PTX_MODIFIER
});

constexpr auto k_kinds = std::to_array<ModifierKind>({
#define PTX_MODIFIER(name, text, kind) ModifierKind::kind,
#include "core/ptx/modifiers.def"
#undef PTX_MODIFIER
});

constexpr NameTable k_table(k_texts);

}  // namespace

std::string_view text_of(Modifier modifier) { return k_texts[static_cast<size_t>(modifier)]; }

ModifierKind kind_of(Modifier modifier) { return k_kinds[static_cast<size_t>(modifier)]; }

std::optional<Modifier> find_modifier(std::string_view text) {
  if (const auto index = k_table.find(text)) return static_cast<Modifier>(*index);
  return std::nullopt;
}

uint32_t bits_of(Modifier type) {
  switch (type) {
    case Modifier::pred:
      return 1;
    case Modifier::b1:
      return 1;
    case Modifier::s4:
    case Modifier::u4:
      return 4;
    case Modifier::u8:
    case Modifier::s8:
    case Modifier::b8:
    case Modifier::e4m3:
    case Modifier::e5m2:
      return 8;
    case Modifier::u16:
    case Modifier::s16:
    case Modifier::b16:
    case Modifier::f16:
    case Modifier::bf16:
    case Modifier::e4m3x2:
    case Modifier::e5m2x2:
      return 16;
    case Modifier::u64:
    case Modifier::s64:
    case Modifier::b64:
    case Modifier::f64:
      return 64;
    case Modifier::b128:
      return 128;
    default:
      return kind_of(type) == ModifierKind::type ? 32 : 0;
  }
}

bool is_float(Modifier type) {
  switch (type) {
    case Modifier::f16:
    case Modifier::f16x2:
    case Modifier::bf16:
    case Modifier::bf16x2:
    case Modifier::e4m3:
    case Modifier::e5m2:
    case Modifier::tf32:
    case Modifier::f32:
    case Modifier::f64:
      return true;
    default:
      return false;
  }
}

bool is_signed(Modifier type) {
  return (type >= Modifier::s8 && type <= Modifier::s64) || type == Modifier::s16x2;
}

}  // namespace warplens::ptx
