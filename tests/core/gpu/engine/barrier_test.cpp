// A block's barriers: numbers and counts in registers, producers and consumers, reductions, and which warps
// may arrive on which paths.
#include <functional>

#include "tests/core/gpu/engine/support.h"

namespace warplens::test {
namespace THIS_FILE {

// %r0 is the thread, %r1 its warp, %r8 the address of `room`; the body leaves its answer in %r9.
RunResult run_block(const std::string& body, uint32_t threads) {
  const std::string text =
      "mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5; mov.u32 %r8, room; mad.wide.u32 %d0, %r0, 4, %p0; mov.u32 "
      "%r9, 0xdead;\n" +
      body + "\nst.global.u32 [%d0], %r9; ret;";
  Request request(kernel("k", 1, text, ".shared .align 4 .b8 room[512];\n"));
  request.buffer("out", zeros(threads)).launch("k", {1, 1, 1}, {threads, 1, 1});
  const auto result = request.run();
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : RunResult{};
}

void expect_threads(const std::string& body, uint32_t threads,
                    const std::function<uint32_t(uint32_t)>& wanted) {
  const RunResult result = run_block(body, threads);
  ASSERT_EQ(result.status, RunStatus::ok) << result.message << "\n" << body;
  const auto out = output<uint32_t>(result, 0);
  for (uint32_t t = 0; t < threads; ++t) EXPECT_EQ(out[t], wanted(t)) << "thread " << t << " of\n" << body;
}

void expect_fault(const std::string& body, uint32_t threads, const std::string& kind,
                  const std::string& part) {
  const RunResult result = run_block(body, threads);
  ASSERT_EQ(result.status, RunStatus::fault) << body;
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_EQ(to_string(result.faults[0].kind), kind) << result.faults[0].message;
  EXPECT_NE(result.faults[0].message.find(part), std::string::npos) << result.faults[0].message;
  EXPECT_GT(result.faults[0].ptx_line, 0u);
}

TEST(NamedBarriers, NumberAndCountInRegisters) {
  // Pairs of warps, each pair with a barrier of its own; the second of a pair writes late.
  const std::string body =
      "shr.u32 %r2, %r1, 1; add.u32 %r3, %r2, 3; mov.u32 %r4, 64; and.b32 %r5, %r1, 1; setp.eq.u32 %q0, %r5, "
      "0;\nmad.lo.u32 %r6, %r2, 4, %r8; @%q0 bra MEET; mov.u32 %r7, 0;\nLATE:\nadd.u32 %r7, %r7, 1; "
      "setp.lt.u32 "
      "%q1, %r7, 2000; @%q1 bra LATE; add.u32 %r7, %r2, 70; st.shared.u32 [%r6], %r7;\nMEET:\nbarrier.sync "
      "%r3, %r4; ld.shared.u32 %r9, [%r6];";
  expect_threads(body, 256, [](uint32_t t) { return 70 + t / 64; });
}

TEST(NamedBarriers, ProducerAndConsumer) {
  // Warp 0 makes eight values, one at a time; warp 1 takes each before the next is written. Barrier 1: full,
  // barrier 2: empty.
  const std::string body =
      "mov.u32 %r2, 0; mov.u32 %r9, 0; setp.eq.u32 %q0, %r1, 0; @!%q0 bra CONSUME;\n"
      "PRODUCE:\nbarrier.sync 2, 64; mad.lo.u32 %r3, %r2, %r2, 1; st.shared.u32 [%r8], %r3; barrier.arrive "
      "1, 64; "
      "add.u32 %r2, %r2, 1; setp.lt.u32 %q1, %r2, 8; @%q1 bra PRODUCE; bra DONE;\n"
      "CONSUME:\nbarrier.arrive 2, 64;\nTAKE:\nbarrier.sync 1, 64; ld.shared.u32 %r3, [%r8]; mad.lo.u32 %r9, "
      "%r9, 3, "
      "%r3; add.u32 %r2, %r2, 1; setp.ge.u32 %q1, %r2, 8; @%q1 bra DONE; barrier.arrive 2, 64; bra "
      "TAKE;\nDONE:";
  uint32_t taken = 0;
  for (uint32_t i = 0; i < 8; ++i) taken = taken * 3 + i * i + 1;
  expect_threads(body, 64, [=](uint32_t t) { return t < 32 ? 0 : taken; });
}

TEST(NamedBarriers, ReductionsOverABlock) {
  const std::string head = "and.b32 %r2, %r0, 3; setp.eq.u32 %q0, %r2, 1; setp.lt.u32 %q1, %r0, 1000;\n";
  expect_threads(head + "bar.red.popc.u32 %r9, 0, %q0;", 96, [](uint32_t) { return 24u; });
  expect_threads(head + "bar.red.popc.u32 %r9, 0, !%q0;", 96, [](uint32_t) { return 72u; });
  expect_threads(
      head +
          "bar.red.and.pred %q2, 0, %q0; bar.red.or.pred %q3, 0, %q0; bar.red.and.pred %q4, 0, "
          "%q1; bar.red.or.pred %q5, 0, !%q1; mov.u32 %r9, 0; @%q2 add.u32 %r9, %r9, 1; @%q3 add.u32 "
          "%r9, %r9, 2; @%q4 add.u32 %r9, %r9, 4; @%q5 add.u32 %r9, %r9, 8;",
      96, [](uint32_t) { return 6u; });
  // Each half of the block has its own barrier and count, twice.
  expect_threads(
      head +
          "shr.u32 %r3, %r1, 1; add.u32 %r3, %r3, 7; mov.u32 %r4, 64; setp.lt.u32 %q2, %r0, 40;\n"
          "barrier.red.popc.aligned.u32 %r9, %r3, %r4, %q2; barrier.red.popc.u32 %r5, %r3, %r4, %q1; "
          "mad.lo.u32 %r9, %r5, 1000, %r9;",
      128, [](uint32_t t) { return t < 64 ? 64040u : 64000u; });
  // A last warp that is not full.
  expect_threads(head + "bar.red.popc.u32 %r9, 0, %q1;", 40, [](uint32_t) { return 40u; });
  expect_threads(head + "bar.red.and.pred %q2, 0, %q1; selp.u32 %r9, 1, 0, %q2;", 40,
                 [](uint32_t) { return 1u; });
}

TEST(NamedBarriers, ThreadsThatHaveLeftBringNothing) {
  expect_threads(
      "setp.ge.u32 %q0, %r0, 50; @%q0 ret; setp.lt.u32 %q1, %r0, 1000; bar.red.popc.u32 %r9, 0, %q1;", 128,
      [](uint32_t t) { return t < 50 ? 50u : 0u; });
  // An early return as compilers write it: a branch to the end. Lanes that do more than exit there miss the
  // barrier.
  const std::string early =
      "setp.ge.u32 %q0, %r0, 50; @%q0 bra OUT; bar.sync 0; bar.red.popc.u32 %r9, 0, !%q0; ";
  expect_threads(early + "st.global.u32 [%d0], %r9;\nOUT:\nret;", 128,
                 [](uint32_t t) { return t < 50 ? 50u : 0u; });
  expect_fault(early + "\nOUT:", 128, "barrier_divergence", "14 of its warp's lanes");
}

TEST(NamedBarriers, LanesMayComeFromSeveralPlacesUnlessAligned) {
  const std::string arms =
      "and.b32 %r2, %r0, 1; setp.eq.u32 %q0, %r2, 0; mov.u32 %r3, 5; @%q0 bra EVEN; st.shared.u32 [%r8], "
      "%r3; "
      "barrier.sync 0; mov.u32 %r9, 1; bra DONE;\nEVEN:\nbarrier.sync 0; ld.shared.u32 %r9, [%r8];\nDONE:";
  expect_threads(arms, 64, [](uint32_t t) { return t % 2 == 0 ? 5u : 1u; });
  // Some wait after the branch, at the next barrier of the same number.
  const std::string skipped =
      "setp.ge.u32 %q0, %r0, 16; mov.u32 %r9, 2; @%q0 bra NEXT; barrier.sync 3; st.global.u32 [%d0], 1; "
      "ret;\nNEXT:\nbarrier.sync 3;";
  expect_threads(skipped, 32, [](uint32_t t) { return t < 16 ? 1u : 2u; });
  const std::string aligned =
      "and.b32 %r2, %r0, 1; setp.eq.u32 %q0, %r2, 0; @%q0 bra EVEN; bar.sync 0; bra DONE;\nEVEN:\nbar.sync "
      "0;\nDONE:";
  expect_fault(aligned, 64, "barrier_divergence", "16 of its warp's lanes");
}

TEST(NamedBarriers, WhatABlockHasNot) {
  expect_fault("add.u32 %r2, %r1, 15; bar.sync %r2;", 64, "invalid_barrier", "names barrier 16");
  expect_fault("add.u32 %r2, %r1, 40; bar.sync 1, %r2;", 64, "invalid_barrier", "multiple of 32");
  expect_fault("mov.u32 %r2, 0; and.b32 %r2, %r0, %r2; bar.arrive 1, %r2;", 64, "invalid_barrier",
               "0 threads");
  expect_fault("and.b32 %r2, %r0, 1; bar.sync %r2;", 64, "invalid_barrier", "names another barrier");
}

TEST(NamedBarriers, AsTheHardwareHasItWhereTheManualIsSilent) {
  // A number of 0 threads in a register: all of the block.
  expect_threads("mov.u32 %r2, 0; and.b32 %r2, %r0, %r2; bar.sync 1, %r2; mov.u32 %r9, 1;", 64,
                 [](uint32_t) { return 1u; });
  // The first warp to arrive sets the number of threads.
  expect_threads(
      "setp.lt.u32 %q1, %r0, 32; @%q1 bra FIRST; bar.sync 1, 64; mov.u32 %r9, 2; bra DONE;\nFIRST:\n"
      "bar.arrive 1, 96; mov.u32 %r9, 1;\nDONE:",
      96, [](uint32_t t) { return t < 32 ? 1u : 2u; });
  expect_threads(
      "and.b32 %r2, %r0, 16; setp.eq.u32 %q0, %r2, 0; mov.u32 %r9, 0; @!%q0 bra NEXT; barrier.sync 3; "
      "add.u32 "
      "%r9, %r9, 1;\nNEXT:\nbarrier.sync 3; add.u32 %r9, %r9, 2;",
      64, [](uint32_t t) { return t % 32 < 16 ? 3u : 2u; });
  expect_fault(
      "setp.lt.u32 %q1, %r0, 32; @%q1 bra FIRST; bar.red.popc.u32 %r9, 1, %q1; bra DONE;\nFIRST:\nbar.sync "
      "1;\nDONE:",
      64, "invalid_barrier", "bar.red");
}

TEST(NamedBarriers, FencesOfAllKindsAreAccepted) {
  const std::string body =
      "membar.cta; membar.gl; membar.sys; membar.proxy.alias; fence.sc.cta; fence.acq_rel.gpu; fence.sys; "
      "fence.acquire.cluster; fence.release.gpu; fence.proxy.alias; fence.proxy.async; "
      "fence.proxy.async.global; "
      "fence.proxy.async.shared::cta; fence.mbarrier_init.release.cluster; "
      "fence.acquire.sync_restrict::shared::cluster.cluster; fence.proxy.tensormap::generic.release.gpu; "
      "fence.proxy.tensormap::generic.acquire.gpu [%p0], 128; mov.u32 %r9, 3;";
  expect_threads(body, 32, [](uint32_t) { return 3u; });
}

}  // namespace THIS_FILE
}  // namespace warplens::test
