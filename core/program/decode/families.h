// The functions that decode instructions, one file for each family (decode_*.cpp). Each appends the ops of
// one instruction, or refuses it. A column of core/ptx/opcodes.def says which function decodes an opcode.
// Private to core/program.
#pragma once

#include <cstdint>

#include "core/program/decode/emitter.h"

namespace warplens::program {

using DecodeFunction = void (*)(Emitter& emitter, uint32_t index, const Instruction& instruction);
DecodeFunction decoder_of(Opcode opcode);

#define PTX_OPCODE(name, text, section, unit, decode, handlers) \
  void decode_##decode(Emitter& emitter, uint32_t index, const Instruction& instruction);
#define PTX_FORM(name, syntax, operands)
#include "core/ptx/opcodes.def"
#undef PTX_FORM
#undef PTX_OPCODE

// Emits a guarded instruction that ends a block as a branch around the unguarded one.
void branch_around(Emitter& emitter, uint32_t index, const Instruction& instruction);

}  // namespace warplens::program
