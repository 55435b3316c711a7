// Which values of a region are in vector registers, and when. A region is straight code that computes some
// lanes at a time, so what is best is known: where a register is needed, the value that is used latest leaves
// its one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/gpu/exec/jit/ir/ir.h"

namespace warplens::exec::jit {

// The registers of a value, two for lanes of 64 bits.
using Registers = std::array<uint8_t, 2>;
constexpr uint32_t registers_of(Type type) { return type == Type::b64 ? 2 : 1; }

struct Action {
  enum class Kind : uint8_t {
    load,     // brings a value into `result`: from the frame, from a row, or where it was spilled
    spill,    // keeps the value in `sources[0]` for later
    compute,  // the instruction
    put       // the instruction, which writes the frame
  };
  Kind kind = Kind::compute;
  const Instruction* instruction = nullptr;  // of a load and a spill: the one that made the value
  Registers result{};
  std::array<Registers, 3> sources{};
  std::optional<uint32_t> place = {};  // of a spill, and of a load from there
};

struct RegisterPlan {
  std::vector<Action> actions;
  uint32_t places = 0;  // for values of 64 bits a lane
};

// What a value is made of outside of the region, so that it need not be spilled; null: it was computed in it.
// The number of registers has to be that of three sources and a result of 64 bits at least.
RegisterPlan allocate(std::span<const Instruction> region, const std::vector<const Instruction*>& makers,
                      uint32_t registers);

}  // namespace warplens::exec::jit
