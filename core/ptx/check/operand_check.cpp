#include "core/ptx/check/operand_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens::ptx {

namespace {

constexpr std::string_view k_parts[] = {".x", ".y", ".z", ".w"};

bool is_bits(Modifier type) { return type >= Modifier::b8 && type <= Modifier::b128; }

// PTX ISA 9.4 and 9.4.1: bits agree with everything of their size; integers with integers; floats with
// themselves. Loads, stores and conversions take wider registers, but no wider float where a float is meant.
bool type_fits(Modifier have, Modifier want, bool wider) {
  if (have == Modifier::pred || want == Modifier::pred) return have == want;
  const uint32_t have_bits = bits_of(have), want_bits = bits_of(want);
  if (wider ? have_bits < want_bits : have_bits != want_bits) return false;
  if (is_bits(have)) return true;
  if (is_bits(want)) return true;
  return is_float(want) ? have == want : !is_float(have);
}

std::string describe(Modifier want, bool wider) {
  if (want == Modifier::pred) return ".pred";
  const uint32_t bits = bits_of(want);
  if (is_float(want)) return fmt::format(".{} or .b{}", text_of(want), bits);
  const char* const what = is_bits(want) ? "" : "an integer ";
  return wider ? fmt::format("{}of at least {} bits", what, bits) : fmt::format("{}of {} bits", what, bits);
}

bool float_immediate(const Operand& operand) {
  return operand.immediate_type == Modifier::f32 || operand.immediate_type == Modifier::f64;
}

// Numbers are written as doubles and have the width of their use, PTX ISA 4.5.2.
void convert_float(Operand& operand, uint32_t bits) {
  if (bits == 32 && operand.immediate_type == Modifier::f64) {
    operand.bits = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
    operand.immediate_type = Modifier::f32;
  } else if (bits == 64 && operand.immediate_type == Modifier::f32) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(operand.bits));
    operand.bits = std::bit_cast<uint64_t>(static_cast<double>(value));
    operand.immediate_type = Modifier::f64;
  }
}

}  // namespace

OperandChecker::OperandChecker(const InstructionCheck& check, Reporter& reporter)
    : m_check(check), m_report(reporter) {
  uint32_t types = 0;
  for (const Modifier modifier : check.modifiers) {
    const ModifierKind kind = kind_of(modifier);
    if (kind == ModifierKind::type && types < 2) m_types[types++] = modifier;
    if (modifier == Modifier::v2) m_vector = 2;
    if (modifier == Modifier::v4) m_vector = 4;
    if (modifier == Modifier::v8) m_vector = 8;
  }
}

OperandChecker::Wanted OperandChecker::wanted_of(const OperandSpec& spec) const {
  Wanted wanted{m_types[0], spec.wider, false};
  if (spec.source == OperandType::second) wanted.type = m_types[1];
  if (spec.source == OperandType::fixed) wanted.type = spec.type;
  if (spec.source == OperandType::barrier || spec.source == OperandType::threads) wanted.type = Modifier::u32;
  if (spec.source == OperandType::address) wanted.address = true;
  if (spec.source == OperandType::wide) {
    const bool is_s = is_signed(m_types[0]);
    if (bits_of(m_types[0]) == 16) wanted.type = is_s ? Modifier::s32 : Modifier::u32;
    if (bits_of(m_types[0]) == 32) wanted.type = is_s ? Modifier::s64 : Modifier::u64;
  }
  return wanted;
}

