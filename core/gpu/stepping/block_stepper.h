// Runs one block of a launch forwards and backwards, instruction by instruction, and shows what is in it.
//
// Only this block runs, on the memory that its launch starts with (the steps before the launch have run). It
// does not see what other blocks of the launch write. With Options::earlier_blocks, the blocks before it run
// first. A block that waits for other blocks ends with End::waits and a sentence that says so.
//
// Position i is before warp instruction i; instructions are counted over all warps in the order in which
// they run. 0 is the block's start. Going back restores the nearest checkpoint and runs forward from it;
// docs/stepping.md says what that costs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/gpu/stepping/block_view.h"
#include "core/gpu/stepping/call_stack.h"
#include "core/gpu/stepping/engine/options.h"
#include "core/gpu/stepping/engine/stepped_access.h"
#include "core/gpu/stepping/program/program_table.h"
#include "core/gpu/stepping/trace/trace.h"
#include "core/gpu/stepping/variable_view.h"
#include "core/gpu/stepping/variables/shared_arrays.h"
#include "core/gpu/stepping/variables/variable_table.h"
#include "core/launch/launch_request.h"
#include "core/launch/run_result.h"

namespace warplens::stepping {

enum class Why : uint8_t {
  stepped,     // it went as far as requested
  breakpoint,  // it is before the instruction with the breakpoint
  watchpoint,  // it is after the instruction that accessed the memory
  warp_waits,  // the warp waited until the block ended
  finished,    // the warp or the block ended
  fault,
  waits,      // see End::waits
  no_memory,  // see End::no_memory
  limit,      // one call may not run more instructions
  cancelled
};

struct Stop {
  Why why = Why::stepped;
  uint64_t position = 0;
  uint32_t breakpoint = 0;  // the number of the breakpoint or watchpoint
  uint32_t warp = 0;        // the warp that stopped
  uint32_t lanes = 0;       // lanes for which the condition is true, or that access the watched memory
  std::string message;      // a sentence for people; may be empty
};

struct Breakpoint {
  enum class Kind : uint8_t {
    ptx_line,
    source_line,
    function,
    read,
    write,
    access,
    variable  // after an instruction that assigns a value to `variable`
  } kind = Kind::ptx_line;
  uint32_t line = 0;
  std::string file = {};      // source_line: the file's name or its end; empty for the kernel's own, or any
  std::string function = {};  // its name in the PTX
  Space space = Space::global;
  uint64_t address = 0, bytes = 4;  // read, write, access: global, shared or local memory
  // "sum", "p.x", "list[3]". If it is in memory that lanes share, all writes to it are watched; otherwise the
  // variable of each lane separately.
  std::string variable = {};
  std::optional<uint32_t> warp = {};  // if set, only for this warp
  std::string condition = {};         // for a lane; empty for no condition
};

// How far to run.
struct Goal {
  enum class Kind : uint8_t {
    end,
    instructions,  // `count` instructions of any warp
    instruction,   // one instruction of the warp
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
  int32_t buffer = -1;  // index in LaunchRequest::buffers
};

class BlockStepper {
 public:
  static Result<BlockStepper> open(std::shared_ptr<const LaunchRequest> request, Dim3 block,
                                   const Options& options = {}, std::stop_token stop = {});
  BlockStepper(BlockStepper&&) noexcept;
  BlockStepper& operator=(BlockStepper&&) noexcept;
  ~BlockStepper();

  // --- where the block is
  uint64_t position() const;
  uint64_t recorded() const;                 // the farthest position so far
  std::optional<uint64_t> length() const;    // the last position, if the block has run to its end
  End end() const;                           // why nothing more can run
  std::optional<Incident> incident() const;  // for End::fault: where and what
  std::string end_message() const;
  // The instruction that runs next. Its guard is evaluated, but its memory access is not known yet. Empty if
  // there is none.
  std::optional<TraceEntry> next() const;
  // The instructions that ran between positions 0 and recorded(), at most Options::trace_limit.
  std::span<const TraceEntry> trace() const;
  // The accesses of the instruction before this position.
  std::span<const SteppedAccess> accesses() const;

