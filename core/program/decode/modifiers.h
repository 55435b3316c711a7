// What the types and modifiers of an instruction mean for decoding it. Private to core/program.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/launch/footprint.h"
#include "core/program/op/selector.h"
#include "core/ptx/tree.h"

namespace warplens::program {

using ptx::Instruction;
using ptx::Modifier;
using ptx::ModifierKind;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;
using ptx::SpecialRegister;

// The width of the register that holds a value of this type.
inline uint32_t register_bits(Modifier type) { return std::max(ptx::bits_of(type), 16u); }
inline bool is_predicate(Modifier type) { return type == Modifier::pred; }
inline bool is_half(Modifier type) { return type == Modifier::f16 || type == Modifier::bf16; }

// The selector for these modifiers.
Selector selector_of(const Instruction& instruction, std::span<const Modifier> modifiers);
bool has(std::span<const Modifier> modifiers, Modifier wanted);
// The flags of arithmetic and conversions of 16-bit floats (op.h).
uint8_t half_flags(std::span<const Modifier> modifiers);
// The state space among the modifiers; weak if there is none, so that the address is generic.
Modifier space_of(std::span<const Modifier> modifiers);
// The space as a report names it; generic if only the address decides.
Space space_for_report(Modifier space);
// Whether addresses of the space have 32 bits; those of global memory and generic ones have 64.
bool is_short_space(Modifier space);

}  // namespace warplens::program