bool OperandChecker::check(uint32_t index, const OperandSpec& spec) {
  m_index = index;
  Operand& operand = m_check.operands[index];
  const Wanted wanted = wanted_of(spec);
  const bool may_have_part = spec.letter == 'S' || spec.letter == 'Q' || spec.letter == 'Z';
  if (operand.part != 0 && !(may_have_part && part_fits(operand))) {
    return may_have_part ? false : fail("is part of a register", "here the whole register is taken");
  }
  if (operand.negated && spec.letter != 'n' && spec.letter != 'y' && spec.letter != 'Z') {
    return fail(fmt::format("is negated with '!'"),
                "only the predicate that is combined can be; use not.pred");
  }
  switch (spec.letter) {
    case 'd':
    case 'Q':
      return destination(operand, wanted, false);
    case 'D':
      return destination(operand, wanted, true);
    case 'p':
      return destination(operand, {Modifier::pred, false, false}, false);
    case 'P':
      return predicates(operand);
    case 'R':
      return with_predicate(operand, wanted);
    case 's':
      return moved_source(operand, wanted);
    case 'n':
      return predicate_source(operand);
    case 'i':
      return constant(operand, wanted);
    case 'A':
      return address(operand);
    case 'U':
      return texture(operand);
    case 'W':
      return operand.kind == OperandKind::reg || kind(operand, OperandKind::vector, "a vector in '{ }'");
    case 'V':
    case 'v':
      return memory_value(operand, wanted, spec.letter == 'V');
    case 'X':
    case 'x':
      return fragment(operand, spec.letter == 'X');
    case 'y':
      if (operand.kind == OperandKind::reg &&
          m_check.function.registers[operand.index].type == Modifier::pred) {
        return true;
      }
      return !operand.negated ? source(operand, {Modifier::u32, false, false})
                              : fail("is negated with '!'", "only a predicate can be");
    case 'M':
    case 'm':
      return packed(operand, wanted, spec.letter == 'M');
    case 'L':
    case 'T':
    case 'K':
      return kind(operand, OperandKind::label, "a label");
    case 'F':
    case 'H':
      return kind(operand, OperandKind::list, "a list in '( )'");
    case 'G':
      return callee(operand);
    default:
      return source(operand, wanted) && in_range(operand, spec);
  }
}

std::string OperandChecker::text(const Operand& operand) const {
  switch (operand.kind) {
    case OperandKind::reg: {
      const Register& reg = m_check.function.registers[operand.index];
      return fmt::format("'{}' of type .{}", reg.name, text_of(reg.type));
    }
    case OperandKind::special:
      return fmt::format("'{}{}'", text_of(static_cast<SpecialRegister>(operand.index)),
                         operand.component < 4 ? k_parts[operand.component] : "");
    case OperandKind::immediate:
      return float_immediate(operand) ? "a float" : "a whole number";
    case OperandKind::symbol:
      return "the name of a variable or function";
    case OperandKind::address:
      return "an address in '[ ]'";
    case OperandKind::label:
      return "a label";
    case OperandKind::vector:
      return "a vector in '{ }'";
    case OperandKind::pair:
      return "a pair with '|'";
    case OperandKind::list:
      return "a list in '( )'";
    default:
      return "'_'";
  }
}

bool OperandChecker::fail(std::string_view is, std::string_view remedy) {
  return m_report.error(m_check.places[m_index],
                        fmt::format("Operand {} of {} {}; {}.", m_index + 1,
                                    full_name(m_check.opcode, m_check.modifiers), is, remedy));
}

std::span<Operand> OperandChecker::children(const Operand& operand) {
  return std::span(m_check.function.operands).subspan(operand.first_child, operand.children);
}

bool OperandChecker::kind(const Operand& operand, OperandKind wanted, std::string_view what) {
  return operand.kind == wanted || fail("is " + text(operand), fmt::format("it must be {}", what));
}

bool OperandChecker::register_fits(const Operand& operand, const Wanted& wanted) {
  const Register& reg = m_check.function.registers[operand.index];
  if (reg.vector > 1 && operand.component == 255) {
    return fail(fmt::format("is the whole vector '{}'", reg.name), "name one part of it, such as .x");
  }
  if (wanted.address) {
    const bool good = !is_float(reg.type) && (bits_of(reg.type) == 32 || bits_of(reg.type) == 64);
    return good || fail("is " + text(operand), "an address is an integer of 32 or 64 bits");
  }
  if (type_fits(reg.type, wanted.type, wanted.wider)) return true;
  return fail("is " + text(operand), fmt::format("it must be {}: change the type, or convert it with cvt",
                                                 describe(wanted.type, wanted.wider)));
}

