// Variables that are watched or named in conditions, variables of callers, and variables that all lanes
// share.
#include "core/compile/compiler.h"
#include "core/gpu/stepping/variable_path.h"
#include "tests/core/gpu/stepping/support.h"

namespace warplens {
namespace THIS_FILE {

using stepping::BlockStepper;
using stepping::CallerView;
using stepping::VariableView;

bool has_a_compiler() { return compiler_version().ok(); }

constexpr const char* source = R"(struct Pair { int a; float b[3]; };
__device__ int counter = 5;
__device__ Pair pairs[2];
__constant__ float weights[4] = {1.0f, 2.0f, 0.5f, 4.0f};
__device__ int depth(int n, int level) {
  int here = n * 2 + level;
  if (n <= 0) {
    return here;
  }
  int below = depth(n - 1, level + 1);
  return below + here;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  __shared__ int total;
  int i = threadIdx.x;
  if (i == 0) total = 30;
  Pair p;
  p.a = i;
  p.b[1] = i * 0.5f;
  p.b[1] = p.b[1];
  if (i == 3) {
    counter += 7;
    pairs[1] = p;
  }
  const Pair* q = &p;
  int d = depth(i % 3, 1);
  d += weights[1] * q->a;
  out[i] = d;
}
)";

LaunchRequest watched_request(const char* text = source) {
  CompileOptions options;
  options.architecture = {10, 0};
  options.debug = true;
  const Result<Compilation> compiled = compile_cuda(text, "watched.cu", options);
  EXPECT_TRUE(compiled && compiled->ok) << (compiled ? compiled->log : compiled.error().message);
  LaunchRequest request;
  auto module = std::make_shared<ModuleText>();
  if (compiled) module->ptx = compiled->ptx;
  module->source = text;
  module->source_name = "watched.cu";
  request.module = std::move(module);
  request.kernel = "k";
  LaunchStep step;
  step.entry = "k";
  step.grid = {1, 1, 1};
  step.block = {64, 1, 1};
  for (const char* name : {"out", "in"}) {
    BufferSpec buffer;
    buffer.name = name;
    buffer.bytes = 256;
    buffer.dtype = DType::i32;
    step.arguments.emplace_back(BufferArgument{static_cast<uint32_t>(request.buffers.size()), 0});
    request.buffers.push_back(std::move(buffer));
  }
  step.arguments.emplace_back(ScalarArgument{DType::i32, 64});
  request.steps.emplace_back(std::move(step));
  return request;
}

// The lines of the stops after a change of the watched variable, and the lanes of the first stop.
struct Stops {
  std::vector<uint32_t> lines;
  uint32_t lanes = 0;
};
Stops stops_of(const char* variable, const char* condition = "") {
  BlockStepper stepper = test::stepper(watched_request());
  stepping::Breakpoint watch{.kind = stepping::Breakpoint::Kind::variable};
  watch.variable = variable;
  watch.condition = condition;
  watch.warp = 0;
  const Result<uint32_t> added = stepper.add(watch);
  EXPECT_TRUE(added) << (added ? "" : added.error().message);
  Stops stops;
  for (int i = 0; i < 40; ++i) {
    const stepping::Stop stop = stepper.run({});
    if (stop.why != stepping::Why::watchpoint) break;
    if (stops.lines.empty()) stops.lanes = stop.lanes;
    const TraceEntry last = stepper.trace()[static_cast<size_t>(stop.position - 1)];
    const uint32_t line = stepper.place(last.instruction).line;
    if (stops.lines.empty() || stops.lines.back() != line) stops.lines.push_back(line);
  }
  return stops;
}

TEST(VariableWatch, StopsBehindWhatGivesAVariableAValue) {
  if (!has_a_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  using Lines = std::vector<uint32_t>;
  EXPECT_EQ(stops_of("i").lines, (Lines{15}));
  EXPECT_EQ(stops_of("i").lanes, 0xffffffffu);
  EXPECT_EQ(stops_of("p.b[1]").lines, (Lines{19, 20})) << "an equal value is written, too";
  EXPECT_EQ(stops_of("p").lines, (Lines{18, 19, 20}));
  EXPECT_EQ(stops_of("counter").lines, (Lines{22}));
  EXPECT_EQ(stops_of("counter").lanes, 0x8u);
  EXPECT_EQ(stops_of("pairs[1].a").lines, (Lines{23}));
  EXPECT_EQ(stops_of("total").lines, (Lines{16}));
  EXPECT_EQ(stops_of("out[3]").lines, (Lines{28}));
  EXPECT_EQ(stops_of("out[3]").lanes, 0x8u);
  EXPECT_EQ(stops_of("d").lines, (Lines{26, 27}));
  EXPECT_EQ(stops_of("below", "below > 3").lanes & 0x7u, 0x4u) << "lane 2 alone comes that deep";
}

TEST(VariableWatch, RefusesWhatIsNoVariable) {
  if (!has_a_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  BlockStepper stepper = test::stepper(watched_request());
  const auto error = [&](const char* variable) {
    stepping::Breakpoint watch{.kind = stepping::Breakpoint::Kind::variable};
    watch.variable = variable;
    const Result<uint32_t> added = stepper.add(watch);
    return added ? std::string() : added.error().message;
  };
  EXPECT_NE(error("nobody").find("There are below, counter"), std::string::npos) << error("nobody");
  EXPECT_NE(error("p.").find("member's name is missing"), std::string::npos);
  EXPECT_NE(error("p[x]").find("whole numbers"), std::string::npos);
  EXPECT_NE(error("p[1").find("] is missing"), std::string::npos);
  EXPECT_NE(error("").find("begins with no name"), std::string::npos);
  EXPECT_NE(error("p + 3").find("no part of a variable"), std::string::npos);
}

TEST(VariableWatch, SeesTheSameAfterGoingBack) {
  if (!has_a_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  BlockStepper stepper = test::stepper(watched_request());
  stepping::Breakpoint watch{.kind = stepping::Breakpoint::Kind::variable};
  watch.variable = "d";
  ASSERT_TRUE(stepper.add(watch));
  const stepping::Stop first = stepper.run({});
  const stepping::Stop second = stepper.run({});
  ASSERT_EQ(second.why, stepping::Why::watchpoint);
  stepper.jump(0);
  EXPECT_EQ(stepper.run({}).position, first.position);
  EXPECT_EQ(stepper.run({}).position, second.position);
}

TEST(VariableConditions, TakePartsAndWhatLanesShare) {
  if (!has_a_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  BlockStepper stepper = test::stepper(watched_request());
  stepping::Breakpoint breakpoint{.kind = stepping::Breakpoint::Kind::source_line, .line = 27};
  breakpoint.condition = "p.b[1] == 2.5 && weights[3] == 4 && counter == 12 && q->a == lane";
  ASSERT_TRUE(stepper.add(breakpoint));
  const stepping::Stop stop = stepper.run({});
  EXPECT_EQ(stop.why, stepping::Why::breakpoint);
  EXPECT_EQ(stop.lanes, 0x20u);
}

TEST(Callers, HaveTheirVariablesAtEachDepth) {
  if (!has_a_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  BlockStepper stepper = test::stepper(watched_request());
  EXPECT_TRUE(stepper.callers(0).empty());
  stepping::Breakpoint deepest{.kind = stepping::Breakpoint::Kind::source_line, .line = 8};
  deepest.condition = "level == 3";
  ASSERT_TRUE(stepper.add(deepest));
  ASSERT_EQ(stepper.run({}).why, stepping::Why::breakpoint);
  const std::vector<CallerView> callers = stepper.callers(0, 1u << 5);
  ASSERT_EQ(callers.size(), 3u);
  const auto value = [&](size_t level, const char* name) {
    for (const VariableView& view : callers[level].variables)
      if (view.name == name) return stepper.text_of(0, view, 5);
    return std::string("nothing");
  };
  EXPECT_EQ(callers[0].function, "depth");
  EXPECT_EQ(callers[0].level, 2u);
  EXPECT_EQ(callers[0].call.line, 10u);
  EXPECT_EQ(value(0, "n"), "1");
  EXPECT_EQ(value(0, "here"), "4");
  EXPECT_EQ(value(1, "n"), "2");
  EXPECT_EQ(value(1, "here"), "5");
  EXPECT_EQ(value(1, "below"), "not yet set");
  EXPECT_EQ(callers[2].function, "k");
  EXPECT_EQ(callers[2].level, 0u);
  EXPECT_EQ(callers[2].call.line, 26u);
  EXPECT_EQ(value(2, "i"), "5");
  EXPECT_EQ(value(2, "p").substr(0, 6), "{a = 5");
  // Lane 0 has come back from the kernel's call already, lane 4 from two.
  EXPECT_EQ(stepper.callers(0, 1u << 0).size(), 1u);
  EXPECT_EQ(stepper.callers(0).size(), 3u);
}

TEST(CallStack, HasAFrameForEachCallWithItsOwnValues) {
  if (!has_a_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  BlockStepper stepper = test::stepper(watched_request());
  for (const stepping::StackView& stack : stepper.stacks(0)) EXPECT_EQ(stack.frames.size(), 1u);
  stepping::Breakpoint deepest{.kind = stepping::Breakpoint::Kind::source_line, .line = 8};
  deepest.condition = "level == 3";
  ASSERT_TRUE(stepper.add(deepest));
  ASSERT_EQ(stepper.run({}).why, stepping::Why::breakpoint);
  uint32_t seen = 0;
  for (const stepping::StackView& stack : stepper.stacks(0)) {
    EXPECT_EQ(seen & stack.lanes, 0u) << "a lane has one stack";
    seen |= stack.lanes;
    if ((stack.lanes >> 5 & 1) == 0) continue;
    ASSERT_EQ(stack.frames.size(), 4u);
    const auto value = [&](size_t frame, const char* name) {
      for (const VariableView& view : stepper.variables(0, stack.frames[frame]))
        if (view.name == name) return stepper.text_of(0, view, 5);
      return std::string("nothing");
    };
    const uint32_t lines[] = {8, 10, 10, 26};
    const char* n[] = {"0", "1", "2", "64"};
    const char* here[] = {"3", "4", "5", "nothing"};
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(stack.frames[i].function, i == 3 ? "k" : "depth");
      EXPECT_EQ(stack.frames[i].at.line, lines[i]);
      EXPECT_EQ(stack.frames[i].level, 3 - i);
      EXPECT_FALSE(stack.frames[i].inlined);
      EXPECT_EQ(value(i, "n"), n[i]) << i;
      EXPECT_EQ(value(i, "here"), here[i]) << i;
    }
    EXPECT_EQ(value(3, "i"), "5");
  }
  EXPECT_EQ(seen, 0xffffffffu);
}

TEST(CallStack, HasFramesForInlinedFunctions) {
  if (!has_a_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  constexpr const char* inlined = R"(__device__ __forceinline__ int inner(int a) {
  int twice = a * 2;
  return twice + 1;
}
__device__ __forceinline__ int outer(int b) {
  int more = b + 10;
  int got = inner(more);
  return got + more;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = threadIdx.x;
  int d = outer(i);
  out[i] = d;
}
)";
  BlockStepper stepper = test::stepper(watched_request(inlined));
  ASSERT_TRUE(stepper.add({.kind = stepping::Breakpoint::Kind::source_line, .line = 3}));
  ASSERT_EQ(stepper.run({}).why, stepping::Why::breakpoint);
  const std::vector<stepping::StackView> stacks = stepper.stacks(0);
  ASSERT_EQ(stacks.size(), 1u);
  const std::vector<stepping::FrameView>& frames = stacks[0].frames;
  ASSERT_EQ(frames.size(), 3u);
  const char* names[] = {"inner", "outer", "k"};
  const uint32_t lines[] = {3, 7, 12};
  const char* values[] = {"twice", "more", "i"};
  const char* texts[] = {"34", "17", "7"};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(frames[i].function, names[i]);
    EXPECT_EQ(frames[i].at.line, lines[i]);
    EXPECT_EQ(frames[i].inlined, i != 2);
    EXPECT_EQ(frames[i].level, 0u);
    std::string found = "nothing";
    for (const VariableView& view : stepper.variables(0, frames[i])) {
      if (view.name == values[i]) found = stepper.text_of(0, view, 7);
      for (size_t other = 0; other < 3; ++other)
        EXPECT_TRUE(other == i || view.name != values[other]) << "a variable is in one frame alone";
    }
    EXPECT_EQ(found, texts[i]) << values[i];
  }
}

TEST(CommonVariables, AreThoseOfTheModuleAndOfSharedMemory) {
  if (!has_a_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  BlockStepper stepper = test::stepper(watched_request());
  const auto text = [&](const char* name) {
    for (const VariableView& view : stepper.common_variables(0))
      if (view.name == name) return view.space + " " + view.type + " " + stepper.text_of(0, view, 0);
    return std::string("nothing");
  };
  EXPECT_EQ(text("counter"), "__device__ int 5");
  EXPECT_EQ(text("weights"), "__constant__ float[4] {1, 2, 0.5, 4}");
  EXPECT_EQ(text("total"), "__shared__ int 0");
  stepper.run({});
  EXPECT_EQ(text("counter"), "__device__ int 12");
  EXPECT_EQ(text("pairs").substr(0, 40), "__device__ Pair[2] {{a = 0, b = {0, 0, 0");
  EXPECT_EQ(text("total"), "__shared__ int 30");
  stepper.jump(0);
  EXPECT_EQ(text("counter"), "__device__ int 5");
}

TEST(VariablePaths, AreRead) {
  const Result<stepping::VariablePath> path = stepping::parse_path("list[3].next->x");
  ASSERT_TRUE(path);
  EXPECT_EQ(path->name, "list");
  ASSERT_EQ(path->steps.size(), 3u);
  EXPECT_EQ(path->steps[0].index, 3u);
  EXPECT_EQ(path->steps[1].member, "next");
  EXPECT_EQ(path->steps[2].member, "x");
  EXPECT_EQ(stepping::parse_path("**p")->steps.size(), 2u);
  for (const char* wrong :
       {"", "3", "a[", "a[]", "a[-1]", "a[99999999999999999999]", "a..b", "a->", "*", "a b"})
    EXPECT_FALSE(stepping::parse_path(wrong)) << wrong;
}

}  // namespace THIS_FILE
}  // namespace warplens
