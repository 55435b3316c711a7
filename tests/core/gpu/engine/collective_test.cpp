// Lanes that work together: shuffles, votes and their like, and which lanes wait for which others.
#include <functional>
#include <numeric>

#include "tests/core/gpu/engine/support.h"

namespace warplens::test {
namespace THIS_FILE {

// Runs a body over one block. %r0 is the thread, %d0 the address of its word of the output; the body leaves
// its answer in %r9.
RunResult run_block(const std::string& body, uint32_t threads = 32) {
  const std::string text = "mov.u32 %r0, %tid.x; mad.wide.u32 %d0, %r0, 4, %p0; mov.u32 %r9, 0xdead;\n" +
                           body + "\nst.global.u32 [%d0], %r9; ret;";
  Request request(kernel("k", 1, text, ".shared .align 4 .b8 room[512];\n"));
  request.buffer("out", zeros(threads)).launch("k", {1, 1, 1}, {threads, 1, 1});
  const auto result = request.run();
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : RunResult{};
}

void expect_lanes(const std::string& body, const std::function<uint32_t(uint32_t)>& wanted,
                  uint32_t threads = 32) {
  const RunResult result = run_block(body, threads);
  ASSERT_EQ(result.status, RunStatus::ok) << result.message << "\n" << body;
  const auto out = output<uint32_t>(result, 0);
  for (uint32_t t = 0; t < threads; ++t) EXPECT_EQ(out[t], wanted(t)) << "thread " << t << " of\n" << body;
}

TEST(Collective, AButterflySumsAWarp) {
  std::string body = "mul.lo.u32 %r9, %r0, 3;\n";
  for (uint32_t step : {16, 8, 4, 2, 1})
    body += "shfl.sync.bfly.b32 %r1, %r9, " + std::to_string(step) + ", 31, -1; add.u32 %r9, %r9, %r1;\n";
  expect_lanes(
      body, [](uint32_t t) { return t / 32 * 32 * 3 * 32 + 3 * 31 * 16; }, 64);
}

TEST(Collective, AScanWithPredicates) {
  std::string body = "add.u32 %r9, %r0, 1;\n";
  for (uint32_t step : {1, 2, 4, 8, 16})
    body += "shfl.sync.up.b32 %r1|%q0, %r9, " + std::to_string(step) +
            ", 0, 0xffffffff; @%q0 add.u32 %r9, %r9, %r1;\n";
  expect_lanes(body, [](uint32_t t) { return (t + 1) * (t + 2) / 2; });
}

TEST(Collective, SegmentsKeepToThemselves) {
  // Width 8: c = (32 - 8) << 8 | 7 for idx and down.
  expect_lanes("shfl.sync.idx.b32 %r9, %r0, 3, 0x1807, -1;", [](uint32_t t) { return t / 8 * 8 + 3; });
  expect_lanes("shfl.sync.down.b32 %r9, %r0, 5, 0x1807, -1;",
               [](uint32_t t) { return t % 8 < 3 ? t + 5 : t; });
  expect_lanes("shfl.sync.up.b32 %r9|%q0, %r0, 2, 0x1800, -1; @!%q0 add.u32 %r9, %r9, 100;",
               [](uint32_t t) { return t % 8 < 2 ? t + 100 : t - 2; });
}

TEST(Collective, TheFormsBeforeVoltaWaitForNobody) {
  expect_lanes("shfl.bfly.b32 %r9, %r0, 1, 31;", [](uint32_t t) { return t ^ 1; });
  expect_lanes(
      "and.b32 %r1, %r0, 1; setp.eq.u32 %q0, %r1, 0; @%q0 bra EVEN; vote.ballot.b32 %r9, %q0; bra "
      "DONE;\nEVEN:\nvote.ballot.b32 %r9, %q0;\nDONE:",
      [](uint32_t t) { return t % 2 == 0 ? 0x55555555u : 0u; });
}

TEST(Collective, BothArmsOfAnIfMeet) {
  // Each arm has a shuffle of its own, with other registers.
  const std::string body =
      "add.u32 %r1, %r0, 100; add.u32 %r2, %r0, 200; setp.lt.u32 %q0, %r0, 12; @%q0 bra LOW;\n"
      "shfl.sync.idx.b32 %r9, %r2, 3, 31, -1; bra DONE;\nLOW:\n"
      "shfl.sync.idx.b32 %r3, %r1, 31, 31, -1; add.u32 %r9, %r3, 1000;\nDONE:";
  expect_lanes(body, [](uint32_t t) { return t < 12 ? 1231u : 103u; });
}

TEST(Collective, GuardedTwinsMeet) {
  const std::string body =
      "setp.lt.u32 %q0, %r0, 9; @%q0 shfl.sync.bfly.b32 %r9, %r0, 31, 31, -1;\n"
      "@!%q0 shfl.sync.bfly.b32 %r9, %r0, 31, 31, -1; vote.sync.ballot.b32 %r1, %q0, -1; xor.b32 %r9, %r9, "
      "%r1;";
  expect_lanes(body, [](uint32_t t) { return (31 - t) ^ 0x1ffu; });
}

TEST(Collective, AShuffleInAnIfMeetsTheOneBehindIt) {
  // The lanes of the if wait for those that are already where the paths meet.
  const std::string body =
      "setp.ge.u32 %q0, %r0, 16; mov.u32 %r9, 0; @%q0 bra MEET;\n"
      "shfl.sync.idx.b32 %r9, %r0, 20, 31, -1; st.global.u32 [%d0], %r9; ret;\nMEET:\n"
      "shfl.sync.idx.b32 %r9, %r0, 5, 31, -1;";
  expect_lanes(body, [](uint32_t t) { return t < 16 ? 20u : 5u; });
}

TEST(Collective, GroupsWithMasksOfTheirOwn) {
  // Four tiles of 8 lanes, each with its mask in a register, as cooperative groups have them.
  const std::string body =
      "shr.u32 %r1, %r0, 3; shl.b32 %r1, %r1, 3; mov.u32 %r2, 255; shl.b32 %r2, %r2, %r1;\n"
      "redux.sync.add.u32 %r9, %r0, %r2;";
  expect_lanes(body, [](uint32_t t) { return t / 8 * 64 + 28; });
}

TEST(Collective, ExitedLanesAreNotWaitedFor) {
  const std::string body =
      "setp.ge.u32 %q0, %r0, 20; @%q0 exit; setp.lt.u32 %q1, %r0, 50; vote.sync.ballot.b32 %r9, %q1, -1;";
  expect_lanes(body, [](uint32_t t) { return t < 20 ? 0xfffffu : 0u; });
  // Lanes that exit later let the others continue.
  const std::string later =
      "setp.ge.u32 %q0, %r0, 20; @%q0 bra SPIN; setp.lt.u32 %q1, %r0, 50; vote.sync.ballot.b32 %r9, %q1, "
      "-1;\n"
      "bra DONE;\nSPIN:\nmov.u32 %r1, 0;\nMORE:\nadd.u32 %r1, %r1, 1; setp.lt.u32 %q2, %r1, 5000; @%q2 bra "
      "MORE; exit;\nDONE:";
  expect_lanes(later, [](uint32_t t) { return t < 20 ? 0xfffffu : 0u; });
  // A last warp that is not full.
  expect_lanes(
      "redux.sync.add.u32 %r9, 1, -1;", [](uint32_t t) { return t < 32 ? 32u : 8u; }, 40);
}

TEST(Collective, VotesMatchesAndElections) {
  const auto word = [](uint32_t t) { return (0x80040200u >> t & 1u) != 0; };
  const std::string head =
      "mov.u32 %r1, 0x80040200; shr.u32 %r1, %r1, %r0; and.b32 %r1, %r1, 1; setp.ne.u32 %q0, %r1, 0;\n";
  expect_lanes(head + "vote.sync.ballot.b32 %r9, !%q0, -1;", [](uint32_t) { return 0x7ffbfdffu; });
  expect_lanes(
      head +
          "vote.sync.any.pred %q1, %q0, -1; vote.sync.all.pred %q2, %q0, -1; selp.u32 %r9, 1, 0, "
          "%q1; @%q2 add.u32 %r9, %r9, 2; vote.sync.uni.pred %q3, %q0, -1; @%q3 add.u32 %r9, %r9, 4;",
      [](uint32_t) { return 1u; });
  expect_lanes(head + "match.any.sync.b32 %r9, %r1, -1;",
               [&](uint32_t t) { return word(t) ? 0x80040200u : 0x7ffbfdffu; });
  expect_lanes(head + "cvt.u64.u32 %d1, %r1; match.all.sync.b64 %r9|%q1, %d1, -1; @%q1 add.u32 %r9, %r9, 1;",
               [](uint32_t) { return 0u; });
  expect_lanes("match.all.sync.b32 %r9|%q1, 7, -1; @%q1 add.u32 %r9, %r9, 2;", [](uint32_t) { return 1u; });
  expect_lanes("elect.sync %r9|%q1, -1; @%q1 add.u32 %r9, %r9, 50;",
               [](uint32_t t) { return t == 0 ? 50u : 0u; });
  expect_lanes(
      "neg.s32 %r1, %r0; redux.sync.min.s32 %r2, %r1, -1; redux.sync.max.u32 %r3, %r0, -1; add.u32 "
      "%r9, %r2, %r3; redux.sync.xor.b32 %r4, %r0, -1; add.u32 %r9, %r9, %r4;",
      [](uint32_t) { return 0u; });
}

TEST(Collective, ActiveMaskIsOfThePathAlone) {
  expect_lanes("activemask.b32 %r9; setp.lt.u32 %q0, %r0, 5; @!%q0 bra DONE; activemask.b32 %r9;\nDONE:",
               [](uint32_t t) { return t < 5 ? 0x1fu : 0xffffffffu; });
}

TEST(Collective, AWarpBarrierOrdersItsLanes) {
  // The last lane writes late; the others wait for it in the other arm.
  const std::string body =
      "mov.u32 %r1, room; setp.eq.u32 %q0, %r0, 31; @%q0 bra LAST; bar.warp.sync -1; ld.shared.u32 %r9, "
      "[%r1]; bra DONE;\nLAST:\nmov.u32 %r2, 0;\nMORE:\nadd.u32 %r2, %r2, 1; setp.lt.u32 %q1, %r2, 3000; "
      "@%q1 "
      "bra MORE; st.shared.u32 [%r1], 77; bar.warp.sync 0xffffffff; mov.u32 %r9, 78;\nDONE:";
  expect_lanes(body, [](uint32_t t) { return t == 31 ? 78u : 77u; });
}

TEST(Collective, LanesThatWaitForALockHolderOfTheirWarpMakeProgress) {
  // Each lane takes the lock, shuffles with no other lane, and releases the lock.
  const std::string body =
      "mov.u32 %r1, room; mov.u32 %r3, 1; shl.b32 %r3, %r3, %r0;\nTRY:\natom.shared.cas.b32 %r2, [%r1], 0, "
      "1; "
      "setp.ne.u32 %q0, %r2, 0; @%q0 bra TRY;\nld.volatile.shared.u32 %r4, [%r1+4]; shfl.sync.idx.b32 %r9, "
      "%r4, 0, 0, %r3; add.u32 %r4, %r4, 1; st.volatile.shared.u32 [%r1+4], %r4; membar.cta; "
      "atom.shared.exch.b32 %r2, [%r1], 0; bar.warp.sync -1; ld.volatile.shared.u32 %r9, [%r1+4];";
  expect_lanes(body, [](uint32_t) { return 32u; });
}

TEST(Collective, LanesThatTakeNoPartAreReadAsZero) {
  expect_lanes(
      "add.u32 %r1, %r0, 100; shfl.sync.bfly.b32 %r9|%q0, %r1, 16, 31, -1; @%q0 add.u32 %r9, %r9, 1;",
      [](uint32_t t) { return t < 32 ? (t ^ 16) + 101 : 1; }, 48);
  // The lanes of the if meet the others at their next shuffle; when they come to it, the others have left.
  const std::string joined =
      "add.u32 %r1, %r0, 100; sub.u32 %r2, 31, %r0; mov.u32 %r9, 0; setp.ge.u32 %q0, %r0, 16; @%q0 bra "
      "MEET;\n"
      "shfl.sync.idx.b32 %r9, %r1, %r2, 31, -1;\nMEET:\nshfl.sync.idx.b32 %r3, %r1, %r2, 31, -1; mad.lo.u32 "
      "%r9, "
      "%r9, 1000, %r3;";
  expect_lanes(joined, [](uint32_t t) { return t < 16 ? (131 - t) * 1000 : 131 - t; });
}

TEST(Collective, AMaskThatLeavesItsLaneOutIsAFault) {
  const RunResult result = run_block(
      "mov.u32 %r1, 0xfff0; and.b32 %r2, %r0, 0; or.b32 %r1, %r1, %r2; "
      "vote.sync.ballot.b32 %r9, 1, %r1;");
  ASSERT_EQ(result.status, RunStatus::fault);
  EXPECT_EQ(result.faults[0].kind, IncidentKind::mask);
  EXPECT_NE(
      result.faults[0].message.find("thread (0,0,0) runs vote.sync.ballot.b32 with the mask 0x0000fff0"),
      std::string::npos)
      << result.faults[0].message;
  // As a number in the PTX it runs on the hardware too, with all that come together.
  expect_lanes("vote.sync.ballot.b32 %r9, 1, 0xffff;", [](uint32_t) { return 0xffffffffu; });
}

TEST(Collective, LanesThatNeverComeAreADeadlock) {
  const RunResult result = run_block(
      "setp.lt.u32 %q0, %r0, 16; @%q0 bra LOW; shfl.sync.idx.b32 %r9, %r0, 3, 31, 0xffff0000;\n"
      "shfl.sync.idx.b32 %r9, %r0, 3, 31, 0xfffffffe; bra DONE;\nLOW:\nvote.sync.any.pred %q1, %q0, "
      "-1;\nDONE:");
  ASSERT_EQ(result.status, RunStatus::fault);
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_EQ(result.faults[0].kind, IncidentKind::deadlock);
  for (const char* part :
       {"vote.sync.any.pred", "lanes 0 to 31", "lanes 16 to 31 wait at shfl.sync.idx.b32", "0xfffffffe"})
    EXPECT_NE(result.faults[0].message.find(part), std::string::npos)
        << part << ": " << result.faults[0].message;
}

}  // namespace THIS_FILE
}  // namespace warplens::test