bool OperandChecker::immediate_fits(Operand& operand, const Wanted& wanted) {
  const bool is_float_value = float_immediate(operand);
  if (is_float_value && !is_float(wanted.type) && !is_bits(wanted.type)) {
    return fail("is a float", fmt::format("a .{} needs a whole number", text_of(wanted.type)));
  }
  if (!is_float_value && is_float(wanted.type)) {
    return fail("is a whole number", fmt::format("a .{} needs a float such as 1.0", text_of(wanted.type)));
  }
  if (is_float_value && is_bits(wanted.type) && bits_of(wanted.type) != bits_of(operand.immediate_type)) {
    return fail("is a float", "bits of another size are wanted; write them as a whole number");
  }
  if (is_float_value && bits_of(wanted.type) < 32)
    return fail("is a float", "write its bits as a whole number");
  if (is_float_value) convert_float(operand, bits_of(wanted.type));
  return true;
}

bool OperandChecker::special_fits(const Operand& operand, const Wanted& wanted) {
  const SpecialShape shape = shape_of(static_cast<SpecialRegister>(operand.index));
  if (shape.has_fields && operand.component == 255)
    return fail("is " + text(operand), "name one part of it, such as .x");
  // %gridid once had 32 bits, and a 32-bit mov of it is still valid.
  const bool is_grid = operand.index == static_cast<uint32_t>(SpecialRegister::gridid);
  if (is_grid && bits_of(wanted.type) == 32 && !is_float(wanted.type)) return true;
  const bool good = wanted.wider ? shape.bits >= bits_of(wanted.type) : shape.bits == bits_of(wanted.type);
  if (good && !is_float(wanted.type)) return true;
  return fail("is " + text(operand), fmt::format("it has {} bits; use mov.u{}", shape.bits, shape.bits));
}

bool OperandChecker::symbol_fits(const Operand& operand, const Wanted& wanted) {
  const uint32_t bits = bits_of(wanted.type);
  if ((bits == 32 || bits == 64) && !is_float(wanted.type)) return true;
  return fail("is " + text(operand), "its address is an integer of 32 or 64 bits; use mov.u64");
}

bool OperandChecker::destination(Operand& operand, const Wanted& wanted, bool may_be_sink) {
  if (operand.kind == OperandKind::sink && may_be_sink) return true;
  return kind(operand, OperandKind::reg, "a register, because it is written") &&
         register_fits(operand, wanted);
}

bool OperandChecker::predicates(Operand& operand) {
  const Wanted wanted{Modifier::pred, false, false};
  if (operand.kind != OperandKind::pair) return destination(operand, wanted, false);
  return std::ranges::all_of(children(operand),
                             [&](Operand& child) { return destination(child, wanted, true); });
}

bool OperandChecker::with_predicate(Operand& operand, const Wanted& wanted) {
  if (operand.kind != OperandKind::pair) return destination(operand, wanted, false);
  const std::span<Operand> parts = children(operand);
  return destination(parts[0], wanted, true) && destination(parts[1], {Modifier::pred, false, false}, true);
}

bool OperandChecker::source(Operand& operand, const Wanted& wanted) {
  if (operand.kind == OperandKind::reg) return register_fits(operand, wanted);
  if (operand.kind == OperandKind::immediate) return immediate_fits(operand, wanted);
  if (operand.kind == OperandKind::special || operand.kind == OperandKind::symbol) {
    return fail("is " + text(operand), "put it into a register with mov first");
  }
  return fail("is " + text(operand), "it must be a register or a number");
}

bool OperandChecker::moved_source(Operand& operand, const Wanted& wanted) {
  if (operand.kind == OperandKind::special) return special_fits(operand, wanted);
  if (operand.kind == OperandKind::symbol) return symbol_fits(operand, wanted);
  return source(operand, wanted);
}

bool OperandChecker::predicate_source(Operand& operand) {
  return source(operand, {Modifier::pred, false, false});
}

bool OperandChecker::constant(Operand& operand, const Wanted& wanted) {
  if (!kind(operand, OperandKind::immediate, "a number") || !immediate_fits(operand, wanted)) return false;
  const uint64_t limit = (uint64_t{1} << bits_of(wanted.type)) - 1;
  return operand.bits <= limit || fail("is out of range", fmt::format("it must be from 0 to {}", limit));
}

