// The sixteen barriers of a block, PTX ISA 9.7.13.1. A warp arrives at a barrier as a whole: its lanes wait
// for one another first, and it counts as 32 threads, even if some lanes have exited.
#pragma once

#include <array>
#include <cstdint>

#include "core/gpu/exec/state/warp.h"
#include "core/program/op/barrier_op.h"

namespace warplens::exec {

// Called when every path of the warp waits, some at barriers. Fills warp.barrier, or raises the fault.
WarpState come_to_barrier(Warp& warp);
// Whether all lanes of the warp are at barriers, or at a barrier that does not wait for lanes on other paths.
// Lanes that have only to exit must do it first: no barrier waits for them.
// Where warps may arrive in parts, it does wait, and such warps are recorded.
bool is_at_barrier(Warp& warp);

class Barriers {
 public:
  void reset() {
    if (m_waiting != 0) m_barriers = {};
    m_waiting = 0;
  }
  bool is_idle() const { return m_waiting == 0; }  // no warp has arrived at any barrier
  // False if bar.red is mixed with other instructions, which the hardware refuses too.
  bool arrive(const BarrierWait& wait);
  // Whether enough threads have arrived. `running` counts the threads of the warps that have not exited.
  bool is_open(uint32_t number, uint32_t running) const;
  // Gives a waiting warp its result and lets it continue.
  void release(Warp& warp) const;
  void close(uint32_t number);
  // Threads that have arrived, and threads that the barrier waits for (0 means the whole block).
  uint32_t arrived(uint32_t number) const { return m_barriers[number].arrived; }
  uint32_t wanted(uint32_t number) const { return m_barriers[number].wanted; }

 private:
  struct Barrier {
    uint32_t arrived = 0, wanted = 0;  // threads; wanted 0: the whole block
    uint32_t yes = 0;                  // for bar.red: threads whose predicate is true
    bool reduces = false, all = true, any = false;
  };
  std::array<Barrier, barriers_per_block> m_barriers{};
  uint32_t m_waiting = 0;  // bit b is set if a warp has arrived at barrier b
};

}  // namespace warplens::exec
