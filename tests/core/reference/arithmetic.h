// The result of one instruction for one thread's values, as the PTX ISA manual describes it, in 64-bit
// integers and host floats.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/ptx/tree.h"

namespace warplens::reference {

// The low bits of a value; from them, the number for a type (sign-extended if the type is signed).
uint64_t low_bits(uint64_t value, uint32_t bits);
uint64_t number_of(uint64_t value, ptx::Modifier type);

// `type` is the instruction's type, or the first of two. Empty if not covered.
std::optional<bool> compare(ptx::Modifier how, ptx::Modifier type, uint64_t a, uint64_t b);
std::optional<uint64_t> compute(const ptx::Instruction& instruction, std::span<const ptx::Modifier> modifiers,
                                std::span<const uint64_t> sources);
// The new value of atom, red and redux: add, min, max, and, or, xor, inc, dec, exch.
std::optional<uint64_t> combine(ptx::Modifier operation, ptx::Modifier type, uint64_t old_value,
                                uint64_t operand);

}  // namespace warplens::reference
