#include "core/gpu/timing/sm/classify.h"

#include <algorithm>

namespace warplens::sm {

using ptx::Modifier;
using ptx::Opcode;

bool has(const ptx::Function& function, const ptx::Instruction& instruction, Modifier wanted) {
  const auto modifiers = function.modifiers_of(instruction);
  return std::ranges::find(modifiers, wanted) != modifiers.end();
}

bool is_shared(const ptx::Function& f, const ptx::Instruction& i) {
  return has(f, i, Modifier::shared) || has(f, i, Modifier::shared_cta) || i.opcode == Opcode::ldmatrix;
}

bool is_parameter_load(const ptx::Function& f, const ptx::Instruction& i) {
  return i.opcode == Opcode::ld && has(f, i, Modifier::param);
}

bool is_special_register(const ptx::Function& f, const ptx::Instruction& i) {
  return i.opcode == Opcode::mov && f.operands_of(i).back().kind == ptx::OperandKind::special;
}

bool is_wide_type(const ptx::Function& f, const ptx::Instruction& i) {
  return std::ranges::any_of(f.modifiers_of(i), [](Modifier m) {
    return kind_of(m) == ptx::ModifierKind::type && bits_of(m) == 64 && !is_float(m);
  });
}

bool is_of_a_sign(const ptx::Function& f, const ptx::Instruction& i) {
  return (i.opcode == Opcode::neg || i.opcode == Opcode::abs) && !i.guarded &&
         std::ranges::any_of(f.modifiers_of(i),
                             [](Modifier m) { return m == Modifier::f32 || m == Modifier::f64; });
}

bool is_of_predicates(const ptx::Function& f, const ptx::Instruction& i) {
  const auto modifiers = f.modifiers_of(i);
  return std::ranges::find(modifiers, Modifier::pred) != modifiers.end() && i.opcode != Opcode::setp &&
         i.opcode != Opcode::selp;
}

bool is_branch(Opcode opcode) {
  return opcode == Opcode::bra || opcode == Opcode::brx || opcode == Opcode::call;
}
bool is_exit(Opcode opcode) {
  return opcode == Opcode::ret || opcode == Opcode::exit || opcode == Opcode::trap;
}

const ptx::Operand* address_of(const ptx::Function& f, const ptx::Instruction& i) {
  for (const ptx::Operand& operand : f.operands_of(i))
    if (operand.kind == ptx::OperandKind::address) return &operand;
  return nullptr;
}

}  // namespace warplens::sm
