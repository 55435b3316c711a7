// The arguments of the kernel from which the address of each memory instruction is computed.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program/program.h"

namespace warplens::program {

// Per instruction of the program: a bit for each of the first 64 parameters whose value may be part of the
// address; 0 if it is not known, or not an access. Numbers that are added count too: the caller can tell them
// from pointers by the arguments.
std::vector<uint64_t> provenance_of(const Program& program);

}  // namespace warplens::program
