// Operands that are matrices in the registers of a warp. Private to core/program.
#pragma once

#include <span>

#include "core/program/decode/emitter.h"
#include "core/program/op/matrix_op.h"

namespace warplens::program {

// The registers of a matrix in braces, or a single register without braces.
std::span<const Operand> registers_of(const Emitter& emitter, const Operand& operand);

// Sets matrix.d to the matrix that wmma.load or wmma.store names. Returns false if it is refused.
bool set_stored_matrix(Emitter& emitter, const Instruction& instruction, MatrixOp& matrix,
                       const Operand& operand, bool store);

}  // namespace warplens::program
