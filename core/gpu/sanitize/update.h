// Updates: code that reads a word, computes a new value from it and writes that back, as sum[0] += x[i] does.
// Only an atomic does this in one step, so the advice for a race between two updates is not a barrier.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program/program.h"

namespace warplens::sanitize {

// How the new value is computed from the old one.
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

// The update that this load or store is a part of. Only the code decides: the load and the store have the
// same address operand, and the stored value depends on the loaded one.
Update update_of(const program::Program& program, uint32_t instruction);

// The loads whose value a compare-and-swap expects at the address that they read. If they read an old value,
// the exchange fails, and its result says so; where nothing reads the result, there are none. Otherwise
// empty.
std::vector<uint32_t> guesses_for(const program::Program& program, uint32_t instruction);

// The atomic function that does this in one step: "atomicAdd()".
const char* atomic_of(Update update);

}  // namespace warplens::sanitize
