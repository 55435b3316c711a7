// Which values are in vector and mask registers, and when. Code is straight, so what is best is known: where
// a register is needed, the value that is used latest leaves its one. A target asks for a region of lanes, or
// for a whole unit.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/gpu/exec/jit/ir/ir.h"

namespace warplens::exec::jit {

// What a target has for values. Of three sources and a result of 64 bits a lane there has to be room at
// least.
struct RegisterFile {
  uint32_t vectors = 0;
  uint32_t masks = 0;  // for predicates; 0: these are in vectors, too
  bool whole_warp =
      false;  // a vector is half a warp of 32 bits a lane, and not a strip that is computed alone
  // Whether the instruction's result may have the registers of a source that nobody uses behind it; null: no.
  bool (*reuses)(const Instruction& i, size_t source) = nullptr;
};

// The registers of a value. What is the same in all lanes of a warp has one, which is named several times.
using Registers = std::array<uint8_t, 4>;
constexpr uint32_t registers_of(Type type) { return type == Type::b64 ? 2 : 1; }
constexpr uint32_t warp_registers_of(Type type) { return type == Type::b64 ? 4 : type == Type::b32 ? 2 : 1; }
// One register has all lanes of it.
inline bool is_uniform(const Instruction& maker) {
  if (result_of(maker) == Type::pred || result_of(maker) == Type::b16) return false;
  return is_same_in_all_lanes(maker);
}

// Where a value is; neither: it is a row, or the frame has it.
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
    row,      // the instruction, of first lanes alone
    warp      // the instruction, which concerns the warp as a whole
  };
  Kind kind = Kind::compute;
  const Instruction* instruction = nullptr;  // of a load and a spill: the one that made the value
  Registers result{};
  std::array<Registers, 3> sources{};
  std::optional<uint32_t> place = {};  // of a spill, and of a load from there
  // Of `warp`: where the values are that are used there or behind; of `loop`, what a round starts with.
  std::vector<Location> held = {};
  // Of `again`, all at once: from where values are now to where a round starts with them.
  std::vector<std::pair<Location, Location>> moves = {};
};

struct RegisterPlan {
  std::vector<Action> actions;
  uint32_t places = 0;  // for values of 64 bits a lane
};

// A region, or a unit. Rows, and what the frame has, are not spilled, since they can be loaded again.
RegisterPlan allocate(std::span<const Instruction> code, const std::vector<const Instruction*>& makers,
                      const RegisterFile& file);

}  // namespace warplens::exec::jit
