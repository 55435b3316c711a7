// What one instruction of the processor does, for each vector of lanes: the rows that both targets share.
#pragma once

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/gpu/exec/jit/target/x64/assembler.h"

namespace warplens::exec::jit::x64 {

struct LaneInstruction {
  Opcode opcode;
  uint32_t sources;  // 1 or 2
  Id avx2, avx512;   // Inst::kIdNone: it takes more than one there
};
// Null if it takes more on both.
const LaneInstruction* lane_instruction(Opcode opcode);

// Shifts of each lane by a number, and by the lane of another vector. kIdNone: AVX2 has none.
struct ShiftInstruction {
  Opcode opcode;
  Id by_number, by_lane;
};
const ShiftInstruction& shift_instruction(Opcode opcode);

// A conversion to an integer or an integral number, and how VROUNDPS and VRNDSCALEPS round for it, without
// exceptions.
enum class Rounds : uint8_t { to_f32, to_f64, to_s32, to_u32 };
struct Rounding {
  Opcode opcode;
  Rounds rounds;
  int how;
};
// Null for other opcodes.
const Rounding* rounding_of(Opcode opcode);

}  // namespace warplens::exec::jit::x64
