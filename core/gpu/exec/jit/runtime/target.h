// The compilers of basic blocks, and the machines that each is for.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gpu/exec/jit/runtime/row_shape.h"
#include "core/gpu/exec/state/access_group.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/program.h"

namespace warplens::exec {
struct Observers;
}  // namespace warplens::exec

namespace warplens::exec::jit {

// The step from lane to lane in rows, and the width of the lanes.
struct StepOfShape {
  int64_t step;
  uint32_t lane_bytes;
  RowShape rows;
  bool operator==(const StepOfShape&) const = default;
};
using StepsOfShapes = std::vector<StepOfShape>;
// By the counter of the first instruction. They stay where they are.
using GroupsOfAccesses = std::map<uint32_t, GroupedAccesses>;

// Runs a warp from a place in the code that a target made. Returns the same as a handler.
using Enter = const Op* (*)(Warp*, const void*);

struct CompileRequest {
  const program::Program* program = nullptr;
  const Op* ops = nullptr;  // the ops that run: those of the program, or of its traced copy
  const std::vector<uint32_t>* starts = nullptr;  // of basic blocks
  Mode mode = program::all_lanes;
  bool live = false;  // not all 32 lanes are there: the others' registers are free (CodeFor::live)
  const Observers* observers = nullptr;
  bool checks = false;                                // check the operands of each instruction, for tests
  const std::atomic<const void*>* entries = nullptr;  // per op: where other code of this mode continues
  StepsOfShapes* steps_of_shapes = nullptr;           // steps that have a place on the code's stack
  GroupsOfAccesses* groups = nullptr;                 // that code of this mode knows
};

// `enter` is null if the encoder or the system refused.
struct Made {
  Enter enter = nullptr;
  std::vector<std::pair<uint32_t, const void*>> entered;  // where code can be entered: an op, and its place
  std::shared_ptr<void> kept;                             // owns the code
};

// False if this build has no encoder. Then nothing is ever compiled.
bool can_compile();

struct Target {
  std::string_view name;
  std::string_view handlers;  // the instruction set of the handlers that the code calls; empty: any
  bool traces;                // notes the instructions of a traced run
  Made (*compile)(const CompileRequest&);
};

}  // namespace warplens::exec::jit
