// Faults: the kind, the place, the thread, the sentence; the same at any number of workers.
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/core/gpu/engine/support.h"
#include "tests/core/sanitized.h"
#include "tests/processor_time.h"

namespace warplens::test {
namespace THIS_FILE {

// %r0: the thread's index in the grid.
const std::string index_in_grid =
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r0, %r1, %r2, %r3;\n";

Incident fault_of(const Request& request) {
  const auto result = request.run();
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  if (!result.ok()) return {};
  EXPECT_EQ(result->status, RunStatus::fault);
  EXPECT_EQ(result->faults.size(), 1u);
  return result->faults.empty() ? Incident{} : result->faults[0];
}

TEST(Faults, FirstThreadPastTheEndIsNamedAtAnyNumberOfWorkers) {
  const std::string body =
      index_in_grid + ".loc 1 42 0\nmad.wide.u32 %d0, %r0, 4, %p0; st.global.u32 [%d0], %r0; ret;";
  for (uint32_t workers = 1; workers <= 3; ++workers) {
    Request request(".file 1 \"kernel.cu\"\n" + kernel("k", 1, body));
    request.buffer("out", zeros(1000)).launch("k", {64, 1, 1}, {64, 1, 1});
    request.value.workers = workers;
    const Incident fault = fault_of(request);
    EXPECT_EQ(fault.kind, IncidentKind::out_of_bounds);
    EXPECT_EQ(fault.block, (Dim3{15, 0, 0}));
    EXPECT_EQ(fault.thread, (Dim3{40, 0, 0}));
    EXPECT_EQ(fault.file, "kernel.cu");
    EXPECT_EQ(fault.line, 42u);
    EXPECT_GT(fault.ptx_line, 0u);
    EXPECT_EQ(fault.bytes, 4u);
    EXPECT_EQ(fault.message,
              "block (15,0,0) thread (40,0,0) writes 4 bytes, just past the end of out (4,000 bytes). "
              "Test the index against the size before the access, as in if (i < n).");
  }
}

// One thread's access by this text; %p0 is a buffer of 64 bytes.
Incident fault_of_access(const std::string& access, const std::string& declarations = "") {
  Request request(kernel("k", 1, "mov.u32 %r3, %tid.x;\n" + access + "\nret;", declarations));
  request.buffer("data", zeros(16)).launch("k", {1, 1, 1}, {32, 1, 1});
  return fault_of(request);
}

TEST(Faults, AddressesThatWrapAroundAreOutOfBounds) {
  // The loop first uses the buffer as it should, so that its allocation is at hand.
  const std::string twice =
      "mov.u32 %r4, 0; mov.u64 %d1, %p0;\nAGAIN:\nld.global.u32 %r5, [%d1]; add.u32 %r4, %r4, 1;\n";
  EXPECT_EQ(fault_of_access(twice + "mov.u64 %d1, -4; setp.lt.u32 %q0, %r4, 2; @%q0 bra AGAIN;").kind,
            IncidentKind::out_of_bounds);
  // Lane 0 stays inside, the others wrap.
  EXPECT_EQ(fault_of_access(twice + "setp.eq.u32 %q1, %r3, 0; selp.b64 %d1, %p0, -4, %q1;"
                                    "setp.lt.u32 %q0, %r4, 2; @%q0 bra AGAIN;")
                .thread,
            (Dim3{1, 0, 0}));
  // Side by side, across zero.
  EXPECT_EQ(fault_of_access("mov.u64 %d1, -8; mad.wide.u32 %d1, %r3, 4, %d1; st.global.u32 [%d1], %r3;").kind,
            IncidentKind::out_of_bounds);
  const std::string room = ".shared .align 4 .b8 room[256];\n";
  const Incident below =
      fault_of_access("mov.u32 %r4, room; mad.lo.u32 %r4, %r3, 4, %r4; st.shared.u32 [%r4-4], %r3;", room);
  EXPECT_EQ(below.kind, IncidentKind::out_of_bounds);
  EXPECT_EQ(below.thread, (Dim3{0, 0, 0}));
  EXPECT_NE(below.message.find("shared memory at offset -4, before its start."), std::string::npos)
      << below.message;
  const Incident past = fault_of_access("mov.u32 %r4, room; st.shared.u32 [%r4+260], %r3;", room);
  EXPECT_NE(past.message.find("shared memory at offset 260, past its end."), std::string::npos)
      << past.message;
  const Incident constant = fault_of_access("mov.u32 %r4, -8; ld.const.u32 %r5, [%r4+4];");
  EXPECT_EQ(constant.kind, IncidentKind::out_of_bounds);
}

TEST(Faults, EachKindHasItsPlaceAndSentence) {
  const Incident null = fault_of_access("mov.u64 %d1, 0; ld.global.u32 %r5, [%d1+8];");
  EXPECT_EQ(null.kind, IncidentKind::out_of_bounds);
  EXPECT_NE(null.message.find("null pointer"), std::string::npos) << null.message;

  const Incident odd = fault_of_access("setp.eq.u32 %q0, %r3, 5; @%q0 ld.global.u32 %r5, [%p0+6];");
  EXPECT_EQ(odd.kind, IncidentKind::misaligned);
  EXPECT_EQ(odd.thread, (Dim3{5, 0, 0}));
  EXPECT_EQ(odd.address % 4, 2u);
  EXPECT_NE(odd.message.find("not a multiple of 4"), std::string::npos) << odd.message;

  const Incident wide = fault_of_access("ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%p0+8];");
  EXPECT_EQ(wide.kind, IncidentKind::misaligned);
  EXPECT_EQ(wide.bytes, 16u);

  const std::string table = ".const .u32 table[4] = {1, 2, 3, 4};\n";
  const Incident written = fault_of_access("mov.u64 %d1, table; st.global.u32 [%d1], %r3;", table);
  EXPECT_EQ(written.kind, IncidentKind::read_only);
  EXPECT_NE(written.message.find("constant memory"), std::string::npos) << written.message;

  const std::string room = ".shared .align 4 .b8 room[64];\n";
  const Incident shared =
      fault_of_access("mov.u32 %r4, room; mad.lo.u32 %r4, %r3, 4, %r4; st.shared.u32 [%r4], %r3;", room);
  EXPECT_EQ(shared.kind, IncidentKind::out_of_bounds);
  EXPECT_EQ(shared.thread, (Dim3{16, 0, 0}));
  EXPECT_NE(shared.message.find("shared memory"), std::string::npos) << shared.message;

  const Incident local =
      fault_of_access(".local .align 4 .b8 own[8]; mov.u32 %r4, own; ld.local.u32 %r5, [%r4+16];");
  EXPECT_EQ(local.kind, IncidentKind::out_of_bounds);

  const Incident trap = fault_of_access("setp.eq.u32 %q0, %r3, 9; @%q0 trap;");
  EXPECT_EQ(trap.kind, IncidentKind::trap);
  EXPECT_EQ(trap.thread, (Dim3{9, 0, 0}));

  const Incident atomic = fault_of_access("atom.global.add.u32 %r5, [%p0+64], 1;");
  EXPECT_EQ(atomic.kind, IncidentKind::out_of_bounds);
  EXPECT_NE(atomic.message.find("updates"), std::string::npos) << atomic.message;
}

TEST(Faults, AGapBetweenTwoBuffersBelongsToNeither) {
  Request request(kernel("k", 2, "ld.global.u32 %r5, [%p0+4160]; st.global.u32 [%p1], %r5; ret;"));
  request.buffer("first", zeros(16)).buffer("second", zeros(16)).launch("k", {1, 1, 1}, {1, 1, 1});
  const Incident fault = fault_of(request);
  EXPECT_EQ(fault.kind, IncidentKind::out_of_bounds);
  EXPECT_NE(fault.message.find("past the end of first"), std::string::npos) << fault.message;
}

TEST(Faults, ABarrierThatHalfAWarpReaches) {
  Request request(kernel("k", 1,
                         "mov.u32 %r3, %tid.x; setp.lt.u32 %q0, %r3, 16; @%q0 bra SKIP;\n"
                         "bar.sync 0;\nSKIP:\nst.global.u32 [%p0], %r3; bar.sync 0; ret;"));
  request.buffer("out", zeros(4)).launch("k", {1, 1, 1}, {32, 1, 1});
  const Incident fault = fault_of(request);
  EXPECT_EQ(fault.kind, IncidentKind::barrier_divergence);
  EXPECT_NE(fault.message.find("16"), std::string::npos) << fault.message;
}

TEST(Faults, WarpsAtDifferentBarriersDeadlock) {
  Request request(kernel("k", 1,
                         "mov.u32 %r3, %tid.x; setp.lt.u32 %q0, %r3, 32; @%q0 bra OTHER;\n"
                         "bar.sync 1;\nbra END;\nOTHER:\nbar.sync 2;\nEND:\nst.global.u32 [%p0], %r3; ret;"));
  request.buffer("out", zeros(4)).launch("k", {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(fault_of(request).kind, IncidentKind::deadlock);
}

TEST(Faults, ABarrierOfMoreThreadsThanCome) {
  Request request(
      kernel("k", 1, "mov.u32 %r3, %tid.x; setp.lt.u32 %q0, %r3, 32; @%q0 exit;\nbar.sync 1, 64;\nret;"));
  request.buffer("out", zeros(4)).launch("k", {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(fault_of(request).kind, IncidentKind::deadlock);
}

TEST(Faults, TheThirdWarpAtABarrierOfTwo) {
  Request request(kernel("k", 1, "bar.sync 1, 64; mov.u32 %r3, %tid.x; st.global.u32 [%p0], %r3; ret;"));
  request.buffer("out", zeros(4)).launch("k", {1, 1, 1}, {96, 1, 1});
  EXPECT_EQ(fault_of(request).kind, IncidentKind::deadlock);
  request.value.steps.clear();
  request.launch("k", {1, 1, 1}, {128, 1, 1});
  EXPECT_EQ(request.run()->status, RunStatus::ok);
}

// Endless loops of all sorts end by the budget, and what takes a CPU long takes much of it: a round of
// `instructions` costs at least `least_weight`, so that the default budget is over in a time that a person
// waits for.
void expect_to_end(const std::string& loop, uint64_t instructions, uint64_t least_weight) {
  for (const Observe observe : {Observe::counters, Observe::none}) {
    Request request(kernel(
        "k", 1,
        "mov.u32 %r3, %tid.x; mov.u32 %r9, 12345; mov.u32 %r4, room; mov.f32 %f0, 0f3F000000;\nAGAIN:\n" +
            loop + "\nbra AGAIN;",
        ".shared .align 4 .b8 room[4096];\n"));
    request.buffer("data", zeros(65536)).launch("k", {2, 1, 1}, {64, 1, 1});
    request.value.observe = observe;
    request.value.workers = 1;
    request.value.step_budget = default_step_budget / 1000;
    const auto result = request.run();
    ASSERT_TRUE(result.ok());
    ASSERT_EQ(result->faults.size(), 1u) << loop;
    EXPECT_EQ(result->faults[0].kind, IncidentKind::step_limit);
    EXPECT_EQ(result->faults[0].block, (Dim3{0, 0, 0}));
    ASSERT_EQ(result->counters.has_value(), observe != Observe::none);
    if (observe == Observe::none) continue;
    const uint64_t rounds = result->counters->warp_instructions / instructions;
    EXPECT_LE(rounds * least_weight, request.value.step_budget * 11 / 10) << loop;
    EXPECT_GT(rounds, 1000u) << loop;
  }
}

TEST(StepBudget, EndsEndlessLoops) {
  const std::string scatter =
      "mad.lo.u32 %r9, %r9, 1664525, %r3; shr.u32 %r10, %r9, 16; mad.wide.u32 %d0, %r10, 4, %p0;\n";
  expect_to_end("", 1, 1);
  expect_to_end("add.u32 %r9, %r9, 1;", 2, 2);
  expect_to_end(scatter + "ld.global.u32 %r11, [%d0];", 5, 30);
  expect_to_end(scatter + "st.global.u32 [%d0], %r9;", 5, 30);
  expect_to_end(scatter + "atom.global.add.u32 %r11, [%d0], 1;", 5, 70);
  expect_to_end(
      "mad.lo.u32 %r9, %r9, 1664525, %r3; and.b32 %r10, %r9, 4092; add.u32 %r10, %r10, %r4; ld.shared.u32 "
      "%r11, [%r10];",
      5, 20);
  expect_to_end("ld.global.u32 %r11, [%p0];", 2, 4);
  expect_to_end("sin.approx.f32 %f0, %f0;", 2, 160);
  expect_to_end("div.u32 %r9, %r9, %r3;", 2, 40);
  expect_to_end("add.rm.f32 %f0, %f0, %f0;", 2, 20);
  expect_to_end("bar.sync 0;", 2, 10);
  // Divergence in every round.
  expect_to_end(
      "and.b32 %r10, %r3, 1; setp.eq.u32 %q0, %r10, 0; @%q0 bra EVEN; add.u32 %r9, %r9, 1; EVEN:", 5, 5);
}

TEST(StepBudget, CancelIsPrompt) {
  Request request(kernel("k", 1, "mov.u32 %r3, 1;\nAGAIN:\nadd.u32 %r3, %r3, 1;\nbra AGAIN;"));
  request.buffer("out", zeros(4)).launch("k", {8, 1, 1}, {256, 1, 1});
  request.value.step_budget = UINT64_MAX;
  request.value.workers = 2;
  std::stop_source stop;
  std::atomic<double> stopped = 0;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stopped = processor_seconds();
    stop.request_stop();
  });
  const auto result = request.run(stop.get_token());
  const double worked_on = processor_seconds() - stopped;
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->status, RunStatus::cancelled);
  EXPECT_GT(stopped, 0);
  // A worker looks after each slice, which takes longer where sanitizers look at each step.
  EXPECT_LT(worked_on, is_sanitized ? 4 : 1)
      << "seconds of both workers' processors, behind the wish to stop";
}

TEST(StepBudget, AFaultInALaterBlockWaitsForEarlierOnes) {
  // Block 3 faults at once, block 1 after a while: block 1 is reported.
  const std::string body =
      index_in_grid +
      "setp.eq.u32 %q0, %r1, 3; @%q0 trap;\nsetp.ne.u32 %q1, %r1, 1; @%q1 ret;\nmov.u32 %r5, 0;\nAGAIN:\n"
      "add.u32 %r5, %r5, 1; setp.lt.u32 %q2, %r5, 300000; @%q2 bra AGAIN;\ntrap;";
  for (uint32_t workers = 1; workers <= 3; ++workers) {
    Request request(kernel("k", 1, body));
    request.buffer("out", zeros(4)).launch("k", {8, 1, 1}, {32, 1, 1});
    request.value.workers = workers;
    EXPECT_EQ(fault_of(request).block, (Dim3{1, 0, 0})) << workers;
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::test
