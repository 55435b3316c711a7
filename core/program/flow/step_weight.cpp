#include "core/program/flow/step_weight.h"

#include <algorithm>

namespace warplens::program {

namespace {

using ptx::Modifier;
using ptx::Opcode;

uint32_t weight_of_opcode(Opcode opcode, bool wide) {
  switch (opcode) {
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
    case Opcode::ex2:
    case Opcode::tanh:
      return 160;  // a call of the C library for each lane
    case Opcode::div:
    case Opcode::rem:
      return wide ? 80 : 40;
    case Opcode::rsqrt:
    case Opcode::sqrt:
    case Opcode::rcp:
      return wide ? 40 : 16;
    case Opcode::brev:
      return wide ? 80 : 24;
    case Opcode::atom:
    case Opcode::red:
      return 40;
    case Opcode::mma:
    case Opcode::wmma:
      return 400;
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix:
    case Opcode::cp:
      return 60;
    case Opcode::cvt:
    case Opcode::bfe:
    case Opcode::bfi:
    case Opcode::prmt:
    case Opcode::lop3:
    case Opcode::fma:
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
      return wide ? 6 : 3;
    case Opcode::call:
      return 20;
    case Opcode::bar:
    case Opcode::barrier:
      return 10;  // looks at all warps of the block
    default:
      return ptx::unit_of(opcode) == ptx::Unit::video ? 100 : 1;
  }
}

bool is_16_bit_float(Modifier type) {
  return type == Modifier::f16 || type == Modifier::f16x2 || type == Modifier::bf16 ||
         type == Modifier::bf16x2;
}

}  // namespace

uint32_t step_weight(const ptx::Function& function, const ptx::Instruction& instruction) {
  bool wide = false;
  uint32_t extra = 0;
  for (Modifier m : function.modifiers_of(instruction)) {
    wide = wide || (ptx::kind_of(m) == ptx::ModifierKind::type && ptx::bits_of(m) == 64);
    if (m == Modifier::rz || m == Modifier::rm || m == Modifier::rp)
      extra = 20;  // sets the CPU's rounding mode
    if (m == Modifier::v2 || m == Modifier::v4 || m == Modifier::v8) extra = 8;
    if (is_16_bit_float(m)) extra = 16;  // made in f64
  }
  return weight_of_opcode(instruction.opcode, wide) + extra;
}

}  // namespace warplens::program
