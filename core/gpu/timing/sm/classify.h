// Kinds of PTX instructions, as they matter for the machine code that is made of them.
#pragma once

#include "core/ptx/tree.h"

namespace warplens::sm {

bool has(const ptx::Function& function, const ptx::Instruction& instruction, ptx::Modifier wanted);
bool is_shared(const ptx::Function& f, const ptx::Instruction& i);  // an access to shared memory
bool is_parameter_load(const ptx::Function& f, const ptx::Instruction& i);
bool is_special_register(const ptx::Function& f, const ptx::Instruction& i);
bool is_wide_type(const ptx::Function& f, const ptx::Instruction& i);  // of 64-bit integers
// Signs of floats: the instruction that needs the result turns its operand.
bool is_of_a_sign(const ptx::Function& f, const ptx::Instruction& i);
// Combinations of predicates: the comparison before does them too.
bool is_of_predicates(const ptx::Function& f, const ptx::Instruction& i);
bool is_branch(ptx::Opcode opcode);
bool is_exit(ptx::Opcode opcode);
// The operand in brackets. Null if there is none.
const ptx::Operand* address_of(const ptx::Function& f, const ptx::Instruction& i);

}  // namespace warplens::sm
