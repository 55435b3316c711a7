// The view of a block: paths and where they meet, registers by lane, barriers, memory, waiting blocks.
#include "core/device/device.h"
#include "tests/core/gpu/stepping/support.h"

namespace warplens {
namespace THIS_FILE {

using stepping::Goal;
using stepping::Wait;
using stepping::Why;
using test::kernel;
using test::Request;
using test::zeros;

// Runs until the next instruction's text contains this.
bool run_to(stepping::BlockStepper& stepped, const std::string& text, uint32_t warp = 0) {
  for (int i = 0; i < 10'000 && stepped.next(); ++i) {
    const TraceEntry next = *stepped.next();
    if (next.warp == warp && stepped.text_of(next.instruction).find(text) != std::string::npos) return true;
    stepped.run({.kind = Goal::Kind::instructions});
  }
  return false;
}

TEST(StepView, ShowsPathsAndWhereTheyMeet) {
  const char* body = R"(
    mov.u32 %r0, %tid.x;
    setp.lt.u32 %q0, %r0, 8;
    @%q0 bra low;
    mov.u32 %r1, 1;
    bra join;
  low:
    mov.u32 %r1, 2;
    mov.u32 %r2, 3;
  join:
    add.u32 %r3, %r1, 4;
    ret;)";
  Request request(kernel("paths", 0, body));
  request.launch("paths", {1, 1, 1}, {32, 1, 1});
  stepping::BlockStepper stepped = test::stepper(request.value);
  ASSERT_EQ(stepped.warp(0).paths.size(), 1u);
  EXPECT_EQ(stepped.warp(0).paths[0].lanes, 0xffffffffu);
  EXPECT_FALSE(stepped.warp(0).paths[0].meets);

  ASSERT_TRUE(run_to(stepped, "mov.u32 %r1, 1"));
  stepping::WarpView view = stepped.warp(0);
  ASSERT_EQ(view.paths.size(), 2u);
  EXPECT_EQ(view.paths[1].lanes, 0xffffff00u);
  EXPECT_TRUE(view.paths[1].runs_next);
  EXPECT_EQ(view.paths[0].lanes, 0xffu);
  EXPECT_EQ(stepped.text_of(view.paths[0].at.instruction), "mov.u32 %r1, 2;");
  ASSERT_TRUE(view.paths[0].meets);
  EXPECT_EQ(stepped.text_of(view.paths[0].meets->instruction), "add.u32 %r3, %r1, 4;");
  EXPECT_EQ(view.paths[0].meets_with, 0xffffff00u);
  EXPECT_EQ(stepped.next()->active, 0xffffff00u);

