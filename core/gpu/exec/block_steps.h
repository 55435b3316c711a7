// A block, one warp instruction at a time. Between two instructions all is as Block::run would have left it
// there: the same warps have their turns, in the same order, for as long.
//
// The program is one that was decoded for stepping. What belongs to no instruction (entering a basic block,
// meeting other paths, what a call's results go through) is done together with the instruction before it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/block.h"

namespace warplens::exec {

enum class StepState : uint8_t {
  ready,     // an instruction is next
  paused,    // the slice is used up: the block wants another one
  finished,  // all warps have
  fault
};

class BlockSteps {
 public:
  // The block has been started. All three outlive this.
  BlockSteps(Block& block, const std::vector<bool>& starts) : m_block(&block), m_starts(&starts) {}

  // Gives the block a slice, as Block::run takes it. Called first of all, and where it is paused.
  void give(int64_t steps);
  StepState state() const { return m_place.state; }

  // ready: whose instruction is next.
  uint32_t warp() const { return m_place.current; }
  const Path& path() const;
  const Op* op() const { return path().next; }
  // Runs it, with all that belongs to no instruction behind it.
  void advance();
  // Ends the turn of whoever has it and gives it to this warp. False, and nothing happens: it waits for
  // others, or has finished.
  bool turn_to(uint32_t warp);

  // The lanes of a warp that go on when it has its turn; null: it waits as a whole, or has finished. Of a
  // warp that has no turn now, a schedule other than the one in order may choose others when it has.
  const Path* next_path(uint32_t warp) const;
  uint64_t rounds() const { return m_place.rounds; }  // in which each warp that could had a turn
  int64_t steps_left() const { return m_place.steps; }

  // Where the schedule stands: a part of the block's image.
  struct Place {
    StepState state = StepState::paused;
    uint32_t current = 0;  // warp
    uint32_t next = 0;     // place in the order of the round
    bool in_round = false, in_turn = false, progress = false;
    bool chosen = false;  // in_turn: the warp's path, Warp::current
    int64_t steps = 0;
    uint64_t rounds = 0;
  };
  const Place& place() const { return m_place; }
  void restore(const Place& place) { m_place = place; }

 private:
  bool take_turn();
  void begin_turn(uint32_t warp);
  void end_turn(WarpState state);
  void run_op();
  void settle();

  Block* m_block;
  const std::vector<bool>* m_starts;
  Place m_place;
};

}  // namespace warplens::exec
