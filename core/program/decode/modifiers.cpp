#include "core/program/decode/modifiers.h"

namespace warplens::program {

Selector selector_of(const Instruction& instruction, std::span<const Modifier> modifiers) {
  Selector s;
  s.opcode = instruction.opcode;
  uint32_t types = 0;
  for (Modifier m : modifiers) {
    switch (ptx::kind_of(m)) {
      case ModifierKind::type:
        if (types < 2) (types == 0 ? s.type : s.source_type) = m;
        ++types;
        break;
      case ModifierKind::compare:
        if ((m == Modifier::lo || m == Modifier::hi) && instruction.opcode != Opcode::setp &&
            instruction.opcode != Opcode::set) {
          s.hi = m == Modifier::hi;
        } else {
          s.compare = m;
        }
        break;
      case ModifierKind::boolean:
        s.boolean = m;
        s.has_boolean = true;
        break;
      case ModifierKind::rounding:
        s.rounding = m;
        s.has_rounding = true;
        break;
      case ModifierKind::vector:
        s.vector = m == Modifier::v2 ? 2 : m == Modifier::v4 ? 4 : 8;
        break;
      default:
        break;
    }
    if (m == Modifier::f4e || m == Modifier::b4e || m == Modifier::rc8 || m == Modifier::ecl ||
        m == Modifier::ecr || m == Modifier::rc16) {
      s.permute = m;
    }
    if (instruction.opcode == Opcode::testp && ptx::kind_of(m) == ModifierKind::flag) s.property = m;
    s.nan = s.nan || m == Modifier::pass_nan;
    s.relu = s.relu || m == Modifier::relu;
    s.carry_out = s.carry_out || m == Modifier::cc;
    s.shift_amount = s.shift_amount || m == Modifier::shiftamt;
    s.abs = s.abs || m == Modifier::abs;
    s.xorsign = s.xorsign || m == Modifier::xorsign;
    s.pack = s.pack || m == Modifier::pack;
    s.ftz = s.ftz || m == Modifier::ftz;
    s.sat = s.sat || m == Modifier::sat;
    s.approx = s.approx || m == Modifier::approx;
    s.full = s.full || m == Modifier::full;
    s.wide = s.wide || m == Modifier::wide;
    s.wrap = s.wrap || m == Modifier::wrap;
    s.left = s.left || m == Modifier::left;
  }
  if (types < 2) s.source_type = s.type;
  s.carry_in = s.opcode == Opcode::addc || s.opcode == Opcode::subc || s.opcode == Opcode::madc;
  return s;
}

bool has(std::span<const Modifier> modifiers, Modifier wanted) {
  return std::find(modifiers.begin(), modifiers.end(), wanted) != modifiers.end();
}

uint8_t half_flags(std::span<const Modifier> modifiers) {
  uint32_t flags = 0;
  for (const Modifier m : modifiers) {
    flags |= m == Modifier::ftz         ? half_ftz
             : m == Modifier::sat       ? half_sat
             : m == Modifier::relu      ? half_relu
             : m == Modifier::oob       ? half_oob
             : m == Modifier::pass_nan  ? half_nan
             : m == Modifier::xorsign   ? half_xorsign
             : m == Modifier::satfinite ? half_satfinite
                                        : 0;
  }
  return static_cast<uint8_t>(flags);
}

Modifier space_of(std::span<const Modifier> modifiers) {
  for (Modifier m : modifiers) {
    if (ptx::kind_of(m) != ModifierKind::space) continue;
    switch (m) {
      case Modifier::shared_cta:
        return Modifier::shared;
      case Modifier::param_entry:
        return Modifier::param;
      default:
        return m;
    }
  }
  return Modifier::weak;  // generic
}

Space space_for_report(Modifier space) {
  switch (space) {
    case Modifier::global:
      return Space::global;
    case Modifier::shared:
      return Space::shared;
    case Modifier::local:
      return Space::local;
    case Modifier::constant:
      return Space::constant;
    case Modifier::param:
      return Space::parameter;
    default:
      return Space::generic;
  }
}

bool is_short_space(Modifier space) {
  return space == Modifier::shared || space == Modifier::local || space == Modifier::constant ||
         space == Modifier::param;
}

}  // namespace warplens::program