  ASSERT_TRUE(run_to(stepped, "mov.u32 %r2, 3"));
  view = stepped.warp(0);
  ASSERT_EQ(view.paths.size(), 2u);
  EXPECT_EQ(view.paths[0].wait, Wait::meeting);
  EXPECT_EQ(view.paths[0].lanes, 0xffffff00u);
  EXPECT_EQ(view.paths[0].waits_for, 0xffu);
  // Registers by lane: not set where only another path would have written.
  EXPECT_EQ(stepped.find_register(0, "%r1")->set, 0xffffffffu);
  EXPECT_EQ(stepped.find_register(0, "%r1")->bits[3].low, 2u);
  EXPECT_EQ(stepped.find_register(0, "%r1")->bits[9].low, 1u);
  EXPECT_EQ(stepped.find_register(0, "%r2")->set, 0u);
  stepped.run({.kind = Goal::Kind::instructions});
  EXPECT_EQ(stepped.find_register(0, "%r2")->set, 0xffu);
  EXPECT_EQ(stepped.warp(0).paths.size(), 1u);
  EXPECT_TRUE(stepped.find_register(0, "%q0")->predicate);
  EXPECT_FALSE(stepped.find_register(0, "%nothing"));
}

// A value that an ordinary run computes once for the launch is shown from the PTX instruction on that writes
// it.
TEST(StepView, ShowsRegistersOnceTheyAreWritten) {
  const char* body = R"(
    mov.u32 %r0, %ntid.x;
    mov.u32 %r1, %ctaid.x;
    mul.lo.u32 %r2, %r0, 3;
    cvta.to.global.u64 %d0, %p0;
    membar.gl;
    @!%q1 mov.u32 %r5, 7;
    mov.f32 %f0, 0f3FC00000;
    ret;)";
  Request request(kernel("constants", 1, body));
  request.buffer("b", zeros(4)).launch("constants", {3, 1, 1}, {32, 1, 1});
  stepping::BlockStepper stepped = test::stepper(request.value, {2, 0, 0});
  const std::pair<const char*, const char*> written[] = {
      {"%p0", "0x1000000000"}, {"%r0", "32"}, {"%r1", "2"}, {"%r2", "96"}, {"%d0", "0x1000000000"}};
  for (const auto& [name, text] : written) {
    EXPECT_EQ(stepped.find_register(0, name)->set, 0u) << name;
    stepped.run({.kind = Goal::Kind::instructions});
    const auto view = stepped.find_register(0, name);
    EXPECT_EQ(view->set, 0xffffffffu) << name;
    EXPECT_EQ(stepping::text_of(view->type, view->bits[31]), text) << name;
  }
  EXPECT_EQ(stepped.text_of(stepped.next()->instruction), "membar.gl;");
  ASSERT_TRUE(run_to(stepped, "ret"));
  EXPECT_EQ(
      stepping::text_of(stepped.find_register(0, "%f0")->type, stepped.find_register(0, "%f0")->bits[0]),
      "1.5");
  EXPECT_EQ(stepped.position(), 8u);
}

TEST(StepView, ShowsLanesThatWaitForOthersOfTheirWarp) {
  const char* body = R"(
    mov.u32 %r0, %tid.x;
    setp.lt.u32 %q0, %r0, 4;
    @%q0 bra low;
    shfl.sync.idx.b32 %r1, %r0, 2, 31, -1;
    bra join;
  low:
    mov.u32 %r5, 9;
    shfl.sync.idx.b32 %r1, %r0, 2, 31, -1;
  join:
    ret;)";
  Request request(kernel("meeting", 0, body));
  request.launch("meeting", {1, 1, 1}, {32, 1, 1});
  stepping::BlockStepper stepped = test::stepper(request.value);
  ASSERT_TRUE(run_to(stepped, "mov.u32 %r5"));
  const stepping::WarpView view = stepped.warp(0);
  ASSERT_EQ(view.paths.size(), 2u);
  EXPECT_EQ(view.paths[0].wait, Wait::lanes);
  EXPECT_EQ(view.paths[0].lanes, 0xfffffff0u);
  EXPECT_EQ(view.paths[0].waits_for, 0xfu);
  EXPECT_EQ(stepped.find_register(0, "r1")->set, 0u);  // not set before all lanes have arrived
  ASSERT_TRUE(run_to(stepped, "ret"));
  EXPECT_EQ(stepped.find_register(0, "r1")->set, 0xffffffffu);
  EXPECT_EQ(stepped.find_register(0, "r1")->bits[20].low, 2u);
}

