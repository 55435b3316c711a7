// Threads that need each other: barriers, locks, flags between blocks, atomics.
#include <numeric>

#include "tests/core/gpu/engine/support.h"

namespace warplens::test {
namespace THIS_FILE {

RunResult ok_result(const Request& request) {
  const auto result = request.run();
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  if (!result.ok()) return {};
  EXPECT_EQ(result->status, RunStatus::ok) << result->message;
  return *result;
}

TEST(Barriers, ReductionInSharedMemory) {
  // Sums 256 values a block; each step waits for the other warps.
  const std::string body =
      "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 256, %r0; mad.wide.u32 %d0, %r2, 4, "
      "%p0;\n"
      "ld.global.u32 %r3, [%d0]; mov.u32 %r4, room; mad.lo.u32 %r5, %r0, 4, %r4; st.shared.u32 [%r5], %r3;\n"
      "bar.sync 0; mov.u32 %r6, 128;\nLOOP:\nsetp.ge.u32 %q0, %r0, %r6; @%q0 bra SKIP;\n"
      "mad.lo.u32 %r7, %r6, 4, %r5; ld.shared.u32 %r8, [%r7]; ld.shared.u32 %r9, [%r5]; add.u32 %r9, %r9, "
      "%r8;"
      "st.shared.u32 [%r5], %r9;\nSKIP:\nbar.sync 0; shr.u32 %r6, %r6, 1; setp.ne.u32 %q1, %r6, 0; @%q1 bra "
      "LOOP;\n"
      "setp.ne.u32 %q2, %r0, 0; @%q2 ret; mad.wide.u32 %d1, %r1, 4, %p1; ld.shared.u32 %r9, [room]; "
      "st.global.u32 [%d1], %r9; ret;";
  std::vector<uint32_t> values(8 * 256);
  std::iota(values.begin(), values.end(), 5u);
  Counters first;
  for (uint32_t workers = 1; workers <= 3; ++workers) {
    Request request(kernel("k", 2, body, ".shared .align 4 .b8 room[1024];\n"));
    request.buffer("in", values).buffer("sums", zeros(8)).launch("k", {8, 1, 1}, {256, 1, 1});
    request.value.workers = workers;
    const RunResult result = ok_result(request);
    const auto sums = output<uint32_t>(result, 1);
    for (uint32_t b = 0; b < 8; ++b)
      EXPECT_EQ(sums[b], std::accumulate(values.begin() + b * 256, values.begin() + (b + 1) * 256, 0u));
    EXPECT_EQ(result.counters->barriers, 8u * 8 * 9);
    if (workers == 1) first = *result.counters;
    EXPECT_EQ(*result.counters, first) << workers << " workers";
  }
}

TEST(Barriers, WarpsMayWaitInPairs) {
  // Warps 0 and 1 meet at barrier 1, warps 2 and 3 at barrier 2; the producer of each pair arrives late.
  const std::string body =
      "mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5; shr.u32 %r2, %r1, 1; and.b32 %r3, %r1, 1; mov.u32 %r4, room;"
      "mad.lo.u32 %r5, %r2, 4, %r4; setp.eq.u32 %q0, %r3, 0; setp.eq.u32 %q1, %r2, 0;\n"
      "@%q0 bra MEET; mov.u32 %r6, 0;\nSPIN:\nadd.u32 %r6, %r6, 1; setp.lt.u32 %q2, %r6, 1000; @%q2 bra "
      "SPIN;\n"
      "add.u32 %r7, %r2, 70; st.shared.u32 [%r5], %r7;\nMEET:\n@%q1 bra FIRST; bar.sync 2, 64; bra "
      "DONE;\nFIRST:\nbar.sync 1, 64;\n"
      "DONE:\nld.shared.u32 %r8, [%r5]; mad.wide.u32 %d0, %r0, 4, %p0; st.global.u32 [%d0], %r8; ret;";
  Request request(kernel("k", 1, body, ".shared .align 4 .b8 room[16];\n"));
  request.buffer("out", zeros(128)).launch("k", {1, 1, 1}, {128, 1, 1});
  const auto out = output<uint32_t>(ok_result(request), 0);
  for (uint32_t t = 0; t < 128; ++t) EXPECT_EQ(out[t], 70 + t / 64) << t;
}

TEST(Barriers, ThreadsThatHaveLeftAreNotWaitedFor) {
  const std::string body =
      "mov.u32 %r0, %tid.x; setp.ge.u32 %q0, %r0, 40; @%q0 exit; bar.sync 0; mad.wide.u32 %d0, %r0, 4, %p0;"
      "st.global.u32 [%d0], 1; ret;";
  Request request(kernel("k", 1, body));
  request.buffer("out", zeros(128)).launch("k", {1, 1, 1}, {128, 1, 1});
  const auto out = output<uint32_t>(ok_result(request), 0);
  EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0u), 40u);
}

