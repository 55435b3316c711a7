// Runs a block one warp instruction at a time. Between two instructions, the state is the one that Block::run
// would have at this point: the same warps have their turns, in the same order and for the same number of
// steps.
//
// The program must have been decoded for stepping. Work that belongs to no instruction (entering a basic
// block, reconvergence of paths, copying a call's results) is done together with the instruction before it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/block.h"

namespace warplens::exec {

enum class StepState : uint8_t {
  ready,     // an instruction can run next
  paused,    // the slice is used up: the block needs another one
  finished,  // all warps have finished
  fault
};

class BlockSteps {
 public:
  // The block must have been started. All three arguments must outlive this object.
  BlockSteps(Block& block, const std::vector<bool>& starts) : m_block(&block), m_starts(&starts) {}

  // Gives the block a slice of steps, as Block::run takes it. Call it first, and whenever the block is
  // paused.
  void give(int64_t steps);
  StepState state() const { return m_place.state; }

  // The warp whose instruction is next, if the block is ready.
  uint32_t warp() const { return m_place.current; }
  const Path& path() const;
  const Op* op() const { return path().next; }
  // Runs that instruction, and the work after it that belongs to no instruction.
  void advance();
  // Ends the current turn and gives the next one to this warp. Returns false and changes nothing if the warp
  // waits for others or has finished.
  bool turn_to(uint32_t warp);

  // The lanes of a warp that will run when it has its turn. Null if the whole warp waits or has finished. For
  // a warp that has no turn now, a schedule with a seed may choose other lanes later.
  const Path* next_path(uint32_t warp) const;
  uint64_t rounds() const { return m_place.turns.rounds; }
  int64_t steps_left() const { return m_place.steps; }

  // The position in the schedule, a part of the block's image.
  struct Place {
    StepState state = StepState::paused;
    uint32_t current = 0;  // index of the warp
    Turns turns;
    bool in_turn = false;
    bool chosen = false;  // during a turn: Warp::current is the path that runs
    int64_t steps = 0;
  };
  const Place& place() const { return m_place; }
  void restore(const Place& place) { m_place = place; }

 private:
  bool take_turn();
  void note_turn(uint32_t warp);
  void end_turn(WarpState state);
  void run_op();
  void settle();

  Block* m_block;
  const std::vector<bool>* m_starts;
  Place m_place;
};

}  // namespace warplens::exec
