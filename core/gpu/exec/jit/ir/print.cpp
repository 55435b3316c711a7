// One instruction a line:
//   %5 = mad.b32 %1, %2, %3 @7 step 1
//   load.b64 %8 [512] offset 16 global u32 in 4 counter 3 @9 {b64 [256] %8}
// The parts, in this order where they are there: the result, the name, the sources, the register of the frame
// in brackets, and words. What a store has in registers is written as `of %7`.
#include <fmt/format.h>

#include "core/gpu/exec/jit/ir/ir.h"

namespace warplens::exec::jit {

namespace {

std::string_view name_of(Type type) {
  constexpr std::string_view names[] = {"none", "b16", "b32", "b64", "pred"};
  return names[static_cast<size_t>(type)];
}

const char* space_name(const Access& access) {
  return access.is_shared ? "shared" : access.is_constant ? "constant" : "global";
}

std::string print(const std::vector<Put>& puts) {
  std::string text;
  for (const Put& put : puts)
    text += fmt::format("{}{} [{}] {}%{}", &put == puts.data() ? "" : ", ", name_of(put.type), put.slot,
                        put.canonical ? "canonical " : "", put.value);
  return text;
}

}  // namespace

std::string print(const Instruction& i) {
  std::string text;
  if (i.result != no_value) text += fmt::format("%{} = ", i.result);
  text += info_of(i.opcode).text;
  const char* before = " ";
  for (const uint32_t source : i.sources) {
    if (source == no_value || is_store(i.opcode)) continue;
    text += fmt::format("{}%{}", before, source);
    before = ", ";
  }
  if (is_store(i.opcode) && i.sources[0] != no_value) text += fmt::format(" %{}", i.sources[0]);
  if (stored_value(i) != no_value) text += fmt::format(" of %{}", stored_value(i));
  if (i.slot != no_slot) text += fmt::format(" [{}]", i.slot);
  if (i.number != 0) text += fmt::format(" {} {}", name_of(info_of(i.opcode).number), i.number);
  if (i.condition != Condition::none) text += fmt::format(" if {}", name_of(i.condition));
  if (i.negated) text += " negated";
  if (i.forgotten) text += " forgotten";
  if (is_access(i.opcode) || (i.opcode == Opcode::note && i.access.bytes != 0))
    text += fmt::format(" {} {}{} in {} counter {}", space_name(i.access), i.access.is_signed ? "s" : "u",
                        8 * i.access.bytes, i.access.register_bytes, i.access.counter);
  text += fmt::format(" @{}", i.at);
  if (i.step) text += fmt::format(" step {}", *i.step);
  if (!i.rows.is_whole()) text += fmt::format(" by {}{}", i.rows.lanes, i.rows.alike ? " alike" : "");
  if (!i.state.empty()) text += " {" + print(i.state) + "}";
  if (!i.carries.empty()) text += " carries {" + print(i.carries) + "}";
  return text;
}

std::string print(const Unit& unit) {
  std::string text =
      fmt::format("unit {} {}\n", unit.start, unit.mode == program::all_lanes ? "all_lanes" : "some_lanes");
  for (const Instruction& instruction : unit.code) text += "  " + print(instruction) + "\n";
  return text;
}

}  // namespace warplens::exec::jit
