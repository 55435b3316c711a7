// The ops of mbarrier instructions, PTX ISA 9.7.13.15, and other ops that wait for asynchronous copies.
#pragma once

#include <cstdint>

#include "core/program/op/op.h"

namespace warplens::program {

enum class MbarrierJob : uint8_t {
  init,
  invalidate,
  arrive,
  expect,
  complete,
  test,
  test_parity,
  async_arrive,  // cp.async.mbarrier.arrive.noinc
};

// Its address is an AddressOp.
struct MbarrierOp {
  MbarrierJob job = MbarrierJob::init;
  bool tries = false;          // try_wait: if the test fails, other warps get a turn
  bool drops = false;          // arrive_drop
  bool expects = false;        // arrive.expect_tx
  bool incomplete = false;     // .noComplete
  bool generic = false;        // the address is generic
  uint32_t result = no_slot;   // slot of a token; for a test, of a predicate
  uint32_t operand = no_slot;  // slot of the count, the bytes, the token or the parity

  static MbarrierOp of(const Op& op) {
    return {static_cast<MbarrierJob>(op.extra & job_mask),
            (op.flags & flag_atomic) != 0,
            (op.extra & extra_drops) != 0,
            (op.extra & extra_expects) != 0,
            (op.extra & extra_incomplete) != 0,
            (op.extra & extra_generic) != 0,
            op.d,
            op.b};
  }
  void write(Op& op) const {
    op.extra = static_cast<uint8_t>(static_cast<uint32_t>(job) | (drops ? extra_drops : 0u) |
                                    (expects ? extra_expects : 0u) | (incomplete ? extra_incomplete : 0u) |
                                    (generic ? extra_generic : 0u));
    if (tries) op.flags |= flag_atomic;
    op.d = result;
    op.b = operand;
  }

 private:
  static constexpr uint8_t job_mask = 15, extra_drops = 16, extra_expects = 32, extra_incomplete = 64,
                           extra_generic = 128;
};

// The number of arrivals that a token waits for.
struct PendingCountOp {
  uint32_t result = 0, token = 0;  // slots of 32 and 64 bits a lane

  static PendingCountOp of(const Op& op) { return {op.d, op.a}; }
  void write(Op& op) const {
    op.d = result;
    op.a = token;
  }
};

// cp.async.bulk. The addresses are slots of 64 bits a lane.
struct BulkCopyOp {
  bool to_global = false;  // otherwise to shared memory
  uint32_t target = 0, source = 0;
  uint32_t bytes = 0;          // slot, 32 bits a lane
  uint32_t barrier = no_slot;  // the mbarrier that counts the bytes

  static BulkCopyOp of(const Op& op) { return {(op.flags & flag_store) != 0, op.d, op.a, op.b, op.c}; }
  void write(Op& op) const {
    if (to_global) op.flags |= flag_store;
    op.d = target;
    op.a = source;
    op.b = bytes;
    op.c = barrier;
  }
};

// cp.async.wait_group and wait_all.
struct WaitGroupOp {
  bool all = true;      // also copies that are in no group yet
  uint32_t newest = 0;  // number of groups that may remain unfinished

  static WaitGroupOp of(const Op& op) { return {op.immediate < 0, static_cast<uint32_t>(op.immediate)}; }
  void write(Op& op) const { op.immediate = all ? -1 : int64_t{newest}; }
};

}  // namespace warplens::program
