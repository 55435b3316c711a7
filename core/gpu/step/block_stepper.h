// Runs one block of a launch forwards and backwards, instruction by instruction, and shows what is in it.
//
// The block runs alone, on the memory that its launch starts with (the steps before the launch have run):
// what other blocks of the launch write is not there. Options::earlier_blocks lets those before it run first.
// A block that waits for others ends with End::waits and a sentence that says so.
//
// Positions: position i lies before warp instruction i, counted over all warps in the order in which they
// run. 0 is the block's start. Going back restores the nearest checkpoint and runs forward from it;
// docs/stepping.md says what that costs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/gpu/step/block_view.h"
#include "core/gpu/step/options.h"

namespace warplens::stepping {

enum class Why : uint8_t {
  stepped,     // as far as was asked for
  breakpoint,  // before the instruction at which it is
  watchpoint,  // behind the instruction that touched the memory
  warp_waits,  // the warp waits, and the block ended before it went on
  finished,    // the warp, or the block
  fault,
  waits,      // see End::waits
  no_memory,  // see End::no_memory
  limit,      // as many instructions as one call may run
  cancelled
};

struct Stop {
  Why why = Why::stepped;
  uint64_t position = 0;
  uint32_t breakpoint = 0;  // which: breakpoint, watchpoint
  uint32_t warp = 0;        // that is there
  uint32_t lanes = 0;   // breakpoint: those for which its condition holds; watchpoint: those that touch it
  std::string message;  // a sentence for people; empty where there is nothing to say
};

struct Breakpoint {
  enum class Kind : uint8_t { ptx_line, source_line, function, read, write, access } kind = Kind::ptx_line;
  uint32_t line = 0;
  std::string file = {};      // source_line: the file's name or its end; empty: the kernel's own, or any
  std::string function = {};  // by its name in the PTX
  Space space = Space::global;
  uint64_t address = 0, bytes = 4;    // read, write, access: global, shared or local memory
  std::optional<uint32_t> warp = {};  // only this one
  std::string condition = {};         // of a lane; empty: always
};

// How far to run.
struct Goal {
  enum class Kind : uint8_t {
    end,
    instructions,  // `count` of them, of any warp
    instruction,   // one of the warp
    line,          // to another line of the kernel source, into calls
    over,          // to another line, past calls
    out,           // until the function returns
    barrier,       // to the warp's next barrier instruction
  } kind = Kind::end;
  uint32_t warp = 0;
  uint64_t count = 1;
};

struct DeviceMemory {
  std::string name;  // of the buffer or variable
  uint64_t address = 0, bytes = 0;
  int32_t buffer = -1;  // in LaunchRequest::buffers
};

class BlockStepper {
 public:
  static Result<BlockStepper> open(std::shared_ptr<const LaunchRequest> request, Dim3 block,
                                   const Options& options = {}, std::stop_token stop = {});
  BlockStepper(BlockStepper&&) noexcept;
  BlockStepper& operator=(BlockStepper&&) noexcept;
  ~BlockStepper();

  // --- where it is
  uint64_t position() const;
  uint64_t recorded() const;                 // the farthest position so far
  std::optional<uint64_t> length() const;    // the last one, where the block has been run to its end
  End end() const;                           // why nothing runs any more
  std::optional<Incident> incident() const;  // of End::fault: where and what
  std::string end_message() const;
  // What runs next; its guard is looked at, its memory access is not known yet. Empty: nothing.
  std::optional<TraceEntry> next() const;
  // What ran between positions 0 and recorded(); no more than Options::trace_limit.
  std::span<const TraceEntry> trace() const;
  // Of the instruction before this position.
  std::span<const SteppedAccess> accesses() const;

  // --- moving. Each stops at breakpoints on its way forward. `stop` ends the call soon, with Why::cancelled.
  Stop run(const Goal& goal, const std::stop_token& stop = {}, uint64_t most = 100'000'000);
  Stop run_to_line(Breakpoint::Kind kind, uint32_t line, std::optional<uint32_t> warp,
                   const std::stop_token& stop = {});
  // Whether a breakpoint holds at this position: each call that moves goes on past that.
  std::optional<Stop> here() const;
  // One instruction of the warp now, before any other: what was recorded behind here is forgotten if another
  // warp's was next. A warp that waits goes on when the others let it.
  Stop step_warp(uint32_t warp, const std::stop_token& stop = {});
  Stop back(uint64_t count = 1);
  // To any position; past recorded() it runs on, and breakpoints are not looked at.
  Stop jump(uint64_t position, const std::stop_token& stop = {});

  // --- breakpoints
  Result<uint32_t> add(const Breakpoint& breakpoint);  // gives its number
  void remove(uint32_t number);
  std::vector<uint32_t> breakpoints() const;

  // --- what is in it
  uint32_t warps() const;
  WarpView warp(uint32_t number) const;
  std::vector<BarrierView> barriers() const;
  // Of the function that the warp's next path is in, or of one by its number.
  std::vector<RegisterView> registers(uint32_t warp) const;
  std::vector<RegisterView> registers(uint32_t warp, uint32_t function) const;
  // Those that the instruction of this entry writes.
  std::vector<RegisterView> written(const TraceEntry& entry) const;
  std::optional<RegisterView> find_register(uint32_t warp, std::string_view name) const;
  // Local memory is that of a thread, counted in its block.
  Result<Bytes> read(Space space, uint64_t address, uint64_t bytes, uint32_t thread = 0) const;
  uint64_t bytes_of(Space space) const;  // shared; local: of a thread
  std::vector<DeviceMemory> device_memory() const;
  const std::string& console() const;

  const ProgramTable& table() const;
  CodePlace place(uint32_t instruction) const { return table().place(instruction); }
  std::string text_of(uint32_t instruction) const;  // as the printer of PTX writes it
  Dim3 block() const;
  const LaunchStep& launch() const;
  const LaunchRequest& request() const;

  // Exact at a block's end; before it, basic blocks under way count as a whole.
  Counters counters() const;
  uint64_t hash() const;  // of all that the block can see, to compare states within this stepper
  size_t checkpoints() const;
  size_t checkpoint_bytes() const;

 private:
  struct State;
  explicit BlockStepper(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace warplens::stepping
