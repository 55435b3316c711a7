// Runs all blocks of one launch on several workers.
//
// Blocks start in order. A worker runs one block until it ends or its slice is used up. Then it starts or
// resumes another, so a block that waits for an earlier one cannot hold that one up. Each worker has its own
// counters, which are merged at the end, so results do not depend on the number of workers.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/base/dim3.h"
#include "core/gpu/exec/jit/compiled.h"
#include "core/gpu/exec/state/console.h"
#include "core/gpu/exec/state/counters.h"
#include "core/gpu/exec/state/device_work.h"
#include "core/gpu/exec/state/memory.h"
#include "core/gpu/exec/state/observer.h"
#include "core/gpu/exec/state/warp.h"
#include "core/gpu/exec/state/watch.h"
#include "core/launch/backend.h"
#include "core/launch/run_result.h"
#include "core/program/program.h"

namespace warplens::exec {

class Block;
class KeptWorkers;  // core/gpu/exec/kept_workers.h
enum class BlockState : uint8_t { running, finished, fault };

// Is told which block a worker runs from now on. With one worker, blocks start in order.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual void enter(uint64_t block) = 0;
};

struct GridLaunch {
  const program::Program* program = nullptr;
  Memory* memory = nullptr;
  Dim3 grid, block;
  uint32_t shared_bytes = 0;  // static and dynamic
  uint32_t shared_dynamic_bytes = 0;
  std::vector<std::byte> parameters;
  uint32_t sms = 1;
  bool count_memory = true;
  bool learn_shapes = true;  // learn the shapes of memory accesses: core/gpu/exec/state/access_shape.h
  Tier tier = Tier::hot;
  bool record_blocks = false;
  uint32_t workers = 1;
  uint64_t step_budget = 0;
  // After the budget is used up, the time in which some block must end for the launch to continue.
  std::chrono::milliseconds patience{0};
  AccessRecorder* recorder = nullptr;
  TraceLog* trace = nullptr;                // core/gpu/exec/state/trace_log.h; one worker only
  BlockObserver* block_observer = nullptr;  // one worker only
  Watch* notes = nullptr;                   // for a program that was decoded with notes
  Watch* watch = nullptr;                   // one worker only
  PartedWarps* parted = nullptr;            // set where warps may arrive at barriers in parts
  DeviceRuntime* runtime = nullptr;         // null: what kernels launch is not run
  PassedFaults* passed = nullptr;           // set where the launch goes on after accesses outside of memory
  uint64_t seed = 0;                        // the schedule, see core/gpu/exec/state/schedule.h
  bool may_part = false;                    // schedules with a seed may let lanes of a warp run apart
  int64_t turn_steps = longest_turn;        // steps that a warp may run before the next warp of its block
  bool cooperative = false;     // all blocks run concurrently, so that they can wait for each other
  uint64_t grid_workspace = 0;  // address of the counter of grid.sync(); 0: the launch is not cooperative
  uint64_t index = 0;           // index of the launch in its request: %gridid
  uint64_t first_block = 0, end_block = 0;  // the blocks to run: [first, end)
  KeptWorkers* kept = nullptr;              // of earlier launches of the program; null: none are kept
};

struct GridOutcome {
  // out_of_memory: this machine has too little memory. The blocks stopped anywhere; no other member is valid.
  enum class End : uint8_t { finished, fault, cancelled, out_of_memory } end = End::finished;
  Fault fault;
  Dim3 fault_block{0, 0, 0};
  uint64_t fault_block_place = 0;         // position in the order in which blocks started
  std::vector<BlockCount> counts;         // per basic block of the program
  std::vector<MemoryOpState> memory_ops;  // per counted op
  std::vector<uint64_t> barriers;         // warps that arrived
  BlockStats blocks;
  Console console;                // in the order of the blocks
  std::vector<DeviceWork> works;  // of a grid that finished, in the order in which they run
  // Errors of the runtime for kernels that no thread asked for: how many, and one of the first block that has
  // some.
  uint64_t unread_errors = 0;
  DeviceError unread_error = DeviceError::none;
};

// The number of steps that a block may run before another block has its turn.
int64_t slice_steps_of(const GridLaunch& launch);

// Uses fewer workers than the launch asks for if the system gives no more threads or memory, or if the blocks
// are done before others could help.
GridOutcome run_grid(const GridLaunch& launch, std::stop_token stop, Progress* progress);

}  // namespace warplens::exec
