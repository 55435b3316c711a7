#include "core/gpu/exec/memory/mbarrier.h"

#include <bit>
#include <cstring>

#include "core/gpu/exec/state/passed_faults.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/warp.h"
#include "core/gpu/exec/state/watch.h"
#include "core/program/op/memory_op.h"

namespace warplens::exec {

namespace {

constexpr uint32_t count_mask = (1u << 20) - 1, bytes_mask = (1u << 21) - 1;
constexpr uint32_t object_bytes = 8;
// The cost of a failed try_wait, so that endless waiting uses up the step budget.
constexpr int64_t wait_steps = 200;

Fault fault_at(const Op* op, FaultKind kind, uint32_t lane, uint64_t address, AccessKind access,
               uint32_t bytes, Space space = Space::shared) {
  return {.kind = kind,
          .op = op,
          .lane = lane,
          .address = address,
          .bytes = bytes,
          .space = space,
          .access = access,
          .detail = {}};
}

uint64_t address_of(const Op* op, const Warp& warp, uint32_t lane) {
  const AddressOp at = AddressOp::of(*op);
  const auto in_register = [&] {
    return at.is_narrow ? warp.reg<uint32_t>(at.base)[lane] : warp.reg<uint64_t>(at.base)[lane];
  };
  const uint64_t address = at.is_known ? at.offset : program::address_at(*op, in_register());
  return MbarrierOp::of(*op).generic ? address - shared_window : address;
}

// The object in shared memory. Null if the fault was raised.
std::byte* find_object(const Op* op, Warp& warp, uint32_t lane, uint64_t address) {
  const BlockContext& block = *warp.block;
  const AccessKind access = AccessKind::atomic;
  if (address % object_bytes != 0) {
    raise(warp, fault_at(op, FaultKind::misaligned, lane, address, access, object_bytes));
    return nullptr;
  }
  if (address >= block.shared_bytes || block.shared_bytes - address < object_bytes) {
    raise(warp, fault_at(op, FaultKind::out_of_bounds, lane, address, access, object_bytes));
    return nullptr;
  }
  return block.shared + address;
}

Mbarrier load(const std::byte* at) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, sizeof bits);
  return Mbarrier::from(bits);
}
void store(std::byte* at, const Mbarrier& barrier) {
  const uint64_t bits = barrier.bits();
  std::memcpy(at, &bits, sizeof bits);
}

void set_predicate(Warp& warp, uint32_t slot, uint32_t lane, bool value) {
  uint32_t& predicate = warp.predicate(slot);
  predicate = (predicate & ~(1u << lane)) | static_cast<uint32_t>(value) << lane;
}

void arrive(const MbarrierOp& op, Warp& warp, uint32_t lane, Mbarrier& barrier) {
  const uint32_t operand = op.operand == no_slot ? 1 : warp.reg<uint32_t>(op.operand)[lane];
  if (op.expects) barrier.expect(operand);
  if (op.result != no_slot) warp.reg<uint64_t>(op.result)[lane] = barrier.token(op.incomplete);
  const uint32_t count = op.expects ? 1 : operand;
  if (op.drops) barrier.drop(count);
  barrier.arrive(count);
}

// True if the phase of the token, or of this parity, has ended.
bool has_ended(const MbarrierOp& op, const Warp& warp, uint32_t lane, const Mbarrier& barrier) {
  const bool parity = op.job == MbarrierJob::test_parity;
  const uint32_t phase = parity ? warp.reg<uint32_t>(op.operand)[lane] & 1
                                : static_cast<uint32_t>(warp.reg<uint64_t>(op.operand)[lane] >> 63);
  return barrier.phase != phase;
}

