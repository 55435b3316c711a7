// From which arguments of the kernel the address of each memory instruction was computed.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program/program.h"

namespace warplens::program {

// Per instruction of the program: a bit for each of the first 64 parameters whose value may be part of the
// address; 0: not known, or no access. Numbers that are added count too: who knows the arguments tells them
// from pointers.
std::vector<uint64_t> provenance_of(const Program& program);

}  // namespace warplens::program