TEST(Locks, LanesThatSpinOnALockOfTheirWarpMakeProgress) {
  // All threads take one lock in turn and count without an atomic.
  const std::string body =
      "mov.u32 %r0, 0;\nTRY:\natom.global.cas.b32 %r1, [%p0], 0, 1; setp.ne.u32 %q0, %r1, 0; @%q0 bra TRY;\n"
      "ld.volatile.global.u32 %r2, [%p1]; add.u32 %r2, %r2, 1; st.volatile.global.u32 [%p1], %r2; "
      "membar.gl;\n"
      "atom.global.exch.b32 %r3, [%p0], 0; ret;";
  Request request(kernel("k", 2, body));
  request.buffer("lock", zeros(1)).buffer("count", zeros(1)).launch("k", {3, 1, 1}, {64, 1, 1});
  EXPECT_EQ(output<uint32_t>(ok_result(request), 1)[0], 192u);
}

TEST(Locks, TheHolderMayBeTheLaneThatDoesNotLoop) {
  // Odd lanes wait for a flag which the even lanes set after the branch.
  const std::string body =
      "mov.u32 %r0, %laneid; and.b32 %r1, %r0, 1; setp.eq.u32 %q0, %r1, 0; @%q0 bra RAISE;\nWAIT:\n"
      "ld.volatile.global.u32 %r2, [%p0]; setp.eq.u32 %q1, %r2, 0; @%q1 bra WAIT; bra DONE;\nRAISE:\n"
      "mov.u32 %r3, 7; st.volatile.global.u32 [%p0], %r3;\nDONE:\nmad.wide.u32 %d0, %r0, 4, %p1;"
      "ld.volatile.global.u32 %r4, [%p0]; st.global.u32 [%d0], %r4; ret;";
  Request request(kernel("k", 2, body));
  request.buffer("flag", zeros(1)).buffer("out", zeros(32)).launch("k", {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(output<uint32_t>(ok_result(request), 1), std::vector<uint32_t>(32, 7));
}

TEST(Blocks, ABlockThatWaitsForAnEarlierOneProgresses) {
  // A chain: each block adds one to what its predecessor left.
  const std::string body =
      "mov.u32 %r0, %ctaid.x; mad.wide.u32 %d0, %r0, 4, %p0;\nWAIT:\nld.volatile.global.u32 %r1, [%d0]; "
      "setp.eq.u32 %q0, %r1, 0;"
      "@%q0 bra WAIT; mov.u32 %r5, 0;\nWORK:\nadd.u32 %r5, %r5, 1; setp.lt.u32 %q1, %r5, 100; @%q1 bra "
      "WORK;\n"
      "add.u32 %r1, %r1, 1; st.volatile.global.u32 [%d0+4], %r1; ret;";
  std::vector<uint32_t> chain(34, 0);
  chain[0] = 1;
  for (uint32_t workers = 1; workers <= 2; ++workers) {
    Request request(kernel("k", 1, body));
    request.buffer("chain", chain).launch("k", {33, 1, 1}, {1, 1, 1});
    request.value.workers = workers;
    EXPECT_EQ(output<uint32_t>(ok_result(request), 0)[33], 34u);
  }
}

TEST(Blocks, ABlockThatWaitsForALaterOneProgresses) {
  const std::string body =
      "mov.u32 %r0, %ctaid.x; setp.eq.u32 %q0, %r0, 9; @%q0 bra RAISE;\nWAIT:\nld.volatile.global.u32 %r1, "
      "[%p0];"
      "setp.eq.u32 %q1, %r1, 0; @%q1 bra WAIT; ret;\nRAISE:\nmov.u32 %r1, 1; st.volatile.global.u32 [%p0], "
      "%r1; ret;";
  Request request(kernel("k", 1, body));
  request.buffer("flag", zeros(1)).launch("k", {10, 1, 1}, {32, 1, 1});
  EXPECT_EQ(output<uint32_t>(ok_result(request), 0)[0], 1u);
}

TEST(Atomics, CountEachThreadOnceAtAnyNumberOfWorkers) {
  const std::string body =
      "mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 7; mad.wide.u32 %d0, %r1, 4, %p0; red.global.add.u32 [%d0], 1;"
      "red.global.max.u32 [%p0+32], %r0; ret;";
  Counters first;
  for (uint32_t workers = 1; workers <= 3; ++workers) {
    Request request(kernel("k", 1, body));
    request.buffer("bins", zeros(9)).launch("k", {50, 1, 1}, {96, 1, 1});
    request.value.workers = workers;
    const RunResult result = ok_result(request);
    const auto bins = output<uint32_t>(result, 0);
    for (uint32_t b = 0; b < 8; ++b) EXPECT_EQ(bins[b], 600u);
    EXPECT_EQ(bins[8], 95u);
    if (workers == 1) first = *result.counters;
    EXPECT_EQ(*result.counters, first);
    EXPECT_EQ(result.counters->atomic_requests, 50u * 3 * 2);
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::test
