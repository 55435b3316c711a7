#include "core/gpu/exec/jit/lower/rows.h"

#include <algorithm>
#include <array>

namespace warplens::exec::jit {

namespace {

using program::Family;
using program::Selector;
using ptx::Modifier;

enum class Form : uint8_t {
  plain,
  hi,
  wide,
  ftz,
  approx,
  approx_ftz,
  full,
  full_ftz,
  pair,
  left_wrap,
  left_clamp,
  right_wrap,
  right_clamp,
  rni,
  rzi,
  rmi,
  rpi
};

struct Row {
  Opcode row;
  ptx::Opcode opcode;
  Modifier type, source_type;
  Form form;
};

constexpr auto k_rows = std::to_array<Row>({
#define IR_LANE(name, text, result, first, second, third, kind, nan, opcode, type, source_type, form) \
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

constexpr Modifier k_roundings[] = {Modifier::rni, Modifier::rzi, Modifier::rmi, Modifier::rpi};

// What selects the handler and nothing else of it.
bool has_rarer_modifiers(const Selector& s) {
  constexpr Modifier modes[] = {Modifier::f4e, Modifier::b4e, Modifier::rc8,
                                Modifier::ecl, Modifier::ecr, Modifier::rc16};
  if (s.opcode == ptx::Opcode::prmt && std::ranges::find(modes, s.permute) != std::end(modes)) return true;
  return s.sat || s.relu || s.nan || s.carry_in || s.carry_out || s.xorsign || s.pack;
}

std::optional<Form> form_of(const Selector& s) {
  if (s.opcode == ptx::Opcode::mov) return s.vector == 2 && s.source_bits == 32 ? Form::pair : Form::plain;
  if (s.hi) return Form::hi;
  if (s.wide) return Form::wide;
  if (s.opcode == ptx::Opcode::shf) {
    if (s.left) return s.wrap ? Form::left_wrap : Form::left_clamp;
    return s.wrap ? Form::right_wrap : Form::right_clamp;
  }
  if (s.full) return s.ftz ? Form::full_ftz : Form::full;
  if (s.approx) return s.ftz ? Form::approx_ftz : Form::approx;
  const Form plain = s.ftz ? Form::ftz : Form::plain;
  if (s.opcode != ptx::Opcode::cvt || !s.has_rounding) return plain;
  const auto* const rounding = std::ranges::find(k_roundings, s.rounding);
  if (rounding == std::end(k_roundings)) return plain;
  if (s.ftz) return {};
  return static_cast<Form>(static_cast<size_t>(Form::rni) + static_cast<size_t>(rounding - k_roundings));
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
      constexpr Opcode with_sign[] = {Opcode::min, Opcode::max, Opcode::neg, Opcode::abs,
                                      Opcode::div, Opcode::rem, Opcode::sad};
      if (s.opcode == Opcode::popc || s.opcode == Opcode::clz) return Types{s.type, s.type};
      if (s.hi || s.wide || std::ranges::find(with_sign, s.opcode) != std::end(with_sign))
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
      if (s.opcode == Opcode::bfe) return Types{s.type, s.type};
      return Types{of_width(bits, true), of_width(bits, true)};
    }
    case Family::move:
      if (s.opcode != Opcode::mov || bits != 64) return {};
      return Types{Modifier::b64, Modifier::b64};
    case Family::floating:
      return Types{s.type, s.type};
    case Family::bits:
      if (s.opcode != Opcode::mul24) return {};
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

// 0: the selector does not say. lop3's table is an operand, and no source.
bool has_sources(Opcode row, uint32_t sources) {
  const auto& types = info_of(row).sources;
  const auto own = static_cast<uint32_t>(types.size() - std::ranges::count(types, Type::none));
  return sources == 0 || own + (kind_of(row) == Kind::lop3 ? 1 : 0) == sources;
}

}  // namespace

std::optional<Opcode> row_of(const Selector& s) {
  if (has_rarer_modifiers(s)) return {};
  const auto types = normalised(s);
  const auto form = form_of(s);
  if (!types || !form) return {};
  const ptx::Opcode opcode =
      s.opcode == ptx::Opcode::mad && ptx::is_float(types->type) ? ptx::Opcode::fma : s.opcode;
  for (const Row& row : k_rows)
    if (row.opcode == opcode && row.type == types->type && row.source_type == types->source &&
        row.form == *form && has_sources(row.row, s.sources))
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

// A conversion of 16 bits by one of 32 bits.
std::optional<LaneRow> wider_conversion_of(const Selector& s) {
  Selector wider = s;
  if (ptx::is_float(s.source_type) || s.sat) return {};
  const bool widens = twice_as_wide(s.source_type) != s.source_type;
  if (widens) {
    wider.source_type = twice_as_wide(s.source_type);
  } else if (twice_as_wide(s.type) != s.type) {
    wider.type = twice_as_wide(s.type);
  } else {
    return {};
  }
  const auto row = row_of(wider);
  if (!row) return {};
  return LaneRow{.row = *row,
                 .widened = {widens},
                 .keeps_sign = ptx::is_signed(s.source_type),
                 .takes_low_half = !widens};
}

// 32 bits hold all that 16 bits compute, except for the upper half of a product.
std::optional<LaneRow> wider_row_of(const Selector& s) {
  using ptx::Opcode;
  const Family family = program::family_of(s);
  if (s.opcode == Opcode::cvt) return wider_conversion_of(s);
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

namespace {

// With .ftz: the same without it, of flushed sources, and flushed again where the result may be subnormal.
std::optional<LaneRow> flushed_row_of(const Selector& s) {
  Selector plain = s;
  plain.ftz = false;
  const auto row = row_of(plain);
  if (!row) return {};
  if (s.opcode == ptx::Opcode::cvt && s.source_type != Modifier::f32) return LaneRow{*row};
  LaneRow made{.row = *row, .flushes_sources = true};
  made.flushes_result = *row == Opcode::add_f32 || *row == Opcode::sub_f32 || *row == Opcode::rcp_f32;
  if (*row == Opcode::double_f32) made.before = Opcode::canonical;
  return made;
}

// From f64, rounded to an integral number before.
std::optional<LaneRow> rounded_row_of(const Selector& s) {
  if (s.opcode != ptx::Opcode::cvt || s.source_type != Modifier::f64 || ptx::is_float(s.type) ||
      !s.has_rounding)
    return {};
  Selector cut = s, rounded = s;
  cut.rounding = Modifier::rzi;
  rounded.type = Modifier::f64;
  const auto row = row_of(cut), before = row_of(rounded);
  if (!row || !before) return {};
  return LaneRow{.row = *row, .before = before};
}

}  // namespace

std::optional<LaneRow> lane_row_of(const Selector& s) {
  if (const auto row = row_of(s)) {
    const bool flushes =
        *row == Opcode::mul_ftz_f32 || *row == Opcode::div_ftz_f32 || *row == Opcode::fma_ftz_f32;
    return LaneRow{.row = *row, .flushes_sources = flushes};
  }
  if (s.ftz) return flushed_row_of(s);
  if (const auto rounded = rounded_row_of(s)) return rounded;
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
  s.full = row.form == Form::full || row.form == Form::full_ftz;
  s.approx = row.form == Form::approx || row.form == Form::approx_ftz;
  s.ftz = row.form == Form::ftz || row.form == Form::approx_ftz || row.form == Form::full_ftz;
  if (row.form == Form::pair) s.vector = 2;
  s.left = row.form == Form::left_wrap || row.form == Form::left_clamp;
  s.wrap = row.form == Form::left_wrap || row.form == Form::right_wrap;
  s.has_rounding = row.form >= Form::rni;
  if (s.has_rounding)
    s.rounding = k_roundings[static_cast<size_t>(row.form) - static_cast<size_t>(Form::rni)];
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
