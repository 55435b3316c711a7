// Operands that are matrices in the registers of a warp. Private to core/program.
#pragma once

#include <span>

#include "core/program/decode/emitter.h"
#include "core/program/op/matrix_op.h"

namespace warplens::program {

// The registers of a matrix in braces, or the one without.
std::span<const Operand> registers_of(const Emitter& emitter, const Operand& operand);

// The matrix that wmma.load or wmma.store names, as matrix.d. False: refused.
bool set_stored_matrix(Emitter& emitter, const Instruction& instruction, MatrixOp& matrix,
                       const Operand& operand, bool store);

}  // namespace warplens::program
