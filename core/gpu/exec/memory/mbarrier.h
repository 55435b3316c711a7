// mbarrier objects, PTX ISA 9.7.13.15: 64 bits in shared memory that count arrivals and bytes, phase after
// phase.
#pragma once

#include <cstdint>

#include "core/gpu/exec/state/program.h"
#include "core/program/op/mbarrier_op.h"

namespace warplens::exec {

struct Warp;

// The fields are laid out as in the state tokens of an H200: arrivals are counted up, and the carry out of
// the pending count ends the phase.
struct Mbarrier {
  uint32_t phase = 0;        // 0 or 1
  uint32_t pending = 0;      // arrivals that the phase still waits for
  uint32_t expected = 0;     // arrivals in one phase
  int32_t transactions = 0;  // bytes that are expected and have not arrived; can be negative

  static Mbarrier from(uint64_t bits);
  uint64_t bits() const;
  // The result of an arrive: the phase that it belongs to. `incomplete` is true for arrive.noComplete.
  uint64_t token(bool incomplete) const;

  void arrive(uint32_t count);
  void drop(uint32_t count);  // fewer arrivals are expected, from the next phase on
  void expect(uint32_t bytes);
  void complete(uint32_t bytes);

 private:
  void end_phase_if_complete();
};

// d: state token or predicate, or no_slot; a, immediate, flags: the address; b: count, bytes, token or
// parity. A try_wait that fails (flag_atomic) gives other warps a turn.
// mbarrier.pending_count: d from the token a.

// cp.async.bulk within one block: d the destination, a the source, b the number of bytes, all registers; c
// the mbarrier's address or no_slot. flag_store: from shared to global memory. Each active lane makes a copy
// of its own.

}  // namespace warplens::exec
