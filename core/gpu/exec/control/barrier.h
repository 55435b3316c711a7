// The sixteen barriers of a block, PTX ISA 9.7.13.1. A warp comes to a barrier as a whole: its lanes wait for
// one another first, and it counts for 32 threads, whoever of it is left.
#pragma once

#include <array>
#include <cstdint>

#include "core/gpu/exec/state/warp.h"
#include "core/program/op/barrier_op.h"

namespace warplens::exec {

// Every path of the warp waits, some at barriers: fills warp.barrier, or raises what is wrong.
WarpState come_to_barrier(Warp& warp);
// Whether all lanes of the warp are at barriers, or at one that does not wait for lanes on other ways. Where
// warps may come in parts it does wait, and they are noted.
bool is_at_barrier(Warp& warp);

class Barriers {
 public:
  void reset() {
    if (m_waiting != 0) m_barriers = {};
    m_waiting = 0;
  }
  bool is_idle() const { return m_waiting == 0; }  // nobody has come to any of them
  // False: bar.red mixed with other instructions, which the hardware refuses too.
  bool arrive(const BarrierWait& wait);
  // Whether enough threads have come; `running` are those of the warps that have not exited.
  bool is_open(uint32_t number, uint32_t running) const;
  // Hands a waiting warp its result and lets it go on.
  void release(Warp& warp) const;
  void close(uint32_t number);
  // Threads that have come, and that are waited for; 0: all of the block.
  uint32_t arrived(uint32_t number) const { return m_barriers[number].arrived; }
  uint32_t wanted(uint32_t number) const { return m_barriers[number].wanted; }

 private:
  struct Barrier {
    uint32_t arrived = 0, wanted = 0;  // threads; wanted 0: all of the block
    uint32_t yes = 0;                  // of bar.red: threads whose predicate is true
    bool reduces = false, all = true, any = false;
  };
  std::array<Barrier, barriers_per_block> m_barriers{};
  uint32_t m_waiting = 0;  // bit b: somebody has come to barrier b
};

}  // namespace warplens::exec
