// What one instruction makes of one thread's values, as the PTX ISA manual says it, in 64-bit integers and
// host floats.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/ptx/tree.h"

namespace warplens::reference {

// The low bits of a value; from them, the number that a type means (sign-extended where it has a sign).
uint64_t low_bits(uint64_t value, uint32_t bits);
uint64_t number_of(uint64_t value, ptx::Modifier type);

// `type` is the instruction's, or the first of two. Empty: not covered.
std::optional<bool> compare(ptx::Modifier how, ptx::Modifier type, uint64_t a, uint64_t b);
std::optional<uint64_t> compute(const ptx::Instruction& instruction, std::span<const ptx::Modifier> modifiers,
                                std::span<const uint64_t> sources);
// What atom, red and redux do with the old value: add, min, max, and, or, xor, inc, dec, exch.
std::optional<uint64_t> combine(ptx::Modifier operation, ptx::Modifier type, uint64_t old_value,
                                uint64_t operand);

}  // namespace warplens::reference
