// Values that calls pass, in the frame: .param variables as rows of words, .reg variables as registers (PTX
// ISA 7.1). Private to core/program.
#pragma once

#include <cstdint>
#include <optional>

#include "core/program/decode/emitter.h"
#include "core/program/op/memory_op.h"

namespace warplens::program {

// The place of a variable in the frame.
SlotRange piece_of(const ptx::Variable& variable, uint32_t slot);
uint32_t rows_for(Emitter& emitter, const ptx::Variable& variable);

// Assigns registers and rows to the values that a call passes, and to the .param variables of the body.
void give_signature_slots(Emitter& emitter);
// Copies parameters whose address is taken to local memory, as the first ops of the function.
void spill_parameters(Emitter& emitter);

// The rows of a .param variable that a call passes; empty for other variables.
std::optional<SlotRange> passed_variable(const Emitter& emitter, const Operand& symbol);
// For ld.param and st.param of a passed value: the address is its row and an offset in it. False if it is
// another address, or if the access extends past the variable's end.
bool set_passed_address(const Emitter& emitter, Op& op, const AccessOp& access, const Operand& address,
                        uint32_t element_bytes);

}  // namespace warplens::program
