#include "core/gpu/exec/jit/lower/rows.h"

#include <array>

namespace warplens::exec::jit {

namespace {

using program::Family;
using program::Selector;
using ptx::Modifier;

enum class Form : uint8_t { plain, hi, wide, rni, rzi, rmi, rpi };

struct Row {
  Opcode row;
  ptx::Opcode opcode;
  Modifier type, source_type;
  Form form;
};

constexpr auto k_rows = std::to_array<Row>({
#define IR_LANE(name, text, result, first, second, third, nan, opcode, type, source_type, form) \
  {Opcode::name, ptx::Opcode::opcode, Modifier::type, Modifier::source_type, Form::form},
#include "core/gpu/exec/jit/ir/opcodes.def"
});

// Integers whose sign decides nothing, as the table has them.
Modifier of_width(uint32_t bits, bool bitwise) {
  switch (bits) {
    case 1:
      return Modifier::pred;
    case 16:
      return bitwise ? Modifier::b16 : Modifier::u16;
    case 32:
      return bitwise ? Modifier::b32 : Modifier::u32;
    case 64:
      return bitwise ? Modifier::b64 : Modifier::u64;
    default:  // in no row
      return Modifier::b8;
  }
}

// What selects the handler and nothing else of it.
bool has_rarer_modifiers(const Selector& s) {
  return s.ftz || s.sat || s.approx || s.full || s.relu || s.nan || s.carry_in || s.carry_out || s.xorsign ||
         s.pack;
}

std::optional<Form> form_of(const Selector& s) {
  if (s.hi) return Form::hi;
  if (s.wide) return Form::wide;
  if (s.opcode != ptx::Opcode::cvt || !s.has_rounding) return Form::plain;
  switch (s.rounding) {
    case Modifier::rni:
      return Form::rni;
    case Modifier::rzi:
      return Form::rzi;
    case Modifier::rmi:
      return Form::rmi;
    case Modifier::rpi:
      return Form::rpi;
    default:
      return Form::plain;
  }
}

// cvt: what is cut off an integer has no sign, and what is widened has the source's.
void normalise_conversion(Modifier& type, Modifier& source) {
  if (ptx::is_float(type) || ptx::is_float(source)) return;
  const uint32_t to = ptx::bits_of(type), from = ptx::bits_of(source);
  if (to < 16 || from < 16) return;
  const bool keeps_sign = to > from && ptx::is_signed(source);
  constexpr auto is_signed_of = [](uint32_t bits) {
    return bits == 64 ? Modifier::s64 : bits == 32 ? Modifier::s32 : Modifier::s16;
  };
  type = keeps_sign ? is_signed_of(to) : of_width(to, false);
  source = keeps_sign ? is_signed_of(from) : of_width(from, false);
}

struct Types {
  Modifier type, source;
};

std::optional<Types> normalised(const Selector& s) {
  using ptx::Opcode;
  const uint32_t bits = ptx::bits_of(s.type);
  switch (program::family_of(s)) {
    case Family::integer: {
      if (s.hi || s.wide || s.opcode == Opcode::min || s.opcode == Opcode::max || s.opcode == Opcode::neg ||
          s.opcode == Opcode::abs)
        return Types{s.type, s.type};
      return Types{of_width(bits, false), of_width(bits, false)};
    }
    case Family::logic: {
      if (s.opcode == Opcode::shr) {
        const bool is_signed = ptx::is_signed(s.type);
        const Modifier type = is_signed ? s.type : of_width(bits, false);
        return Types{type, type};
      }
      if (s.opcode == Opcode::lop3 && s.has_boolean) return {};
      return Types{of_width(bits, true), of_width(bits, true)};
    }
    case Family::floating:
      return Types{s.type, s.type};
    case Family::compare: {
      if (s.opcode == Opcode::selp) return Types{of_width(bits, true), of_width(bits, true)};
      if (s.opcode != Opcode::setp) return {};
      const Modifier source = s.source_type;
      if (ptx::is_float(source) || ptx::is_signed(source)) return Types{Modifier::pred, source};
      return Types{Modifier::pred, of_width(ptx::bits_of(source), false)};
    }
    case Family::convert: {
      Types types{s.type, s.source_type};
      normalise_conversion(types.type, types.source);
      return types;
    }
    default:
      return {};
  }
}

}  // namespace

std::optional<Opcode> row_of(const Selector& s) {
  if (has_rarer_modifiers(s)) return {};
  const auto types = normalised(s);
  const auto form = form_of(s);
  if (!types || !form) return {};
  const ptx::Opcode opcode =
      s.opcode == ptx::Opcode::mad && types->type == Modifier::f32 ? ptx::Opcode::fma : s.opcode;
  for (const Row& row : k_rows)
    if (row.opcode == opcode && row.type == types->type && row.source_type == types->source &&
        row.form == *form)
      return row.row;
  return {};
}

namespace {

Modifier twice_as_wide(Modifier type) {
  return type == Modifier::s16   ? Modifier::s32
         : type == Modifier::u16 ? Modifier::u32
         : type == Modifier::b16 ? Modifier::b32
                                 : type;
}

// 32 bits hold all that 16 bits compute, except for the upper half of a product.
std::optional<LaneRow> wider_row_of(const Selector& s) {
  using ptx::Opcode;
  const Family family = program::family_of(s);
  const Modifier type = s.opcode == Opcode::setp ? s.source_type : s.type;
  if (family != Family::integer && family != Family::logic && family != Family::compare) return {};
  if (twice_as_wide(type) == type || s.hi) return {};
  Selector wider = s;
  wider.type = twice_as_wide(s.type);
  wider.source_type = twice_as_wide(s.source_type);
  wider.wide = false;
  const auto row = row_of(wider);
  if (!row) return {};
  LaneRow made{.row = *row, .keeps_sign = ptx::is_signed(type)};
  const bool only_first = s.opcode == Opcode::shl || s.opcode == Opcode::shr;  // the amount has 32 bits
  const size_t narrow = only_first ? 1 : s.wide ? 2 : 3;
  for (size_t n = 0; n < narrow; ++n) made.widened[n] = info_of(*row).sources[n] == Type::b32;
  made.takes_low_half = !s.wide && s.opcode != Opcode::setp;
  return made;
}

}  // namespace

std::optional<LaneRow> lane_row_of(const Selector& s) {
  if (const auto row = row_of(s)) return LaneRow{*row};
  return wider_row_of(s);
}

namespace {

constexpr auto k_comparisons = std::to_array<std::pair<Modifier, Condition>>({{Modifier::eq, Condition::eq},
                                                                              {Modifier::ne, Condition::ne},
                                                                              {Modifier::lt, Condition::lt},
                                                                              {Modifier::le, Condition::le},
                                                                              {Modifier::gt, Condition::gt},
                                                                              {Modifier::ge, Condition::ge},
                                                                              {Modifier::num, Condition::num},
                                                                              {Modifier::nan, Condition::nan},
                                                                              {Modifier::equ, Condition::equ},
                                                                              {Modifier::neu, Condition::neu},
                                                                              {Modifier::ltu, Condition::ltu},
                                                                              {Modifier::leu, Condition::leu},
                                                                              {Modifier::gtu, Condition::gtu},
                                                                              {Modifier::geu, Condition::geu},
                                                                              {Modifier::lo, Condition::lt},
                                                                              {Modifier::ls, Condition::le},
                                                                              {Modifier::hi, Condition::gt},
                                                                              {Modifier::hs, Condition::ge}});

}  // namespace

std::optional<Condition> condition_of(Modifier compare) {
  for (const auto& [modifier, condition] : k_comparisons)
    if (modifier == compare) return condition;
  return {};
}

Selector selector_of(Opcode opcode, Condition condition) {
  const Row& row = k_rows[static_cast<size_t>(opcode)];
  Selector s;
  s.opcode = row.opcode;
  s.type = row.type;
  s.source_type = row.source_type;
  s.hi = row.form == Form::hi;
  s.wide = row.form == Form::wide;
  s.has_rounding = row.form >= Form::rni;
  constexpr Modifier roundings[] = {Modifier::rni, Modifier::rzi, Modifier::rmi, Modifier::rpi};
  if (s.has_rounding) s.rounding = roundings[static_cast<size_t>(row.form) - static_cast<size_t>(Form::rni)];
  for (const auto& [modifier, of] : k_comparisons) {
    if (of != condition) continue;
    s.compare = modifier;
    break;
  }
  const OpcodeInfo& info = info_of(opcode);
  s.destination_bits = static_cast<uint8_t>(8 * bytes_of(info.result));
  s.source_bits = static_cast<uint8_t>(8 * bytes_of(info.sources[0]));
  return s;
}

}  // namespace warplens::exec::jit
