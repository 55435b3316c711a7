// Ops on mbarrier objects, PTX ISA 9.7.13.15, shared by the families that use them. Private to core/program.
#pragma once

#include "core/program/decode/emitter.h"
#include "core/program/op/mbarrier_op.h"

namespace warplens::program {

void append_mbarrier(Emitter& emitter, uint32_t index, const Instruction& instruction, MbarrierOp mbarrier,
                     const Operand& address, Modifier space);

}  // namespace warplens::program
