// Ops on the objects of mbarrier, PTX ISA 9.7.13.15, for the families that have some. Private to
// core/program.
#pragma once

#include "core/program/decode/emitter.h"
#include "core/program/op/mbarrier_op.h"

namespace warplens::program {

void append_mbarrier(Emitter& emitter, uint32_t index, const Instruction& instruction, MbarrierOp mbarrier,
                     const Operand& address, Modifier space);

}  // namespace warplens::program
