// Breakpoints, watchpoints, goals, and the messages for wrong conditions.
#include "core/gpu/stepping/stops/condition.h"
#include "tests/core/gpu/stepping/support.h"

namespace warplens {
namespace THIS_FILE {

using stepping::Breakpoint;
using stepping::Goal;
using stepping::Why;
using test::kernel;
using test::Request;
using test::zeros;

// Each thread counts x from 0 up to its lane: so x > 3 holds in lane 17 from the fifth turn on.
const char* counting_body = R"(
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, 0;
    mov.f32 %f0, 0f00000000;
  again:
    setp.ge.u32 %q0, %r1, %r0;
    @%q0 bra done;
    add.u32 %r1, %r1, 1;
    add.f32 %f0, %f0, 0f3F000000;
    bra again;
  done:
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d0, %p0, %d1;
    st.global.u32 [%d0], %r1;
    ret;)";

Request counting(uint32_t threads = 64) {
  Request request(kernel("counting", 1, counting_body));
  request.buffer("out", zeros(threads)).launch("counting", {1, 1, 1}, {threads, 1, 1});
  return request;
}

uint32_t line_of(const stepping::BlockStepper& stepped, const std::string& text) {
  const stepping::ProgramTable& table = stepped.table();
  for (uint32_t i = 0; i < table.instructions(); ++i)
    if (stepped.text_of(i).find(text) != std::string::npos) return table.instruction(i).ptx_line;
  ADD_FAILURE() << text;
  return 0;
}

uint64_t value(const stepping::BlockStepper& stepped, uint32_t warp, const char* name, uint32_t lane) {
  const auto view = stepped.find_register(warp, name);
  EXPECT_TRUE(view) << name;
  return view ? view->bits[lane].low : 0;
}

TEST(Breakpoints, StopWhereALanesConditionHolds) {
  const Request request = counting();
  stepping::Options options;
  options.names = {{"x", "%r1"}, {"sum", "%f0"}};
  stepping::BlockStepper stepped = test::stepper(request.value, {0, 0, 0}, options);
  Breakpoint at;
  at.line = line_of(stepped, "add.u32 %r1");
  at.condition = "lane == 17 && x > 3";
  ASSERT_TRUE(stepped.add(at));
  const stepping::Stop stop = stepped.run({});
  EXPECT_EQ(stop.why, Why::breakpoint) << stop.message;
  EXPECT_EQ(stop.warp, 0u);
  EXPECT_EQ(stop.lanes, 1u << 17);
  EXPECT_EQ(value(stepped, 0, "r1", 17), 4u);
  EXPECT_EQ(stepped.place(stepped.next()->instruction).ptx_line, at.line);
  ASSERT_TRUE(stepped.here());
  EXPECT_EQ(stepped.here()->lanes, stop.lanes);
  // The next stop is a turn later, and finally the second warp has its lane 17 too.
  EXPECT_EQ(stepped.run({}).why, Why::breakpoint);
  EXPECT_EQ(value(stepped, 0, "r1", 17), 5u);
  uint32_t hits = 2;
  stepping::Stop last;
  while ((last = stepped.run({})).why == Why::breakpoint) ++hits;
  EXPECT_EQ(last.why, Why::finished);
  EXPECT_EQ(hits, (17u - 4) + (49 - 4));
}

TEST(Breakpoints, KnowThreadsParametersAndFloats) {
  const Request request = counting();
  const std::pair<const char*, uint64_t> cases[] = {
      {"tid.x == 5 && %r1 < 2", 2},
      {"threadIdx.x == 40 && warp == 1 && r1 == 39", 1},
      {"%f0 >= 2.5 && lane == 6", 1 + 38 - 5},
      {"lane % 16 == 3 && r1 == 0x2", 4},
      {"p0 > 0 && thread == 33 && !(r1 != 0)", 1},
      {"blockDim.x == 64 && ntid.x == 64 && ctaid.x == 0 && tid.x == 1", 1},
      {"max(r1, 3) > 60 && true", 3},
      {"lane == 32", 0}};
  for (const auto& [condition, expected] : cases) {
    stepping::BlockStepper stepped = test::stepper(request.value);
    Breakpoint at;
    at.line = line_of(stepped, "add.u32 %r1");
    at.condition = condition;
    const Result<uint32_t> added = stepped.add(at);
    ASSERT_TRUE(added) << added.error().message;
    // Counts lanes instead of stops, since the condition may hold in several at once.
    uint64_t lanes = 0;
    stepping::Stop stop;
    while ((stop = stepped.run({})).why == Why::breakpoint) lanes += std::popcount(stop.lanes);
    EXPECT_EQ(lanes, expected) << condition;
  }
}

TEST(Breakpoints, AreRemovedAndCounted) {
  const Request request = counting();
  stepping::BlockStepper stepped = test::stepper(request.value);
  Breakpoint at;
  at.line = line_of(stepped, "st.global");
  at.warp = 1;
  const Result<uint32_t> added = stepped.add(at);
  ASSERT_TRUE(added);
  EXPECT_EQ(stepped.breakpoints(), std::vector<uint32_t>{*added});
  const stepping::Stop stop = stepped.run({});
  EXPECT_EQ(stop.why, Why::breakpoint);
  EXPECT_EQ(stop.warp, 1u);
  EXPECT_EQ(stop.breakpoint, *added);
  stepped.remove(*added);
  EXPECT_EQ(stepped.run({}).why, Why::finished);
}

TEST(Breakpoints, WatchMemory) {
  const Request request = counting();
  stepping::BlockStepper stepped = test::stepper(request.value);
  Breakpoint watch;
  watch.kind = Breakpoint::Kind::write;
  watch.bytes = 4;
  for (const stepping::DeviceMemory& memory : stepped.device_memory())
    if (memory.name == "out") watch.address = memory.address + 4 * 37;
  ASSERT_TRUE(stepped.add(watch));
  const stepping::Stop stop = stepped.run({});
  EXPECT_EQ(stop.why, Why::watchpoint) << stop.message;
  EXPECT_EQ(stop.warp, 1u);
  EXPECT_EQ(stop.lanes, 1u << 5);
  ASSERT_EQ(stepped.accesses().size(), 1u);
  EXPECT_EQ(stepped.accesses()[0].kind, AccessKind::store);
  const Result<Bytes> bytes = stepped.read(Space::global, watch.address, 4);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(std::to_integer<int>((*bytes)[0]), 37);
  stepped.back();
  EXPECT_EQ(std::to_integer<int>((*stepped.read(Space::global, watch.address, 4))[0]), 0);
  watch.kind = Breakpoint::Kind::read;
  ASSERT_TRUE(stepped.add(watch));
  EXPECT_EQ(stepped.run({}).why, Why::watchpoint);  // the write again
  EXPECT_EQ(stepped.run({}).why, Why::finished);    // it is never read
}

TEST(Breakpoints, SayWhatIsWrong) {
  const Request request = counting();
  stepping::BlockStepper stepped = test::stepper(request.value);
  const auto message = [&](const Breakpoint& at) {
    const Result<uint32_t> added = stepped.add(at);
    EXPECT_FALSE(added);
    return added ? std::string() : added.error().message;
  };
  Breakpoint at;
  at.line = 1;
  EXPECT_NE(message(at).find("the nearest with one is line"), std::string::npos) << message(at);
  at.kind = Breakpoint::Kind::source_line;
  EXPECT_NE(message(at).find("does not say which lines"), std::string::npos) << message(at);
  at.kind = Breakpoint::Kind::function;
  at.function = "nowhere";
  EXPECT_NE(message(at).find("\"nowhere\""), std::string::npos);
  at.function = "counting";
  at.warp = 9;
  EXPECT_NE(message(at).find("no warp 9"), std::string::npos);
  at.warp.reset();
  at.condition = "lane == 17 && foo > 3";
  EXPECT_NE(message(at).find("names \"foo\" at column 15"), std::string::npos) << message(at);
  EXPECT_NE(message(at).find("p0"), std::string::npos) << "what there is";
  at.condition = "lane == 1";
  EXPECT_TRUE(stepped.add(at));
}

TEST(Conditions, SayWhereTheyGoWrong) {
  const std::pair<const char*, const char*> cases[] = {{"lane = 17", "column 6"},
                                                       {"lane & ", "ends where"},
                                                       {"", "empty"},
                                                       {"lane == ", "ends where a value"},
                                                       {"lane == 3x", "column 10"},
                                                       {"0x == 1", "hexadecimal"},
                                                       {"lane ; 1", "means nothing"},
                                                       {"(lane", "column 6: a ) is missing"},
                                                       {"foo(1)", "no function foo"},
                                                       {"1, 2", "several values"},
                                                       {"\"a\" == 1", "means nothing"}};
  for (const auto& [text, words] : cases) {
    const Result<stepping::Condition> condition = stepping::Condition::parse(text);
    ASSERT_FALSE(condition) << text;
    EXPECT_NE(condition.error().message.find(words), std::string::npos) << condition.error().message;
  }
  EXPECT_FALSE(stepping::Condition::parse(std::string(2000, '(')));
}

using expression::Value;

// The values of names that are the same in all lanes.
std::vector<Value> in_all_lanes(const std::vector<Value>& values) {
  std::vector<Value> rows;
  for (const Value value : values) rows.insert(rows.end(), 32, value);
  return rows;
}

TEST(Conditions, AreFalseWhereAValueIsMissing) {
  const Result<stepping::Condition> condition = stepping::Condition::parse("%r7 >= 0 || 1");
  ASSERT_TRUE(condition);
  ASSERT_EQ(condition->names().size(), 1u);
  EXPECT_EQ(condition->names()[0].text, "%r7");
  std::vector<Value> values = in_all_lanes({3});
  EXPECT_EQ(condition->holding_lanes(values), ~0u);
  values[4] = Value{};
  EXPECT_EQ(condition->holding_lanes(values), ~0x10u);
  EXPECT_EQ(condition->holding_lanes({}), 0u);
}

TEST(Conditions, HoldInTheirLanes) {
  const Result<stepping::Condition> condition =
      stepping::Condition::parse("a%b == 2 && %c.x < 1e3 ? 1 : 1 / 0");
  ASSERT_TRUE(condition) << condition.error().message;
  std::vector<Value> values = in_all_lanes({5, 3, 7.0});
  for (int lane = 0; lane < 32; ++lane) values[lane] = lane;
  EXPECT_EQ(condition->holding_lanes(values), 0x24924924u);
  EXPECT_FALSE(stepping::Condition::parse("list[i] == 3"));
}

// Lines, calls and barriers of a kernel that knows its lines.
const char* lines_text = R"(
.version 7.8
.target sm_80
.address_size 64
.file 1 "lines.cu"
.func (.param .b32 out) twice(.param .b32 in)
{
  .reg .b32 %r<3>;
  .loc 1 3 1
  ld.param.b32 %r1, [in];
  add.s32 %r2, %r1, %r1;
  .loc 1 4 1
  st.param.b32 [out], %r2;
  ret;
}
.visible .entry lines(.param .u64 p)
{
  .reg .b32 %r<8>; .reg .b64 %d<4>;
  .loc 1 10 1
  mov.u32 %r1, %tid.x;
  ld.param.u64 %d1, [p];
  .loc 1 11 1
  {
  .param .b32 a; .param .b32 b;
  st.param.b32 [a], %r1;
  call (b), twice, (a);
  ld.param.b32 %r2, [b];
  }
  .loc 1 12 1
  bar.sync 0;
  .loc 1 13 1
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d3, %d1, %d2;
  st.global.u32 [%d3], %r2;
  .loc 1 14 1
  bar.sync 1;
  ret;
}
)";