  // --- moving. Each call stops at breakpoints on its way forward. `stop` ends the call soon, with
  // Why::cancelled.
  Stop run(const Goal& goal, const std::stop_token& stop = {}, uint64_t most = 100'000'000);
  Stop run_to_line(Breakpoint::Kind kind, uint32_t line, std::optional<uint32_t> warp,
                   const std::stop_token& stop = {});
  // The breakpoint that holds at this position, if any. A call that moves does not stop at it again.
  std::optional<Stop> here() const;
  // All breakpoints that hold at this position, in the order in which they were added.
  std::vector<Stop> all_here() const;
  // Runs one instruction of the warp before any other. If another warp was next, the recording after this
  // position is forgotten. A warp that waits continues when the others allow it.
  Stop step_warp(uint32_t warp, const std::stop_token& stop = {});
  Stop back(uint64_t count = 1);
  // Goes to any position and ignores breakpoints. After recorded() it runs the block further.
  Stop jump(uint64_t position, const std::stop_token& stop = {});

  // --- breakpoints
  Result<uint32_t> add(const Breakpoint& breakpoint);  // returns its number
  void remove(uint32_t number);
  std::vector<uint32_t> breakpoints() const;

  // --- the state of the block
  uint32_t warps() const;
  WarpView warp(uint32_t number) const;
  std::vector<BarrierView> barriers() const;
  // The registers of the function in which the warp's next path is, or of the function with this number.
  std::vector<RegisterView> registers(uint32_t warp) const;
  std::vector<RegisterView> registers(uint32_t warp, uint32_t function) const;
  // The registers that the instruction of this entry writes.
  std::vector<RegisterView> written(const TraceEntry& entry) const;
  std::optional<RegisterView> find_register(uint32_t warp, std::string_view name) const;
  // --- variables by name, from device debug information (see variable_view.h)
  // Those in scope at the current place of each lane, outermost scope first; with `lanes`, at the place of
  // these lanes.
  std::vector<VariableView> variables(uint32_t warp, uint32_t lanes = ~0u) const;
  // Those of the functions that each lane will return to, the nearest first.
  std::vector<CallerView> callers(uint32_t warp, uint32_t lanes = ~0u) const;
  // The frames of each lane, and the variables in scope in one of them.
  std::vector<StackView> stacks(uint32_t warp) const;
  std::vector<VariableView> variables(uint32_t warp, const FrameView& frame) const;
  // Those that all lanes share: variables of the module and of the block's shared memory.
  std::vector<VariableView> common_variables(uint32_t warp) const;
  // Why there are no variables; empty if the program says where they are.
  const std::string& no_variables() const;
  std::vector<VariableView> parts(uint32_t warp, const VariableView& view, uint64_t first = 0,
                                  uint64_t count = 64) const;
  uint64_t count_of_parts(const VariableView& view) const;
  // The lane's value, or the reason why it has none.
  std::string text_of(uint32_t warp, const VariableView& view, uint32_t lane) const;
  // The innermost variable of this name in scope, otherwise one that all lanes share.
  std::optional<VariableView> find_variable(uint32_t warp, std::string_view name, uint32_t lanes = ~0u) const;
  // The same, or a part of it: "p.x", "list[3]". With a frame, the variables of that frame come first.
  std::optional<VariableView> find_part(uint32_t warp, std::string_view path, uint32_t lanes = ~0u,
                                        const FrameView* frame = nullptr) const;
  // The value of an expression in these lanes of a warp, a value for each lane of the warp. Names are those
  // of conditions (docs/stepping.md). An Error quotes a text that is no expression, or names what is not
  // known here.
  Result<std::vector<expression::Value>> evaluate(uint32_t warp, std::string_view text, uint32_t lanes = ~0u,
                                                  const FrameView* frame = nullptr) const;
  const VariableTable& variable_table() const;
  const std::vector<SharedArray>& shared_arrays() const;

  // `thread` is for local memory: its index in the block.
  Result<Bytes> read(Space space, uint64_t address, uint64_t bytes, uint32_t thread = 0) const;
  // Per byte of shared memory, the warp whose store or atomic wrote it last + 1; 0 if none did.
  std::span<const uint8_t> shared_writers() const;
  uint64_t bytes_of(Space space) const;  // of shared memory, or of a thread's local memory
  std::vector<DeviceMemory> device_memory() const;
  const std::string& console() const;

  const ProgramTable& table() const;
  CodePlace place(uint32_t instruction) const { return table().place(instruction); }
  std::string text_of(uint32_t instruction) const;  // in PTX
  Dim3 block() const;
  const LaunchStep& launch() const;
  const LaunchRequest& request() const;

  // Exact at the block's end. Before it, basic blocks that are not finished are counted as a whole.
  Counters counters() const;
  uint64_t hash() const;  // of everything that the block can see, to compare states within this stepper
  size_t checkpoints() const;
  size_t checkpoint_bytes() const;

 private:
  struct State;
  explicit BlockStepper(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace warplens::stepping
