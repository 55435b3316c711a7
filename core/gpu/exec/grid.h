// Runs all blocks of one launch on a number of workers.
//
// Blocks start in order. A worker runs one block until it ends or its slice is used up; then it starts or
// resumes another, so that a block that waits for an earlier one cannot hold it up. Counters belong to a
// worker and are merged at the end, so results do not depend on the number of workers.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/base/dim3.h"
#include "core/gpu/exec/jit/compiled.h"
#include "core/gpu/exec/state/console.h"
#include "core/gpu/exec/state/memory.h"
#include "core/gpu/exec/state/warp.h"
#include "core/gpu/exec/state/watch.h"
#include "core/launch/backend.h"
#include "core/launch/run_result.h"
#include "core/program/program.h"

namespace warplens::exec {

class Block;
enum class BlockState : uint8_t { running, finished, fault };

// Hears which block a worker runs from now on. With one worker, blocks start in order.
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
  bool learn_shapes = true;  // of memory accesses: core/gpu/exec/state/access_shape.h
  Tier tier = wished_tier();
  bool record_blocks = false;
  uint32_t workers = 1;
  uint64_t step_budget = 0;
  // Behind the end of the budget, the time in which a block must end for the launch to go on.
  std::chrono::milliseconds patience{0};
  AccessRecorder* recorder = nullptr;
  TraceLog* trace = nullptr;                // core/gpu/exec/state/trace_log.h; one worker only
  BlockObserver* block_observer = nullptr;  // one worker only
  Watch* notes = nullptr;                   // of a program that was decoded for it
  Watch* watch = nullptr;                   // one worker only
  PartedWarps* parted = nullptr;            // where warps may come to barriers in parts
  uint64_t seed = 0;                        // the schedule, see core/gpu/exec/state/schedule.h
  bool may_part = false;                    // other schedules may let lanes of a warp run apart
  int64_t turn_steps = longest_turn;        // what a warp may run before the next one of its block
  bool cooperative = false;     // all blocks are under way together, so that they can wait for each other
  uint64_t grid_workspace = 0;  // where grid.sync() of a cooperative launch counts; 0: not cooperative
  uint64_t index = 0;           // of the launch in its request: %gridid
  uint64_t first_block = 0, end_block = 0;  // the blocks to run: [first, end)
};

struct GridOutcome {
  // out_of_memory: of this machine; the blocks ended anywhere, and nothing else here says anything.
  enum class End : uint8_t { finished, fault, cancelled, out_of_memory } end = End::finished;
  Fault fault;
  Dim3 fault_block{0, 0, 0};
  uint64_t fault_block_place = 0;         // in the order in which blocks started
  std::vector<BlockCount> counts;         // per basic block of the program
  std::vector<MemoryOpState> memory_ops;  // per counted op
  std::vector<uint64_t> barriers;         // warps that arrived
  BlockStats blocks;
  Console console;  // in the order of the blocks
};

// What a block may run before another one gets its turn.
int64_t slice_steps_of(const GridLaunch& launch);

// On fewer workers than the launch asks for where the system gives no more threads or memory.
GridOutcome run_grid(const GridLaunch& launch, std::stop_token stop, Progress* progress);

}  // namespace warplens::exec