Request with_lines() {
  Request request("");
  auto text = std::make_shared<ModuleText>();
  text->ptx = lines_text;
  text->ptx_name = "lines.ptx";
  request.value.module = std::move(text);
  request.buffer("out", zeros(64)).launch("lines", {1, 1, 1}, {64, 1, 1});
  return request;
}

uint32_t line_now(const stepping::BlockStepper& stepped, uint32_t warp) {
  const stepping::WarpView view = stepped.warp(warp);
  return view.paths.empty() ? 0 : view.paths.back().at.line;
}

TEST(Goals, LinesCallsAndBarriers) {
  const Request request = with_lines();
  stepping::BlockStepper stepped = test::stepper(request.value);
  EXPECT_EQ(line_now(stepped, 0), 10u);
  std::vector<uint32_t> lines;
  while (stepped.run({.kind = Goal::Kind::line, .warp = 0}).why == Why::stepped)
    lines.push_back(line_now(stepped, 0));
  EXPECT_EQ(lines, (std::vector<uint32_t>{11, 3, 4, 11, 12, 13, 14}));

  stepped.jump(0);
  lines.clear();
  while (stepped.run({.kind = Goal::Kind::over, .warp = 0}).why == Why::stepped)
    lines.push_back(line_now(stepped, 0));
  EXPECT_EQ(lines, (std::vector<uint32_t>{11, 12, 13, 14}));

  stepped.jump(0);
  Breakpoint inside;
  inside.kind = Breakpoint::Kind::function;
  inside.function = "twice";
  inside.warp = 1;
  ASSERT_TRUE(stepped.add(inside));
  EXPECT_EQ(stepped.run({}).why, Why::breakpoint);
  const stepping::WarpView view = stepped.warp(1);
  ASSERT_EQ(view.paths.size(), 1u);
  ASSERT_EQ(view.paths[0].calls.size(), 1u);
  EXPECT_EQ(view.paths[0].calls[0].call.line, 11u);
  EXPECT_EQ(view.paths[0].calls[0].function, "twice");
  EXPECT_EQ(view.paths[0].at.function, "twice");
  EXPECT_EQ(stepped.run({.kind = Goal::Kind::out, .warp = 1}).why, Why::stepped);
  EXPECT_EQ(line_now(stepped, 1), 11u);
  EXPECT_EQ(stepped.find_register(1, "r2")->set, 0u);  // the result is still on its way

  stepped.jump(0);
  for (const uint32_t number : stepped.breakpoints()) stepped.remove(number);
  EXPECT_EQ(stepped.run({.kind = Goal::Kind::barrier, .warp = 0}).why, Why::stepped);
  EXPECT_EQ(line_now(stepped, 0), 12u);
  EXPECT_EQ(stepped.run({.kind = Goal::Kind::barrier, .warp = 0}).why, Why::stepped);
  EXPECT_EQ(line_now(stepped, 0), 14u);
  EXPECT_EQ(stepped.run({.kind = Goal::Kind::barrier, .warp = 0}).why, Why::finished);

  stepped.jump(0);
  EXPECT_EQ(stepped.run_to_line(Breakpoint::Kind::source_line, 13, 1).why, Why::stepped);
  EXPECT_EQ(line_now(stepped, 1), 13u);
  EXPECT_EQ(stepped.next()->warp, 1u);
  EXPECT_TRUE(stepped.breakpoints().empty());
  EXPECT_EQ(stepped.run({.kind = Goal::Kind::end}, {}, 1).why, Why::limit);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(stepped.run({}, stop.get_token()).why, Why::cancelled);
  EXPECT_EQ(stepped.jump(10'000, stop.get_token()).why, Why::cancelled);
  EXPECT_EQ(stepped.jump(10'000).why, Why::finished);
}

}  // namespace THIS_FILE
}  // namespace warplens
