// What calls pass, in the frame: .param variables as rows of words, .reg ones as registers (PTX ISA 7.1).
// Private to core/program.
#pragma once

#include <cstdint>
#include <optional>

#include "core/program/decode/emitter.h"
#include "core/program/op/memory_op.h"

namespace warplens::program {

// How a variable lies in the frame.
Piece piece_of(const ptx::Variable& variable, uint32_t slot);
uint32_t rows_for(Emitter& emitter, const ptx::Variable& variable);

// Registers and rows for what a call passes, and for the .param variables of the body.
void give_signature_slots(Emitter& emitter);
// Parameters whose address is taken go to local memory first of all.
void spill_parameters(Emitter& emitter);

// The rows of a .param variable that a call passes; empty: none of those.
std::optional<Piece> passed_variable(const Emitter& emitter, const Operand& symbol);
// ld.param and st.param of what a call passes: the address is the row, and an offset in it. False: the
// address is another one, or the access reaches over the variable's end.
bool set_passed_address(const Emitter& emitter, Op& op, const AccessOp& access, const Operand& address,
                        uint32_t element_bytes);

}  // namespace warplens::program
