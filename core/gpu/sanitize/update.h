// Updates: code that reads a word, computes a new value from it and writes that back, as sum[0] += x[i] does.
// Only an atomic makes one step of it, so a race between two updates needs other advice than a barrier.
#pragma once

#include <cstdint>

#include "core/program/program.h"

namespace warplens::sanitize {

// How the new value comes from the old one.
enum class Update : uint8_t {
  none,
  add,
  subtract,
  minimum,
  maximum,
  and_,
  or_,
  xor_,
  test,  // the old value decides whether a new one is written: if (x > top[0]) top[0] = x
  other
};

// The update that this load or store is a part of. It is told by the code alone: the load and the store have
// the same address operand, and the loaded value comes into the stored one.
Update update_of(const program::Program& program, uint32_t instruction);

// The atomic function that makes one step of it: "atomicAdd()".
const char* atomic_of(Update update);

}  // namespace warplens::sanitize
