// Register allocation: which values are in vector and mask registers, and when. The code has no branches, so
// the best choice is known (Belady): when a register is needed, the value whose next use is furthest away is
// spilled. A target allocates a region of lanes, or a whole unit.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/gpu/exec/jit/ir/ir.h"

namespace warplens::exec::jit {

// The registers that a target has for values. There must be room for at least three sources and a result of
// 64 bits a lane.
struct RegisterFile {
  uint32_t vectors = 0;
  uint32_t masks = 0;       // for predicates; 0: these are in vectors, too
  bool whole_warp = false;  // a vector has half a warp with 32 bits a lane; else it has one strip
  // Whether the result may reuse the registers of a source whose last use this instruction is. Null: it may
  // not.
  bool (*reuses)(const Instruction& i, size_t source) = nullptr;
};

// The registers of a value. A value that is the same in all lanes has one register, which is repeated here.
using Registers = std::array<uint8_t, 4>;
constexpr uint32_t registers_of(Type type) { return type == Type::b64 ? 2 : 1; }
constexpr uint32_t warp_registers_of(Type type) { return type == Type::b64 ? 4 : type == Type::b32 ? 2 : 1; }
// Whether one register holds all lanes of the value.
inline bool is_uniform(const Instruction& maker) {
  if (result_of(maker) == Type::pred || result_of(maker) == Type::b16) return false;
  return is_same_in_all_lanes(maker);
}

// Where a value is. If it has neither, it is a row or the frame has it.
struct Location {
  uint32_t value = no_value;
  std::optional<Registers> registers = {};
  std::optional<uint32_t> place = {};
};

struct Action {
  enum class Kind : uint8_t {
    load,     // brings a value into `result`: from the frame, from a row, or where it was spilled
    spill,    // keeps the value in `sources[0]` for later
    compute,  // the instruction
    put,      // the instruction, which writes the frame
    row,      // the instruction, for first lanes only
    warp      // the instruction, which concerns the warp as a whole
  };
  Kind kind = Kind::compute;
  const Instruction* instruction = nullptr;  // of a load and a spill: the one that made the value
  Registers result{};
  std::array<Registers, 3> sources{};
  std::optional<uint32_t> place = {};  // of a spill, and of a load from there
  // For `warp` and for functions: where the values are that are used there or later. For `loop`: where the
  // values are when a round starts.
  std::vector<Location> held = {};
  // For `again`: moves of values from where they are now to where they must be when a round starts, all at
  // once.
  std::vector<std::pair<Location, Location>> moves = {};
};

struct RegisterPlan {
  std::vector<Action> actions;
  uint32_t places = 0;  // for values of 64 bits a lane
  bool fits = true;     // false if an instruction needs more registers than there are: no code can be made
};

// Allocates for a region or a unit. Rows and values in the frame are not spilled, since they can be loaded
// again.
RegisterPlan allocate(std::span<const Instruction> code, const std::vector<const Instruction*>& makers,
                      const RegisterFile& file);

}  // namespace warplens::exec::jit
