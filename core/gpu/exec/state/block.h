// The state that all warps of a worker's current block share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>

#include "core/base/dim3.h"
#include "core/gpu/exec/state/memory.h"
#include "core/gpu/exec/state/program.h"
#include "core/program/op/matrix_op.h"

namespace warplens::program {
struct Program;
}

namespace warplens::exec {

struct Console;
struct DeviceWorks;  // core/gpu/exec/state/device_work.h
class DeviceRuntime;
class Watch;
class CompiledProgram;
class ShapePool;
class AccessRecorder;  // core/gpu/exec/state/observer.h
struct TraceLog;
struct BlockCount;  // core/gpu/exec/state/counters.h
struct MemoryOpState;

// Warps that have not started yet, have all lanes active, and run in machine code one after the other
// (core/gpu/exec/jit): when one exits, the next one begins. If they are all warps of the block, they also run
// from barrier to barrier: when the last one has come to it, the first one goes on behind it. Any other event
// ends the chain, at the warp `at`.
struct Chain {
  struct Warp* at = nullptr;
  struct Warp* end = nullptr;    // null: there is no chain, and an exiting warp returns
  const void* entry = nullptr;   // the code that each warp begins with
  int64_t steps = 0;             // steps that the block has left in this slice
  int64_t turn = 0;              // how many of them one warp may use
  struct Warp* begin = nullptr;  // the first warp; null if warps of the block are missing
  const Op* from = nullptr;  // where all warps began or begin, after a barrier; null: the program's first op
  const Op* met = nullptr;   // the barrier where those before `at` wait; null: they have exited
};

struct PartedWarps;  // core/gpu/exec/state/parted.h
class PassedFaults;  // core/gpu/exec/state/passed_faults.h

// The state that all warps of a worker's current block share.
struct BlockContext {
  Memory* memory = nullptr;
  std::byte* shared = nullptr;
  uint32_t shared_bytes = 0;
  const std::byte* parameters = nullptr;
  uint32_t parameter_bytes = 0;
  uint32_t local_bytes = 0;  // per thread, stack included
  const program::Program* program = nullptr;
  Console* console = nullptr;
  DeviceWorks* works = nullptr;      // what the block gives to the device
  DeviceRuntime* runtime = nullptr;  // null: nothing that the block gives is run
  Dim3 block_extent, grid_extent;
  uint64_t clock = 0;  // steps of all warps in earlier turns
  BlockCount* counts = nullptr;
  MemoryOpState* memory_ops = nullptr;
  const TextureAccess* textures = nullptr;  // textures of the program
  AccessRecorder* recorder = nullptr;
  // The same recorder, if it needs all loads and stores of the space; otherwise null.
  AccessRecorder *global_recorder = nullptr, *shared_recorder = nullptr;
  Watch* watch = nullptr;  // is told of all ordering and initialisation, see core/gpu/exec/state/watch.h
  Watch* notes = nullptr;  // is told of the ops of run_watch; can be set while `watch` is null
  const MatrixOp* matrices = nullptr;  // matrix instructions of the program
  ShapePool* shapes = nullptr;         // null: each access is analysed again
  CompiledProgram* code = nullptr;     // null: the handlers run everything
  bool count_memory = true;
  TraceLog* trace = nullptr;       // null: instructions are not recorded, or not by this log
  PartedWarps* parted = nullptr;   // null: warps that arrive at a barrier in parts are a fault
  PassedFaults* passed = nullptr;  // null: an access outside of memory ends the launch
  std::exception_ptr thrown;       // exception thrown in a function that compiled code called
  bool exclusive = true;           // no other worker touches device memory: atomics need no lock
  Dim3 block_position{0, 0, 0};
  uint64_t first_writer = 0;  // the writer number of the block's first thread
  // The values of the special registers that change from block to block, in the order of
  // Program::block_specials: %ctaid and %clusterid with four components each, and %smid.
  std::array<uint64_t, 9> special_values{};
  std::byte* frames = nullptr;  // register frames of all warps
  uint32_t warps = 0;
  // The frames do not have these values yet: so far, only compiled code has run in this block.
  bool frames_lack_specials = false;
  uint64_t block_sectors = 0, block_divergences = 0;  // counts of this block, for heat maps
  Chain chain;
};

// Stores special_values in the frames, if frames_lack_specials is set.
void fill_block_specials(BlockContext& block);

}  // namespace warplens::exec