// False if a wait failed.
bool run_lane(const MbarrierOp& op, Warp& warp, uint32_t lane, std::byte* object) {
  Mbarrier barrier = load(object);
  switch (op.job) {
    case MbarrierJob::init:
      barrier = {};
      barrier.expected = barrier.pending = warp.reg<uint32_t>(op.operand)[lane] & count_mask;
      break;
    case MbarrierJob::invalidate:
      barrier = {};
      break;
    case MbarrierJob::arrive:
      arrive(op, warp, lane, barrier);
      break;
    case MbarrierJob::async_arrive:
      barrier.arrive(1);
      break;
    case MbarrierJob::expect:
      barrier.expect(warp.reg<uint32_t>(op.operand)[lane]);
      break;
    case MbarrierJob::complete:
      barrier.complete(warp.reg<uint32_t>(op.operand)[lane]);
      break;
    case MbarrierJob::test:
    case MbarrierJob::test_parity: {
      const bool ended = has_ended(op, warp, lane, barrier);
      set_predicate(warp, op.result, lane, ended);
      return ended;
    }
  }
  store(object, barrier);
  return true;
}

// An arriving thread passes on what happened before; a thread that sees the phase end is ordered after it.
void tell(const Op* op, const Warp& warp, uint32_t lane, bool ended) {
  const MbarrierJob job = MbarrierOp::of(*op).job;
  const uint64_t address = address_of(op, warp, lane);
  const bool writes = job == MbarrierJob::init || job == MbarrierJob::invalidate;
  // Arrivals and waits are ordered with one another, but not with the initialisation of the object.
  warp.block->watch->access(*op, warp, lane,
                            {.space = Space::shared,
                             .kind = writes ? AccessKind::store : AccessKind::load,
                             .address = address,
                             .bytes = object_bytes});
  const bool tests = job == MbarrierJob::test || job == MbarrierJob::test_parity;
  if (!tests || ended) warp.block->watch->meet_at_object(warp, address, !tests);
}

struct BulkCopy {
  uint64_t global = 0, shared = 0, bytes = 0;
};
void tell_copy(const Op* op, const Warp& warp, uint32_t lane, const BulkCopy& copy) {
  const BulkCopyOp bulk = BulkCopyOp::of(*op);
  const WatchedAccess device{
      .space = Space::global, .kind = AccessKind::load, .address = copy.global, .bytes = copy.bytes};
  const WatchedAccess own{
      .space = Space::shared, .kind = AccessKind::load, .address = copy.shared, .bytes = copy.bytes};
  WatchedAccess from = bulk.to_global ? own : device, to = bulk.to_global ? device : own;
  to.kind = AccessKind::store;
  if (bulk.barrier != no_slot) to.barrier = warp.reg<uint64_t>(bulk.barrier)[lane] & (window_bytes - 1);
  warp.block->watch->access(*op, warp, lane, from);
  warp.block->watch->access(*op, warp, lane, to);
}

}  // namespace

Mbarrier Mbarrier::from(uint64_t bits) {
  Mbarrier barrier;
  barrier.phase = static_cast<uint32_t>(bits >> 63);
  barrier.pending = (0u - static_cast<uint32_t>(bits >> 43)) & count_mask;
  // The lowest 21 of the other bits are the bytes, negated.
  const auto bytes = static_cast<uint32_t>(bits >> 22) & bytes_mask;
  barrier.transactions = -(static_cast<int32_t>(bytes << 11) >> 11);
  barrier.expected = (0u - static_cast<uint32_t>(bits >> 1)) & count_mask;
  return barrier;
}

uint64_t Mbarrier::bits() const {
  const uint64_t bytes = static_cast<uint32_t>(-transactions) & bytes_mask;
  return uint64_t{phase} << 63 | uint64_t{(0u - pending) & count_mask} << 43 | bytes << 22 |
         uint64_t{(0u - expected) & count_mask} << 1;
}

uint64_t Mbarrier::token(bool incomplete) const {
  // The upper half, without the sign of the bytes.
  const uint64_t visible = bits() & 0xfffffbff'00000000u;
  return visible | (incomplete ? 1 : 0);
}

void Mbarrier::end_phase_if_complete() {
  if (pending != 0 || transactions != 0) return;
  phase ^= 1;
  pending = expected;
}

