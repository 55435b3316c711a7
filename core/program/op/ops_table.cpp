#include "core/program/op/ops_table.h"

namespace warplens::program {

namespace {

using ptx::Modifier;

// The choice in a row of opcodes.def: a family, or how types and modifiers decide between several.
enum class Choice : uint8_t {
#define FAMILY(name) name,
#include "core/program/op/families.def"
#undef FAMILY
  none,
  arithmetic,
  conversion,
  atomics
};

constexpr auto k_choices = std::to_array<Choice>({
#define PTX_OPCODE(name, text, section, unit, decode, handlers) Choice::handlers,
#define PTX_FORM(name, syntax, operands)
#include "core/ptx/opcodes.def"
#undef PTX_FORM
#undef PTX_OPCODE
});

bool is_16_bit(Modifier type) {
  return type == Modifier::f16 || type == Modifier::bf16 || type == Modifier::f16x2 ||
         type == Modifier::bf16x2;
}

Family arithmetic_family(const Selector& s) {
  if (s.carry_in || s.carry_out) return Family::carry;
  if (is_16_bit(s.type)) return Family::half;
  if (ptx::is_float(s.type)) return Family::floating;
  const bool is_packed = s.type == Modifier::u16x2 || s.type == Modifier::s16x2;
  return is_packed || s.relu ? Family::bits : Family::integer;
}

// Conversions among integers, f32 and f64, except for the rounding to odd that only decode uses.
Family conversion_family(const Selector& s) {
  if (s.pack) return Family::bits;
  for (const Modifier type : {s.type, s.source_type}) {
    if (ptx::is_float(type) && type != Modifier::f32 && type != Modifier::f64) return Family::convert_half;
    if (type == Modifier::e4m3x2 || type == Modifier::e5m2x2) return Family::convert_half;
  }
  return s.rounding == Modifier::rna ? Family::convert_half : Family::convert;
}

Family atomic_family(const Selector& s) {
  const uint32_t bits = ptx::bits_of(s.type);
  return is_16_bit(s.type) || s.vector > 1 || bits == 16 || bits == 128 ? Family::atomic_half
                                                                        : Family::atomic;
}

}  // namespace

Family family_of(const Selector& selector) {
  const Choice choice = k_choices[static_cast<size_t>(selector.opcode)];
  switch (choice) {
    case Choice::arithmetic:
      return arithmetic_family(selector);
    case Choice::conversion:
      return conversion_family(selector);
    case Choice::atomics:
      return atomic_family(selector);
    default:
      return static_cast<Family>(choice);
  }
}

Handlers find_handlers(const OpsTable& table, const Selector& selector) {
  const Family family = family_of(selector);
  return family == Family::none ? Handlers{} : table.family[static_cast<size_t>(family)](selector);
}

}  // namespace warplens::program
