// What decode writes into an op, the virtual GPU reads back: for each kind of op, each of its fields.
#include <gtest/gtest.h>

#include <tuple>

#include "core/program/op/barrier_op.h"
#include "core/program/op/call_op.h"
#include "core/program/op/clock_op.h"
#include "core/program/op/collective_op.h"
#include "core/program/op/flow_op.h"
#include "core/program/op/matrix_op.h"
#include "core/program/op/mbarrier_op.h"
#include "core/program/op/memory_op.h"
#include "core/program/op/rounding.h"
#include "core/program/op/texture_access.h"
#include "core/program/op/video_plan.h"
#include "core/program/op/watch_op.h"

namespace warplens::program {
namespace THIS_FILE {

template <class Kind>
Op written(const Kind& kind) {
  Op op;
  kind.write(op);
  return op;
}

template <class Kind>
Kind back(const Kind& kind) {
  return Kind::of(written(kind));
}

// `fields` makes a tuple of a kind's fields. An empty one, and one with all fields different from that.
template <class Kind, class Fields>
void expect_round_trip(const Kind& full, Fields fields) {
  EXPECT_EQ(fields(back(full)), fields(full));
  EXPECT_EQ(fields(back(Kind{})), fields(Kind{}));
}

TEST(OpKinds, Enter) {
  expect_round_trip(EnterOp{7, -3}, [](const EnterOp& x) { return std::tuple(x.block, x.steps); });
}

TEST(OpKinds, Branch) {
  const auto fields = [](const BranchOp& x) {
    return std::tuple(x.guarded, x.negated, x.predicate, x.counter, x.jump, x.meet);
  };
  expect_round_trip(BranchOp{true, true, 4, 5, -6, 7}, fields);
  expect_round_trip(BranchOp{true, false, 4, 5, 6, 0}, fields);
}

TEST(OpKinds, BranchTable) {
  expect_round_trip(BranchTableOp{1, 2, 3, -4},
                    [](const BranchTableOp& x) { return std::tuple(x.index, x.table, x.counter, x.meet); });
  EXPECT_EQ(meeting_place(written(BranchTableOp{1, 2, 3, -4})), -4);
}

TEST(OpKinds, Guard) {
  expect_round_trip(GuardOp{8, true, 3},
                    [](const GuardOp& x) { return std::tuple(x.predicate, x.negated, x.jump); });
  EXPECT_EQ(taken_by(written(GuardOp{8, true, 3}), 0xff00ff00), 0x00ff00ffu);
  EXPECT_EQ(taken_by(written(GuardOp{8, false, 3}), 0xff00ff00), 0xff00ff00u);
}

TEST(OpKinds, Trap) {
  expect_round_trip(TrapOp{true}, [](const TrapOp& x) { return std::tuple(x.is_breakpoint); });
}

TEST(OpKinds, Call) {
  expect_round_trip(CallOp{9}, [](const CallOp& x) { return std::tuple(x.site); });
  expect_round_trip(IndirectCallOp{1, 2, true, 3}, [](const IndirectCallOp& x) {
    return std::tuple(x.site, x.address, x.is_narrow, x.counter);
  });
  EXPECT_EQ(meeting_place(written(IndirectCallOp{})), 1);  // the op after it
  EXPECT_EQ(CallOp::of(written(IndirectCallOp{.site = 5})).site,
            5u);  // a return looks for the site of either
}

TEST(OpKinds, Spill) {
  expect_round_trip(SpillOp{1, 2, 3, 4},
                    [](const SpillOp& x) { return std::tuple(x.base, x.first, x.rows, x.offset); });
}

TEST(OpKinds, Stack) {
  expect_round_trip(StackOp{1, 2, 16, true}, [](const StackOp& x) {
    return std::tuple(x.result, x.operand, x.alignment, x.is_narrow);
  });
}

TEST(OpKinds, Address) {
  const auto fields = [](const AddressOp& x) {
    return std::tuple(x.is_known, x.is_narrow, x.base, x.offset, x.is_in_short_space);
  };
  expect_round_trip(AddressOp{false, true, 64, 0x4'ffff'fffc, true}, fields);
  expect_round_trip(AddressOp{false, true, 64, ~uint64_t{0}}, fields);
  expect_round_trip(AddressOp{true, false, 0, 0x1'0000'0000}, fields);
}

TEST(OpKinds, Access) {
  const auto fields = [](const AccessOp& x) {
    return std::tuple(x.kind, x.bytes, x.register_bytes, x.elements, x.counter);
  };
  expect_round_trip(AccessOp{AccessKind::load, 16, 4, 1, 9}, fields);
  expect_round_trip(AccessOp{AccessKind::store, 16, 8, 1, 9}, fields);
  expect_round_trip(AccessOp{AccessKind::atomic, 16, 0, 4, 9}, fields);
  for (const AccessKind kind : {AccessKind::load, AccessKind::store, AccessKind::atomic}) {
    const Op op = written(AccessOp{.kind = kind, .elements = 3, .counter = 5});
    EXPECT_EQ(access_kind(op), kind);
    EXPECT_EQ(is_store(op), kind == AccessKind::store);
    EXPECT_EQ(writes_memory(op), kind != AccessKind::load);
    EXPECT_EQ(access_counter(op), 5u);
  }
  EXPECT_EQ(atomic_elements(written(AccessOp{.kind = AccessKind::atomic, .elements = 3})), 3u);
}

// An access has an address too, in the same op, whichever is written first.
TEST(OpKinds, AnAccessLeavesTheAddressAlone) {
  const AddressOp address{true, true, 64, 12};
  const AccessOp access{AccessKind::store, 8, 4, 1, 2};
  Op first = written(address), second = written(access);
  access.write(first);
  address.write(second);
  for (const Op& op : {first, second}) {
    EXPECT_TRUE(AddressOp::of(op).is_known && AddressOp::of(op).is_narrow);
    EXPECT_EQ(AddressOp::of(op).base, 64u);
    EXPECT_EQ(AddressOp::of(op).offset, 12u);
    EXPECT_EQ(AccessOp::of(op).kind, AccessKind::store);
    EXPECT_EQ(AccessOp::of(op).bytes, 8);
  }
}

TEST(OpKinds, SpaceTest) {
  expect_round_trip(SpaceTestOp{1, 2, 0x1'0000'0000},
                    [](const SpaceTestOp& x) { return std::tuple(x.result, x.address, x.window); });
}

TEST(OpKinds, Barrier) {
  const auto fields = [](const BarrierOp& x) {
    return std::tuple(x.kind, x.aligned, x.are_constants, x.number, x.threads, x.predicate, x.negated,
                      x.result);
  };
  for (const BarrierKind kind :
       {BarrierKind::sync, BarrierKind::arrive, BarrierKind::popc, BarrierKind::all, BarrierKind::any}) {
    expect_round_trip(BarrierOp{kind, true, true, 1, 2, 3, true, 4}, fields);
    EXPECT_EQ(reduces(kind), kind != BarrierKind::sync && kind != BarrierKind::arrive);
  }
}

TEST(OpKinds, Collective) {
  const auto fields = [](const CollectiveOp& x) {
    return std::tuple(x.kind, x.result, x.result_predicate, x.value, x.negated, x.b, x.c, x.mask_is_constant,
                      x.mask, x.mask_slot);
  };
  expect_round_trip(CollectiveOp{Collective::shfl_idx, 1, 2, 3, false, 4, 5, true, 0xffffffff, 0}, fields);
  expect_round_trip(CollectiveOp{Collective::vote_any, no_slot, 2, 3, true, 0, 0, false, 0, 6}, fields);
  EXPECT_EQ(collective_of(written(CollectiveOp{.kind = Collective::elect})), Collective::elect);
  EXPECT_FALSE(CollectiveOp{}.waits());
  EXPECT_TRUE((CollectiveOp{.mask = 1}.waits()));
  EXPECT_TRUE((CollectiveOp{.mask_is_constant = false}.waits()));
}

TEST(OpKinds, Mbarrier) {
  const auto fields = [](const MbarrierOp& x) {
    return std::tuple(x.job, x.tries, x.drops, x.expects, x.incomplete, x.generic, x.result, x.operand);
  };
  for (const MbarrierJob job :
       {MbarrierJob::init, MbarrierJob::invalidate, MbarrierJob::arrive, MbarrierJob::expect,
        MbarrierJob::complete, MbarrierJob::test, MbarrierJob::test_parity, MbarrierJob::async_arrive}) {
    for (uint32_t bits = 0; bits < 32; ++bits) {
      expect_round_trip(MbarrierOp{job, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0,
                                   (bits & 16) != 0, 1, 2},
                        fields);
    }
  }
}

TEST(OpKinds, CopiesInTheBackground) {
  expect_round_trip(PendingCountOp{1, 2},
                    [](const PendingCountOp& x) { return std::tuple(x.result, x.token); });
  expect_round_trip(BulkCopyOp{true, 1, 2, 3, 4}, [](const BulkCopyOp& x) {
    return std::tuple(x.to_global, x.target, x.source, x.bytes, x.barrier);
  });
  EXPECT_TRUE(back(WaitGroupOp{}).all);
  EXPECT_FALSE(back(WaitGroupOp{false, 3}).all);
  EXPECT_EQ(back(WaitGroupOp{false, 3}).newest, 3u);
  expect_round_trip(CopySourceOp{16, 1, 2, true, 3}, [](const CopySourceOp& x) {
    return std::tuple(x.bytes, x.size, x.predicate, x.negated, x.counter);
  });
  expect_round_trip(CopyTargetOp{16, true, 3},
                    [](const CopyTargetOp& x) { return std::tuple(x.bytes, x.bypasses, x.counter); });
  EXPECT_EQ(access_kind(written(CopySourceOp{})), AccessKind::load);
  EXPECT_EQ(access_kind(written(CopyTargetOp{})), AccessKind::store);
}

TEST(OpKinds, Matrices) {
  expect_round_trip(ProductOp{5}, [](const ProductOp& x) { return std::tuple(x.matrix); });
  expect_round_trip(MatrixRowsOp{true, 4, {1, 2, 3, 4}, true, true, 6}, [](const MatrixRowsOp& x) {
    return std::tuple(x.store, x.count, x.slots, x.transposed, x.generic, x.counter);
  });
  expect_round_trip(ElementAddressOp{1, 2, 3, 4, true}, [](const ElementAddressOp& x) {
    return std::tuple(x.result, x.stride, x.element, x.matrix, x.by_columns);
  });
}

TEST(OpKinds, Texture) {
  expect_round_trip(TextureOp{3, 4}, [](const TextureOp& x) { return std::tuple(x.access, x.counter); });
}

TEST(OpKinds, Video) {
  VideoPlan plan;
  plan.operation = VideoOperation::mad;
  plan.a_part = VideoPart::byte;
  plan.a_index = 3;
  plan.negate_c = true;
  EXPECT_EQ(packed(back(plan)), packed(plan));
}

TEST(OpKinds, ClockAndRounding) {
  expect_round_trip(ClockOp{1, ptx::SpecialRegister::globaltimer, -5},
                    [](const ClockOp& x) { return std::tuple(x.result, x.which, x.steps); });
  expect_round_trip(RoundedOp{fenv_mode(ptx::Modifier::rp)},
                    [](const RoundedOp& x) { return std::tuple(x.mode); });
}

TEST(OpKinds, Arithmetic) {
  Op op;
  set_half_flags(op, half_ftz | half_relu);
  set_carry_slot(op, 77);
  EXPECT_EQ(half_flags(op), uint32_t{half_ftz | half_relu});
  EXPECT_EQ(carry_slot(op), 77u);
}

TEST(OpKinds, Watch) {
  expect_round_trip(WatchedDivisor{1, 8},
                    [](const WatchedDivisor& x) { return std::tuple(x.slot, x.bytes); });
  expect_round_trip(WatchedFence{true}, [](const WatchedFence& x) { return std::tuple(x.for_device); });
  expect_round_trip(WatchedRead{1, 2, 3},
                    [](const WatchedRead& x) { return std::tuple(x.written, x.function, x.reg); });
  expect_round_trip(WatchedWrite{1, 2}, [](const WatchedWrite& x) { return std::tuple(x.written, x.from); });
  EXPECT_EQ(watch_job(written(WatchedDivisor{})), WatchJob::divisor);
  EXPECT_EQ(watch_job(written(WatchedFence{})), WatchJob::fence);
  EXPECT_EQ(watch_job(written(WatchedRead{})), WatchJob::register_read);
  EXPECT_EQ(watch_job(written(WatchedWrite{1})), WatchJob::register_write);
  EXPECT_EQ(watch_job(written(WatchedWrite{1, 2})), WatchJob::register_copy);
  // A copy of a collective keeps all of it.
  Op op = written(CollectiveOp{Collective::shfl_up, 1, 2, 3, false, 4, 5, false, 0, 6});
  set_watch_job(op, WatchJob::sync_after);
  EXPECT_EQ(watch_job(op), WatchJob::sync_after);
  EXPECT_EQ(CollectiveOp::of(op).mask_slot, 6u);
  EXPECT_EQ(CollectiveOp::of(op).kind, Collective::shfl_up);
}

}  // namespace THIS_FILE
}  // namespace warplens::program