void Mbarrier::arrive(uint32_t count) {
  pending = (pending - count) & count_mask;
  end_phase_if_complete();
}
void Mbarrier::drop(uint32_t count) { expected = (expected - count) & count_mask; }
void Mbarrier::expect(uint32_t bytes) {
  transactions += static_cast<int32_t>(bytes & count_mask);
  end_phase_if_complete();  // the bytes may have arrived before they were expected
}
void Mbarrier::complete(uint32_t bytes) {
  transactions -= static_cast<int32_t>(bytes & count_mask);
  end_phase_if_complete();
}

const Op* run_mbarrier(const Op* op, Warp& warp) {
  const MbarrierOp mbarrier = MbarrierOp::of(*op);
  // The lanes' earlier copies are complete when the lanes arrive.
  if (mbarrier.job == MbarrierJob::async_arrive) finish_copies(warp, 0, true);
  bool all_ended = true;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    std::byte* object = find_object(op, warp, lane, address_of(op, warp, lane));
    if (object == nullptr) return nullptr;
    const bool ended = run_lane(mbarrier, warp, lane, object);
    if (warp.block->watch != nullptr) tell(op, warp, lane, ended);
    all_ended = ended && all_ended;
  }
  if (all_ended || !mbarrier.tries) return op + 1;
  warp.steps -= wait_steps;
  warp.next = op + 1;
  warp.signal = Signal::slice;
  return nullptr;
}

const Op* run_pending_count(const Op* op, Warp& warp) {
  const PendingCountOp count = PendingCountOp::of(*op);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    warp.reg<uint32_t>(count.result)[lane] = Mbarrier::from(warp.reg<uint64_t>(count.token)[lane]).pending;
  }
  return op + 1;
}

const Op* run_bulk_copy(const Op* op, Warp& warp) {
  BlockContext& block = *warp.block;
  const BulkCopyOp copy = BulkCopyOp::of(*op);
  const bool to_global = copy.to_global;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint32_t bytes = warp.reg<uint32_t>(copy.bytes)[lane];
    const uint64_t target = warp.reg<uint64_t>(copy.target)[lane],
                   source = warp.reg<uint64_t>(copy.source)[lane];
    const uint64_t global = to_global ? target : source;
    const uint64_t shared =
        (to_global ? source : target) & (window_bytes - 1);  // an address within the window, or an offset
    const AccessKind access = to_global ? AccessKind::store : AccessKind::load;
    if ((bytes | global | shared) % 16 != 0)
      return raise(warp, fault_at(op, FaultKind::misaligned, lane, bytes | global | shared, access, 16));
    const bool fits = shared <= block.shared_bytes && block.shared_bytes - shared >= bytes;
    const Allocation* allocation = block.memory->find(global);
    const bool is_there = bytes == 0 || (allocation != nullptr && allocation->end - global >= bytes);
    if (!fits || !is_there) {
      raise(warp, fits ? fault_at(op, FaultKind::out_of_bounds, lane, global, access, bytes, Space::global)
                       : fault_at(op, FaultKind::out_of_bounds, lane, shared, access, bytes));
      if (!pass_fault(warp)) return nullptr;
      if (fits && !to_global) std::memset(block.shared + shared, 0, bytes);
    } else if (bytes != 0 && to_global && allocation->read_only) {
      return raise(warp, fault_at(op, FaultKind::read_only, lane, global, access, bytes, Space::global));
    } else if (bytes != 0) {
      std::byte* at = allocation->at(global);
      std::memcpy(to_global ? at : block.shared + shared, to_global ? block.shared + shared : at, bytes);
      if (to_global)
        allocation->note<true>(global, bytes);
      else
        allocation->note<false>(global, bytes);
      if (block.watch != nullptr) tell_copy(op, warp, lane, {global, shared, bytes});
    }
    if (copy.barrier == no_slot) continue;
    const uint64_t barrier_address = warp.reg<uint64_t>(copy.barrier)[lane] & (window_bytes - 1);
    std::byte* object = find_object(op, warp, lane, barrier_address);
    if (object == nullptr) return nullptr;
    Mbarrier barrier = load(object);
    barrier.complete(bytes);
    store(object, barrier);
  }
  return op + 1;
}

}  // namespace warplens::exec
