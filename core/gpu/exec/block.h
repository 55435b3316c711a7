// One block while it runs: its warps, shared and local memory, and barriers. A block is a resumable value:
// run it for a slice, put it aside, go on later.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/gpu/exec/control/barrier.h"
#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/state/access_shape.h"
#include "core/gpu/exec/state/console.h"
#include "core/gpu/exec/state/counters.h"
#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

// About a millisecond of work. After it, a frame of the window may be drawn where both share a thread.
constexpr int64_t steps_before_a_frame = 1 << 14;

// Where a block is in its rounds. In a round, each warp that can go on has one turn.
struct Turns {
  bool in_round = false, progress = false;
  uint32_t next = 0;  // position in the order of the round
  uint64_t rounds = 0;
};

class Block {
 public:
  // Lays out the frames of all warps and fills in the values that are the same for every block of the launch.
  explicit Block(const GridLaunch& launch, BlockCount* counts, MemoryOpState* memory_ops);

  // Begins the next launch, whose shape and program are the same, as a new block would.
  void prepare(BlockCount* counts, MemoryOpState* memory_ops);
  // No other worker touches device memory until the next call.
  void set_exclusive(bool exclusive) { m_context.exclusive = exclusive; }
  size_t bytes() const;  // of its memory

  // `place`: the block's position in the order in which blocks start.
  void start(uint64_t block_index, uint64_t place);
  // Runs until the block ends or about `steps` are used up; `steps` is lowered by what was used.
  BlockState run(int64_t& steps);

  uint64_t index() const { return m_index; }
  uint64_t place() const { return m_place; }
  bool has_run() const { return m_has_run; }  // at least a part of it
  const Fault& fault() const { return m_fault; }
  // A fault of this kind, located at the first warp that has not finished.
  Fault fault_here(FaultKind kind) const;
  const BlockContext& context() const { return m_context; }
  Console& console() { return m_console; }
  DeviceWorks& works() { return m_works; }

  // The parts of run(), for callers that step through a block (core/gpu/exec/block_steps.h).
  std::span<Warp> warps() { return m_warps; }
  std::span<const Warp> warps() const { return m_warps; }
  WarpState state(uint32_t warp) const { return m_states[warp]; }
  uint32_t running() const { return m_running; }
  const Barriers& barriers() const { return m_barriers; }
  // The order of the turns in this round.
  std::span<const uint32_t> order() const { return m_order; }
  // The warp whose turn has begun. Null if none can have one now: `state` says whether the block has ended,
  // or only its steps are used up.
  Warp* next_turn(Turns& turns, int64_t steps, BlockState& state);
  void begin_turn(Warp& warp, int64_t steps);
  // Subtracts what the turn used from `steps`. False if the block ends with a fault.
  bool end_turn(Warp& warp, WarpState state, int64_t& steps);

  // All that changes while the block runs, except the bytes of its memory below.
  struct Image {
    std::vector<Warp> warps;
    std::vector<WarpState> states;
    Barriers barriers;
    uint32_t running = 0;
    Fault fault;
    Console console;
    DeviceWorks works;
    uint64_t clock = 0, sectors = 0, divergences = 0;
    std::vector<uint32_t> order;
    Dice dice;
  };
  Image image() const;
  void restore(const Image& image);  // must be an image of this same block
  std::span<std::byte> frames();
  std::span<std::byte> shared() { return {m_shared.data(), m_context.shared_bytes}; }
  // The local memory of one lane, from its variables to the end of the used stack.
  std::span<std::byte> local(const Warp& warp, uint32_t lane);

 private:
  void prepare_frame(Warp& warp);
  void clear_local(Warp& warp);
  // The value of a special register, if it is the same in all lanes of the block.
  std::optional<uint64_t> special_of_block(const program::SpecialSlot& slot) const;
  void fill_special(Warp& warp, const program::SpecialSlot& slot) const;
  void start_warp(Warp& warp);
  int64_t turn_of(const Warp& warp);
  bool may_chain() const;
  uint32_t run_chain(const void* code, uint32_t first, uint32_t end, int64_t& steps, const Op*& op,
                     bool& has_paths);
  void note_phase(const Chain& chain);
  bool run_fresh(int64_t& steps);
  bool arrive(Warp& warp);
  void open(uint32_t number);
  void begin_round();
  void raise_deadlock();  // no warp can go on

  const GridLaunch& m_launch;
  BlockContext m_context;
  ShapePool m_shapes;
  uint64_t m_index = 0, m_place = 0;
  uint32_t m_threads = 0;
  std::vector<std::byte> m_frames, m_shared;
  // Stacks are large and seldom used. The system provides no page before it is touched.
  std::unique_ptr<std::byte, void (*)(void*)> m_local{nullptr, nullptr};
  size_t m_local_bytes = 0;
  size_t m_local_pages = 0;               // of one lane
  std::vector<uint32_t> m_local_writers;  // Warp::local_writers of all warps
  Console m_console;
  DeviceWorks m_works;
  std::vector<Warp> m_warps;
  std::vector<uint32_t> m_order;  // the order of the warps
  Dice m_dice;
  std::vector<WarpState> m_states;
  Barriers m_barriers;
  uint32_t m_running = 0;    // warps that have not finished
  uint32_t m_unchanged = 0;  // this many of the first warps are still as start_warp() leaves them
  bool m_fresh = false;      // the warps have started, but their paths have not
  bool m_has_run = false;
  Fault m_fault;
};

}  // namespace warplens::exec