// vadd takes one byte or half-word, vadd2 two half-words, vadd4 four bytes. For a result they are a set,
// written from the highest to the lowest.
bool OperandChecker::part_fits(const Operand& operand) {
  const Part part = part_of(operand);
  const std::string_view name = text_of(m_check.opcode);
  const uint32_t lanes = name.ends_with('2') ? 2 : name.ends_with('4') ? 4 : 1;
  bool good = lanes == 1 || part.halves == (lanes == 2);
  const uint32_t own = part.halves ? 2 : 4;
  if (m_index != 0 && lanes > 1) {
    good = good && part.count == lanes;
  } else {
    good = good && part.count <= lanes && part.index(part.count - 1) < own;
    for (uint32_t i = 1; i < part.count; ++i) good = good && part.index(i) > part.index(i - 1);
  }
  return good || fail("names parts that this instruction does not have",
                      lanes == 1   ? "write one of .b0 .b1 .b2 .b3 .h0 .h1"
                      : lanes == 2 ? "write half-words as in .h10"
                                   : "write bytes as in .b3210");
}

// The value operand of ld, st and mov.v4: one value, or as many as .v2, .v4 or .v8 says.
bool OperandChecker::memory_value(Operand& operand, const Wanted& wanted, bool is_destination) {
  const auto one = [&](Operand& value) {
    if (is_destination) return destination(value, wanted, true);
    return m_check.opcode == Opcode::mov ? moved_source(value, wanted) : source(value, wanted);
  };
  if (m_vector == 0) {
    // ptxas accepts braces around a single value of ld and st, and Triton writes them.
    if (operand.kind == OperandKind::vector && operand.children == 1 && m_check.opcode != Opcode::mov) {
      const Operand only = children(operand).front();
      operand = only;
    }
    if (operand.kind == OperandKind::sink) return fail("is '_'", "a single value needs a register");
    return one(operand);
  }
  if (operand.kind == OperandKind::vector) {
    if (operand.children != m_vector) {
      return fail(fmt::format("has {} elements", operand.children), fmt::format("it must have {}", m_vector));
    }
    return std::ranges::all_of(children(operand), one);
  }
  if (operand.kind == OperandKind::special && operand.component == 255 && !is_destination) {
    const SpecialShape shape = shape_of(static_cast<SpecialRegister>(operand.index));
    if (shape.has_fields && m_vector == 4 && bits_of(wanted.type) == shape.bits) return true;
  }
  if (operand.kind != OperandKind::reg)
    return fail("is " + text(operand), fmt::format("it must be a vector of {}", m_vector));
  const Register& reg = m_check.function.registers[operand.index];
  if (reg.vector == m_vector && operand.component == 255 && type_fits(reg.type, wanted.type, wanted.wider))
    return true;
  return fail("is " + text(operand), fmt::format("it must be a vector of {}, such as {{%a, %b}}", m_vector));
}

// mov.b64 %rd1, {%r1, %r2} and back, PTX ISA 9.7.9.4.
bool OperandChecker::packed(Operand& operand, const Wanted& wanted, bool is_destination) {
  if (operand.kind != OperandKind::vector) {
    return is_destination ? destination(operand, wanted, false) : moved_source(operand, wanted);
  }
  const uint32_t element_bits = operand.children == 0 ? 0 : bits_of(wanted.type) / operand.children;
  if ((operand.children != 2 && operand.children != 4) || element_bits < 8) {
    return fail(fmt::format("has {} elements", operand.children),
                fmt::format("a .{} is made of 2 or 4 of at least 8 bits", text_of(wanted.type)));
  }
  const Modifier element = element_bits == 8    ? Modifier::b8
                           : element_bits == 16 ? Modifier::b16
                           : element_bits == 32 ? Modifier::b32
                                                : Modifier::b64;
  return std::ranges::all_of(children(operand), [&](Operand& child) {
    return is_destination ? destination(child, {element, false, false}, true)
                          : source(child, {element, false, false});
  });
}

// Checks the constants of a barrier (PTX ISA 9.7.13.1).
bool OperandChecker::in_range(const Operand& operand, const OperandSpec& spec) {
  if (operand.kind != OperandKind::immediate) return true;
  const auto value = static_cast<int64_t>(operand.bits);
  if (spec.source == OperandType::barrier && operand.bits > 15) {
    return fail(fmt::format("is barrier {}", value), "a block has the barriers 0 to 15");
  }
  if (spec.source == OperandType::threads && (operand.bits == 0 || operand.bits % 32 != 0)) {
    return fail(fmt::format("is {} threads", value), "the threads of a barrier are a multiple of 32");
  }
  return true;
}

}  // namespace warplens::ptx
