// What compiles basic blocks of a program, and for which machines: the list from which a program gets its
// code.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gpu/exec/jit/runtime/row_shape.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/program.h"

namespace warplens::exec {
struct Lookers;
}  // namespace warplens::exec

namespace warplens::exec::jit {

// A step from lane to lane of rows, and how wide the lanes are.
struct StepOfShape {
  int64_t step;
  uint32_t lane_bytes;
  RowShape rows;
  bool operator==(const StepOfShape&) const = default;
};
using StepsOfShapes = std::vector<StepOfShape>;

// Runs a warp from a place on that a target made; returns what a handler does.
using Enter = const Op* (*)(Warp*, const void*);

struct CompileRequest {
  const program::Program* program = nullptr;
  const Op* ops = nullptr;  // those that run: of the program, or of its copy that is traced
  const std::vector<uint32_t>* starts = nullptr;  // of basic blocks
  Mode mode = program::all_lanes;
  const Lookers* lookers = nullptr;
  bool checks = false;                                // the operands of each instruction, for tests
  const std::atomic<const void*>* entries = nullptr;  // what other code of this mode goes on by, per op
  StepsOfShapes* steps_of_shapes = nullptr;           // for which the stack of the code has places
};

// `enter` is null where the encoder or the system refused.
struct Made {
  Enter enter = nullptr;
  std::vector<std::pair<uint32_t, const void*>> entered;  // where code can begin: an op, and its place
  std::shared_ptr<void> kept;                             // what holds the code
};

// False: this build has no encoder, and nothing is ever compiled.
bool can_compile();

struct Target {
  std::string_view name;
  std::string_view handlers;  // the instruction set whose handlers run beside the code; empty: any
  bool traces;                // notes the instructions of a traced run
  Made (*compile)(const CompileRequest&);
};

}  // namespace warplens::exec::jit
