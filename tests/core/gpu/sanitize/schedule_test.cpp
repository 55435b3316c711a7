// Other schedules (--seed), and what a run finds without following accesses.
#include <gtest/gtest.h>

#include <set>

#include "core/gpu/exec/state/schedule.h"
#include "tests/core/gpu/engine/support.h"

namespace warplens {
namespace THIS_FILE {

using test::kernel;
using test::output;
using test::Request;

// Sums a warp's numbers through shared memory, and relies on lanes in step: no __syncwarp().
const std::string in_step = kernel("sum", 1, R"(
mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, part; add.u32 %r3, %r2, %r1;
st.shared.u32 [%r3], %r0;
add.u32 %r4, %r3, 4; ld.shared.u32 %r5, [%r4];
cvt.u64.u32 %d0, %r1; add.s64 %d1, %p0, %d0; st.global.u32 [%d1], %r5; ret;)",
                                   ".shared .align 4 .b8 part[256];\n");

// As above with a barrier in between.
const std::string in_order = kernel("sum", 1, R"(
mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, part; add.u32 %r3, %r2, %r1;
st.shared.u32 [%r3], %r0;
bar.sync 0;
add.u32 %r4, %r3, 4; ld.shared.u32 %r5, [%r4];
mov.u32 %r6, %ctaid.x; shl.b32 %r7, %r6, 7; add.u32 %r8, %r7, %r1;
cvt.u64.u32 %d0, %r8; add.s64 %d1, %p0, %d0; st.global.u32 [%d1], %r5; ret;)",
                                    ".shared .align 4 .b8 part[256];\n");

// Half of the lanes write to shared memory, all meet, and then each continues on its own path. The lower half
// reads values that the upper half wrote before they met, although in many schedules the upper half has
// exited by then.
const std::string met_and_left = kernel("meet", 1, R"(
mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, part; add.u32 %r3, %r2, %r1;
st.shared.u32 [%r3], %r0;
bar.warp.sync -1;
shfl.sync.down.b32 %r4, %r0, 16, 31, -1;
shfl.sync.down.b32 %r5, %r4, 8, 31, -1;
setp.gt.u32 %q0, %r0, 15; @%q0 bra DONE;
ld.shared.u32 %r6, [%r3+64]; add.u32 %r7, %r6, %r5;
cvt.u64.u32 %d0, %r1; add.s64 %d1, %p0, %d0; st.global.u32 [%d1], %r7;
DONE: ret;)",
                                        ".shared .align 4 .b8 part[256];\n");

std::vector<uint32_t> run(Request request, uint64_t seed, uint32_t workers) {
  request.value.seed = seed;
  request.value.workers = workers;
  const auto result = request.run();
  EXPECT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::ok) << result->message;
  return output<uint32_t>(*result, 0);
}

TEST(Schedule, OfASeedShowsAMissingSyncwarp) {
  Request request(in_step);
  request.buffer("out", std::vector<uint32_t>(32));
  request.launch("sum", {1, 1, 1}, {32, 1, 1});
  std::set<std::vector<uint32_t>> results;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    results.insert(run(request, seed, 1));
    EXPECT_EQ(run(request, seed, 1), run(request, seed, 1)) << "seed " << seed;
  }
  EXPECT_GT(results.size(), 1u);
}

TEST(Schedule, BlamesNobodyForLanesThatLeaveAfterTheyMet) {
  Request request(met_and_left);
  request.buffer("out", std::vector<uint32_t>(32));
  request.launch("meet", {4, 1, 1}, {32, 1, 1});
  request.value.sanitize = Sanitize::all;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    request.value.seed = seed;
    const auto result = request.run();
    ASSERT_TRUE(result) << result.error().message;
    for (const Incident& finding : result->findings)
      ADD_FAILURE() << "seed " << seed << ": " << to_string(finding.kind) << ": " << finding.message;
  }
}

TEST(Schedule, GivesASoundKernelTheSameResultWhateverTheSeedAndTheWorkers) {
  Request request(in_order);
  request.buffer("out", std::vector<uint32_t>(128 * 32));
  request.launch("sum", {100, 1, 1}, {32, 1, 1});
  const std::vector<uint32_t> wanted = run(request, 0, 1);
  for (const uint64_t seed : {1, 2, 77}) {
    EXPECT_EQ(run(request, seed, 1), wanted);
    EXPECT_EQ(run(request, seed, 4), wanted);
  }
}

TEST(Schedule, PermutesBlocksWithinTheirWindow) {
  for (const uint64_t blocks : {1, 31, 32, 33, 100}) {
    for (const uint64_t seed : {1, 2, 3}) {
      std::set<uint64_t> seen;
      for (uint64_t place = 0; place < blocks; ++place) {
        const uint64_t block = exec::block_at(place, blocks, seed);
        EXPECT_EQ(block / 32, place / 32);
        EXPECT_LT(block, blocks);
        seen.insert(block);
      }
      EXPECT_EQ(seen.size(), blocks);
    }
  }
}

const std::string divides = kernel("divide", 1, R"(
mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; add.u32 %r2, %r0, %r1; sub.u32 %r3, 20, %r2;
div.u32 %r4, 7, %r3; st.global.u32 [%p0], 0; ret;)");

TEST(Findings, OfADivisionByZeroNameItsFirstThreadOnAnyNumberOfWorkers) {
  for (const uint32_t workers : {1u, 4u}) {
    Request request(divides);
    request.buffer("out", std::vector<uint32_t>(4));
    request.launch("divide", {64, 1, 1}, {8, 1, 1});
    request.value.workers = workers;
    request.value.sanitize = Sanitize::memory;
    const auto result = request.run();
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->findings.size(), 1u);
    const Incident& finding = result->findings[0];
    EXPECT_EQ(finding.kind, IncidentKind::division_by_zero);
    EXPECT_EQ(finding.block, (Dim3{13, 0, 0}));
    EXPECT_EQ(finding.thread, (Dim3{7, 0, 0}));
    EXPECT_EQ(finding.count, 8u);
    EXPECT_EQ(result->status, RunStatus::ok);
  }
}

TEST(Findings, AreNotLookedForWhenTheyAreOff) {
  Request request(divides);
  request.buffer("out", std::vector<uint32_t>(4));
  request.launch("divide", {64, 1, 1}, {8, 1, 1});
  request.value.sanitize = Sanitize::off;
  const auto result = request.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->findings.empty());
}

// Lanes of a warp run in step before Volta.
TEST(Findings, OfAMissingSyncwarpAreForVoltaAndLater) {
  for (const int major : {6, 7}) {
    Request request(in_step);
    request.buffer("out", std::vector<uint32_t>(32));
    request.launch("sum", {1, 1, 1}, {31, 1, 1});
    request.value.device.compute_capability.major = static_cast<uint32_t>(major);
    request.value.sanitize = Sanitize::all;
    const auto result = request.run();
    ASSERT_TRUE(result) << result.error().message;
    const bool race = std::any_of(result->findings.begin(), result->findings.end(),
                                  [](const Incident& finding) { return finding.kind == IncidentKind::race; });
    EXPECT_EQ(race, major >= 7);
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
