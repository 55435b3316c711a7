#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/gpu/exec/jit/ir/ir.h"

namespace warplens::exec::jit {

namespace {

// The words and marks of one line, taken one by one.
class Words {
 public:
  explicit Words(std::string_view text) : m_rest(text) { skip(); }

  bool done() const { return m_rest.empty(); }
  std::string_view rest() const { return m_rest; }
  // Takes the text, if the line goes on with it.
  bool take(std::string_view text) {
    if (!m_rest.starts_with(text)) return false;
    m_rest.remove_prefix(text.size());
    skip();
    return true;
  }
  // Letters, digits, points and underscores.
  std::string_view word() {
    const size_t end = std::min(m_rest.find_first_of(" ,[]{}%@="), m_rest.size());
    const std::string_view found = m_rest.substr(0, end);
    m_rest.remove_prefix(end);
    skip();
    return found;
  }
  template <class T>
  bool number(T& to) {
    const auto [end, error] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), to);
    if (error != std::errc{}) return false;
    m_rest.remove_prefix(static_cast<size_t>(end - m_rest.data()));
    skip();
    return true;
  }

 private:
  void skip() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(' '), m_rest.size())); }
  std::string_view m_rest;
};

std::optional<Type> type_of(std::string_view text) {
  if (text == "b16") return Type::b16;
  if (text == "b32") return Type::b32;
  if (text == "b64") return Type::b64;
  if (text == "pred") return Type::pred;
  return {};
}

bool take_access(Words& line, Access& access) {
  const std::string_view space = line.word(), type = line.word();
  access.is_shared = space == "shared";
  access.is_constant = space == "constant";
  if ((space != "global" && !access.is_in_short_space()) || type.size() < 2) return false;
  access.is_signed = type[0] == 's';
  uint32_t bits = 0, register_bytes = 0;
  const auto [end, error] = std::from_chars(type.data() + 1, type.data() + type.size(), bits);
  if (error != std::errc{} || end != type.data() + type.size() || bits % 8 != 0 || bits > 64) return false;
  if ((type[0] != 's' && type[0] != 'u') || !line.take("in ") || !line.number(register_bytes)) return false;
  if (register_bytes > 8) return false;
  access.bytes = static_cast<uint8_t>(bits / 8);
  access.register_bytes = static_cast<uint8_t>(register_bytes);
  return line.take("counter ") && line.number(access.counter);
}

bool take_state(Words& line, std::vector<Put>& state) {
  do {
    const auto type = type_of(line.word());
    Put put;
    if (!type || !line.take("[") || !line.number(put.slot) || !line.take("]")) return false;
    put.canonical = line.take("canonical ");
    if (!line.take("%") || !line.number(put.value)) return false;
    put.type = *type;
    state.push_back(put);
  } while (line.take(","));
  return line.take("}");
}

bool take_words(Words& line, Instruction& i) {
  if (line.take("[") && (!line.number(i.slot) || !line.take("]"))) return false;
  const Number number = info_of(i.opcode).number;
  if (number != Number::none && line.take(name_of(number)) && !line.number(i.number)) return false;
  if (line.take("if ")) {
    const auto condition = condition_of(line.word());
    if (!condition) return false;
    i.condition = *condition;
  }
  i.negated = line.take("negated");
  i.forgotten = line.take("forgotten");
  const bool notes_access = i.opcode == Opcode::note && !line.rest().starts_with("@");
  if ((is_access(i.opcode) || notes_access) && !take_access(line, i.access)) return false;
  if (!line.take("@") || !line.number(i.at)) return false;
  if (line.take("step ")) {
    int64_t step = 0;
    if (!line.number(step)) return false;
    i.step = step;
  }
  if (line.take("by ")) {
    uint32_t lanes = 0;
    if (!line.number(lanes) || (lanes != 16 && lanes != 8)) return false;
    i.rows = {static_cast<uint8_t>(lanes), line.take("alike")};
  }
  if (line.take("{") && !take_state(line, i.state)) return false;
  if (line.take("carries {") && !take_state(line, i.carries)) return false;
  return line.done();
}

bool take_instruction(Words& line, Instruction& i) {
  if (line.take("%") && (!line.number(i.result) || !line.take("="))) return false;
  const auto opcode = opcode_of(line.word());
  if (!opcode) return false;
  i.opcode = *opcode;
  for (size_t source = 0; line.take("%"); ++source) {
    if (source == i.sources.size() || !line.number(i.sources[source])) return false;
    if (!line.take(",")) break;
  }
  if (line.take("of %") && (!is_store(i.opcode) || !line.number(i.sources[2]))) return false;
  return take_words(line, i);
}

bool take_head(Words& line, Unit& unit) {
  if (!line.take("unit ") || !line.number(unit.start)) return false;
  const std::string_view mode = line.word();
  unit.mode = mode == "all_lanes" ? program::all_lanes : program::some_lanes;
  return line.done() && (mode == "all_lanes" || mode == "some_lanes");
}

}  // namespace

Result<Unit> parse(std::string_view text) {
  Unit unit;
  bool has_head = false;
  for (uint32_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    Words line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.done()) continue;
    Instruction instruction;
    const bool is_right = has_head ? take_instruction(line, instruction) : take_head(line, unit);
    if (!is_right)
      return bad_input(
          fmt::format("Line {} of the IR is not understood, from \"{}\" on. An instruction is "
                      "written as core/gpu/exec/jit/ir/print.cpp says.",
                      number, line.rest()));
    if (has_head) {
      // As many as a text has lines, at most: numbers far above that are a mistake.
      constexpr uint32_t most_values = 1 << 20;
      if (instruction.result != no_value && instruction.result >= most_values)
        return bad_input(fmt::format("Line {} of the IR makes value %{}; use numbers below {}.", number,
                                     instruction.result, most_values));
      if (instruction.result != no_value) unit.values = std::max(unit.values, instruction.result + 1);
      unit.code.push_back(std::move(instruction));
    }
    has_head = true;
  }
  if (!has_head) return bad_input("The IR is empty. Its first line is, for example, unit 0 all_lanes.");
  return unit;
}

}  // namespace warplens::exec::jit