TEST(StepView, ShowsWhoWaitsAtABarrier) {
  Request request(kernel("waiting", 0, "bar.sync 3; ret;"));
  request.launch("waiting", {1, 1, 1}, {128, 1, 1});
  stepping::BlockStepper stepped = test::stepper(request.value);
  EXPECT_TRUE(stepped.barriers().empty());
  stepped.run({.kind = Goal::Kind::instructions, .count = 2});
  ASSERT_EQ(stepped.barriers().size(), 1u);
  const stepping::BarrierView barrier = stepped.barriers()[0];
  EXPECT_EQ(barrier.number, 3u);
  EXPECT_EQ(barrier.arrived, 64u);
  EXPECT_EQ(barrier.wanted, 128u);
  EXPECT_EQ(barrier.warps, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(barrier.missing, (std::vector<uint32_t>{2, 3}));
  EXPECT_EQ(stepped.warp(0).paths[0].wait, Wait::barrier);
  EXPECT_EQ(stepped.warp(0).paths[0].barrier, 3u);
  EXPECT_EQ(stepped.text_of(stepped.warp(0).paths[0].at.instruction), "bar.sync 3;");
  // The selected warp continues when the others have arrived.
  EXPECT_EQ(stepped.step_warp(0).why, Why::stepped);
  EXPECT_EQ(stepped.position(), 5u);
}

TEST(StepView, ReadsAllKindsOfMemory) {
  const char* body = R"(
    .shared .align 4 .b8 s[128];
    .local .align 4 .b8 l[8];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, s;
    mad.lo.u32 %r1, %r0, 4, %r1;
    st.shared.u32 [%r1], %r0;
    st.local.u32 [l+4], %r0;
    ret;)";
  Request request(kernel("memory", 1, body));
  request.buffer("b", std::vector<uint32_t>{7, 8}).launch("memory", {1, 1, 1}, {32, 1, 1});
  stepping::BlockStepper stepped = test::stepper(request.value);
  ASSERT_TRUE(run_to(stepped, "ret"));
  const auto word = [&](Space space, uint64_t address, uint32_t thread) {
    const Result<Bytes> bytes = stepped.read(space, address, 4, thread);
    EXPECT_TRUE(bytes) << (bytes ? "" : bytes.error().message);
    uint32_t value = 0;
    if (bytes) std::memcpy(&value, bytes->data(), 4);
    return value;
  };
  EXPECT_EQ(word(Space::shared, 4 * 19, 0), 19u);
  EXPECT_EQ(word(Space::local, 4, 21), 21u);
  ASSERT_FALSE(stepped.device_memory().empty());
  EXPECT_EQ(stepped.device_memory()[0].name, "b");
  EXPECT_EQ(word(Space::global, stepped.device_memory()[0].address + 4, 0), 8u);
  EXPECT_EQ(word(Space::parameter, 0, 0), stepped.device_memory()[0].address & 0xffffffff);
  EXPECT_FALSE(stepped.read(Space::shared, 128, 4));
  EXPECT_FALSE(stepped.read(Space::shared, ~uint64_t{0} - 1, 4));
  EXPECT_FALSE(stepped.read(Space::local, 0, 4, 32));
  EXPECT_FALSE(stepped.read(Space::global, 64, 4));
  EXPECT_EQ(stepped.bytes_of(Space::shared), 128u);
}

// A block that spins on a value that an earlier block would write.
Request chained(uint32_t blocks) {
  const char* body = R"(
    mov.u32 %r0, %ctaid.x;
    setp.eq.u32 %q0, %r0, 0;
    @%q0 bra write;
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d0, %p0, %d1;
  wait:
    ld.volatile.global.u32 %r1, [%d0+-4];
    setp.eq.u32 %q1, %r1, 0;
    @%q1 bra wait;
  write:
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d0, %p0, %d1;
    add.u32 %r1, %r0, 1;
    st.volatile.global.u32 [%d0], %r1;
    ret;)";
  Request request(kernel("chained", 1, body));
  request.buffer("flags", zeros(blocks)).launch("chained", {blocks, 1, 1}, {64, 1, 1});
  return request;
}

TEST(StepAlone, SaysThatABlockWaitsForOthers) {
  const Request request = chained(4);
  stepping::BlockStepper alone = test::stepper(request.value, {3, 0, 0});
  const stepping::Stop stop = alone.run({});
  EXPECT_EQ(stop.why, Why::waits) << stop.message;
  EXPECT_NE(stop.message.find("Block (3,0,0) repeats the same steps"), std::string::npos) << stop.message;
  EXPECT_EQ(alone.end(), stepping::End::waits);
  const uint64_t end = alone.position();
  EXPECT_EQ(alone.length(), end);
  alone.back(5);
  EXPECT_TRUE(alone.next());
  EXPECT_EQ(alone.run({}).why, Why::waits);
  EXPECT_EQ(alone.position(), end);

  stepping::Options options;
  options.earlier_blocks = true;
  stepping::BlockStepper behind = test::stepper(request.value, {3, 0, 0}, options);
  EXPECT_EQ(behind.run({}).why, Why::finished);
  EXPECT_EQ(test::buffers_of(behind)[0][12], std::byte{4});
}

