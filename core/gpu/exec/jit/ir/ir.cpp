#include "core/gpu/exec/jit/ir/ir.h"

#include <algorithm>

namespace warplens::exec::jit {

namespace {

constexpr auto k_number_names = std::to_array<std::string_view>(
    {"", "value", "table", "shuffle", "place", "last", "offset", "steps", "depth", "run", "to"});
constexpr auto k_condition_names = std::to_array<std::string_view>(
    {"", "eq", "ne", "lt", "le", "gt", "ge", "num", "nan", "equ", "neu", "ltu", "leu", "gtu", "geu"});

}  // namespace

std::optional<Opcode> opcode_of(std::string_view text) {
  const auto found = std::ranges::find(k_opcodes, text, &OpcodeInfo::text);
  return found == k_opcodes.end() ? std::nullopt : std::optional(found->opcode);
}

std::string_view name_of(Number number) { return k_number_names[static_cast<size_t>(number)]; }

std::string_view name_of(Condition condition) { return k_condition_names[static_cast<size_t>(condition)]; }

std::optional<Condition> condition_of(std::string_view text) {
  const auto found = std::find(k_condition_names.begin() + 1, k_condition_names.end(), text);
  if (found == k_condition_names.end()) return {};
  return static_cast<Condition>(found - k_condition_names.begin());
}

Type result_of(const Instruction& i) {
  if (!is_load(i.opcode) || i.result == no_value) return info_of(i.opcode).result;
  const uint32_t bytes = i.access.register_bytes;
  return bytes == 2 ? Type::b16 : bytes == 4 ? Type::b32 : Type::b64;
}

Opcode get_of(Type type) {
  return type == Type::b16   ? Opcode::get_b16
         : type == Type::b32 ? Opcode::get_b32
         : type == Type::b64 ? Opcode::get_b64
                             : Opcode::get_pred;
}

Opcode carried_of(Type type) {
  return type == Type::b16   ? Opcode::carried_b16
         : type == Type::b32 ? Opcode::carried_b32
         : type == Type::b64 ? Opcode::carried_b64
                             : Opcode::carried_pred;
}

Opcode put_of(Type type) {
  return type == Type::b16   ? Opcode::put_b16
         : type == Type::b32 ? Opcode::put_b32
         : type == Type::b64 ? Opcode::put_b64
                             : Opcode::put_pred;
}

}  // namespace warplens::exec::jit