TEST(StepAlone, StopsAtTheStepBudget) {
  Request request(kernel("endless", 1, R"(
    again:
    ld.global.u32 %r1, [%p0];
    add.u32 %r1, %r1, 1;
    st.global.u32 [%p0], %r1;
    bra again;)"));
  request.buffer("b", zeros(1)).launch("endless", {1, 1, 1}, {1, 1, 1});
  request.value.step_budget = 100'000;
  stepping::Options options;
  options.trace_limit = 1000;
  stepping::BlockStepper stepped = test::stepper(request.value, {0, 0, 0}, options);
  EXPECT_EQ(stepped.run({}).why, Why::fault);
  EXPECT_EQ(stepped.incident()->kind, IncidentKind::step_limit);
  EXPECT_EQ(stepped.trace().size(), 1000u);
  stepped.jump(500);
  EXPECT_EQ(stepped.position(), 500u);
}

// Each launch starts with the memory that the previous launches left.
TEST(StepAlone, RunsTheLaunchesBeforeItsOwn) {
  Request request(kernel("bump", 1, R"(
    ld.global.u32 %r1, [%p0];
    mad.lo.u32 %r1, %r1, 10, 3;
    st.global.u32 [%p0], %r1;
    ret;)"));
  request.buffer("b", zeros(1)).launch("bump", {1, 1, 1}, {1, 1, 1}).launch("bump", {1, 1, 1}, {1, 1, 1});
  stepping::Options options;
  options.launch = 1;
  stepping::BlockStepper stepped = test::stepper(request.value, {0, 0, 0}, options);
  stepped.run({});
  EXPECT_EQ(test::buffers_of(stepped)[0][0], std::byte{33});
  options.launch = 2;
  const auto none =
      stepping::BlockStepper::open(std::make_shared<LaunchRequest>(request.value), {0, 0, 0}, options);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no launch number 2"), std::string::npos);
  EXPECT_FALSE(stepping::BlockStepper::open(std::make_shared<LaunchRequest>(request.value), {1, 0, 0}));
}

// Floats that the PTX keeps in .b32 registers are shown as floats.
TEST(StepView, KnowsTypesByTheirUse) {
  const char* body = R"(
    .reg .b32 %b<8>; .reg .b64 %bd<3>;
    mov.b32 %b0, 0f3F800000;
    add.f32 %b1, %b0, 0f3F000000;
    mov.b32 %b2, %b1;
    add.s32 %b3, 1, -2;
    shr.u32 %b4, %b3, 1;
    cvt.rn.f32.s32 %b5, %b3;
    mul.wide.s32 %bd0, %b3, 4;
    ret;)";
  Request request(kernel("types", 0, body));
  request.launch("types", {1, 1, 1}, {1, 1, 1});
  stepping::BlockStepper stepped = test::stepper(request.value);
  ASSERT_TRUE(run_to(stepped, "ret"));
  const std::pair<const char*, const char*> expected[] = {{"%b0", "1"},  {"%b1", "1.5"}, {"%b2", "1.5"},
                                                          {"%b3", "-1"}, {"%b5", "-1"},  {"%bd0", "-4"}};
  for (const auto& [name, text] : expected) {
    const auto view = stepped.find_register(0, name);
    ASSERT_TRUE(view) << name;
    EXPECT_EQ(stepping::text_of(view->type, view->bits[0]), text) << name << ptx::text_of(view->type);
  }
  EXPECT_EQ(stepped.find_register(0, "%b5")->type, ptx::Modifier::f32);
}

}  // namespace THIS_FILE
}  // namespace warplens
