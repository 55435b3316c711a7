// Variables by name: where they are in each lane, how they are shown, and that stepping back restores them.
// variables_printf_test.cpp holds the values against those that programs print.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <random>

#include "core/base/system/files.h"
#include "core/ptx/parser/parse.h"
#include "tests/core/gpu/stepping/support.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

using stepping::BlockStepper;
using stepping::VariableView;

constexpr uint32_t points = 128;

std::string debug_ptx(const std::string& name) {
  return *read_text((test_files::source_dir() / "tests/core/ptx/debug/data" / name).string(), 1 << 20);
}

LaunchRequest request_for(const std::string& ptx, const std::string& entry) {
  LaunchRequest request;
  auto module = std::make_shared<ModuleText>();
  module->ptx = debug_ptx(ptx);
  module->ptx_name = ptx;
  request.module = std::move(module);
  request.kernel = entry;
  request.device = built_in_devices().front();
  LaunchStep step;
  step.entry = entry;
  step.grid = {1, 1, 1};
  step.block = {32, 1, 1};
  request.steps.emplace_back(std::move(step));
  return request;
}

template <class T>
BufferArgument add_buffer(LaunchRequest& request, const std::string& name, const std::vector<T>& data) {
  BufferSpec buffer;
  buffer.name = name;
  buffer.bytes = data.size() * sizeof(T);
  const auto* first = reinterpret_cast<const std::byte*>(data.data());
  buffer.initial = std::make_shared<Bytes>(first, first + buffer.bytes);
  request.buffers.push_back(std::move(buffer));
  return {static_cast<uint32_t>(request.buffers.size() - 1), 0};
}

std::vector<Argument>& arguments_of(LaunchRequest& request) {
  return std::get<LaunchStep>(request.steps.front()).arguments;
}

// in[i] = 5 * i - 80 for the 32 lanes.
LaunchRequest clamp_request() {
  LaunchRequest request = request_for("clamp.ptx", "k");
  std::vector<int> in(32);
  for (int i = 0; i < 32; ++i) in[static_cast<size_t>(i)] = 5 * i - 80;
  arguments_of(request).emplace_back(add_buffer(request, "out", std::vector<int>(32)));
  arguments_of(request).emplace_back(add_buffer(request, "in", in));
  arguments_of(request).emplace_back(ScalarArgument{DType::i32, 30});
  return request;
}

LaunchRequest shapes_request(const std::string& ptx = "nvrtc_12_9.ptx") {
  LaunchRequest request = request_for(ptx, "shapes");
  std::vector<float> data(5 * points);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i) * 0.25f;
  for (uint32_t tag = 0; tag < points; ++tag) std::memcpy(&data[5 * tag + 4], &tag, 4);
  StructArgument by_value;
  by_value.bytes.resize(20);
  std::memcpy(by_value.bytes.data(), data.data() + 5, 20);
  arguments_of(request).emplace_back(add_buffer(request, "points", data));
  arguments_of(request).emplace_back(by_value);
  arguments_of(request).emplace_back(add_buffer(request, "out", std::vector<int>(points)));
  arguments_of(request).emplace_back(ScalarArgument{DType::i32, 100});
  arguments_of(request).emplace_back(ScalarArgument{DType::i32, 5});
  std::get<LaunchStep>(request.steps.front()).shared_dynamic_bytes = 256;
  return request;
}

stepping::Stop to_line(BlockStepper& stepper, uint32_t line) {
  return stepper.run_to_line(stepping::Breakpoint::Kind::source_line, line, 0);
}

std::string text(const BlockStepper& stepper, const std::string& name, uint32_t lane) {
  const std::optional<VariableView> view = stepper.find_variable(0, name);
  return view ? stepper.text_of(0, *view, lane) : "none of this name is in scope";
}

// All that is shown at a position, as one text.
std::string all_text(const BlockStepper& stepper) {
  std::string all;
  for (uint32_t warp = 0; warp < stepper.warps(); ++warp) {
    for (const VariableView& view : stepper.variables(warp)) {
      all += view.name + ":";
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) all += " " + stepper.text_of(warp, view, lane);
      all += "\n";
    }
  }
  return all;
}

TEST(Variables, HaveThePlaceOfTheWayThatTheLaneCame) {
  BlockStepper stepper = test::stepper(clamp_request());
  ASSERT_EQ(stepper.no_variables(), "");
  to_line(stepper, 9);  // int back = s;
  for (int lane = 0; lane < 30; ++lane) {
    const int a = 5 * lane - 80, r = std::max(a, -3), s = std::min(r, 20);
    const auto number = static_cast<uint32_t>(lane);
    EXPECT_EQ(text(stepper, "a", number), std::to_string(a));
    EXPECT_EQ(text(stepper, "r", number), std::to_string(r));
    EXPECT_EQ(text(stepper, "s", number), std::to_string(s));
    EXPECT_EQ(text(stepper, "lo", number), "-3");
  }
}

TEST(Variables, AreNotYetSetBeforeTheyAreAndOutOfScopeBehindIt) {
  BlockStepper stepper = test::stepper(clamp_request());
  to_line(stepper, 5);  // int lo = -3, hi = 20;
  EXPECT_EQ(text(stepper, "i", 3), "3");
  EXPECT_EQ(text(stepper, "r", 3), "not yet set");
  EXPECT_EQ(text(stepper, "r", 31), "out of scope");  // 31 is not below n
  to_line(stepper, 12);
  EXPECT_EQ(text(stepper, "r", 3), "none of this name is in scope");
  EXPECT_EQ(text(stepper, "i", 3), "3");
}

TEST(Variables, OfTheKernelHaveTheirValuesFromTheFirstInstructionOn) {
  BlockStepper stepper = test::stepper(clamp_request());
  EXPECT_EQ(text(stepper, "n", 0), "30");
  EXPECT_EQ(text(stepper, "in", 0), "&in[0]");
}

TEST(Variables, ComeInTheOrderOfTheirScopes) {
  BlockStepper stepper = test::stepper(clamp_request());
  to_line(stepper, 8);
  std::vector<std::string> names;
  for (const VariableView& view : stepper.variables(0)) names.push_back(view.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"out", "in", "n", "i", "ok", "lo", "hi", "a", "r", "s", "back"}));
  EXPECT_TRUE(stepper.variables(0)[0].parameter);
  EXPECT_EQ(stepper.variables(0)[3].line, 2u);
  EXPECT_EQ(stepper.variables(0)[3].type, "int");
}

TEST(Variables, AreTextsOfTheirTypes) {
  for (const char* ptx : {"nvrtc_12_9.ptx", "nvrtc_12_9_sm_120.ptx", "nvcc_13.ptx"}) {
    SCOPED_TRACE(ptx);
    LaunchRequest request = shapes_request(ptx);
    BlockStepper stepper = test::stepper(request);
    if (std::string(ptx) == "nvcc_13.ptx") {
      ASSERT_EQ(stepper.no_variables(), "");
    }
    to_line(stepper, 66);
    EXPECT_EQ(text(stepper, "color", 4), "green");
    EXPECT_EQ(text(stepper, "points", 4), "&points[0]");
    EXPECT_EQ(text(stepper, "seven", 4), "7");
    EXPECT_EQ(text(stepper, "list", 2), "{0, 2, 4, 6, …}");
    EXPECT_EQ(text(stepper, "p", 1), "{x = 1.25, y = {1.5, 1.75, 2}, tag = 1}");
    EXPECT_EQ(text(stepper, "ref", 1), "{x = 2.5, y = {2.75, 3, 3.25}, tag = 2}");
    EXPECT_EQ(text(stepper, "f", 3), "6");
    EXPECT_EQ(text(stepper, "big", 3), "not yet set");
  }
}

TEST(Variables, OpenIntoTheirParts) {
  BlockStepper stepper = test::stepper(shapes_request());
  to_line(stepper, 66);
  const VariableView p = *stepper.find_variable(0, "p");
  EXPECT_TRUE(p.opens);
  ASSERT_EQ(stepper.count_of_parts(p), 3u);
  const std::vector<VariableView> members = stepper.parts(0, p);
  EXPECT_EQ(members[1].name, "y");
  EXPECT_EQ(members[1].type, "float[3]");
  EXPECT_EQ(stepper.text_of(0, stepper.parts(0, members[1], 2, 1)[0], 1), "2");
  const std::vector<VariableView> pointed = stepper.parts(0, *stepper.find_variable(0, "points"));
  ASSERT_EQ(pointed.size(), 1u);
  EXPECT_EQ(stepper.text_of(0, pointed[0], 9), "{x = 0, y = {0.25, 0.5, 0.75}, tag = 0}");
  const std::vector<VariableView> d = stepper.parts(0, *stepper.find_variable(0, "d"));
  EXPECT_EQ(d[0].name, "Base");
  EXPECT_EQ(stepper.text_of(0, d[0], 9), "{b = 9}");
  EXPECT_EQ(stepper.text_of(0, d[1], 9), "2.5");
  EXPECT_EQ(stepper.text_of(0, d[2], 9), "not yet set");  // c
}

TEST(Variables, OfInlinedFunctionsAreThoseOfTheInnermost) {
  BlockStepper stepper = test::stepper(shapes_request());
  to_line(stepper, 29);  // return q;
  const VariableView m = *stepper.find_variable(0, "m");
  EXPECT_EQ(m.within, "mix");
  EXPECT_EQ(text(stepper, "b", 1), "2");
  EXPECT_EQ(text(stepper, "q", 1), "3.5625");  // 1.25 · 1.25 + 2
}

TEST(Variables, OfEachActivationAreItsOwn) {
  BlockStepper stepper = test::stepper(shapes_request());
  const Result<uint32_t> added =
      stepper.add({.kind = stepping::Breakpoint::Kind::source_line, .line = 35, .condition = "n == 4"});
  ASSERT_TRUE(added) << added.error().message;
  const stepping::Stop stop = stepper.run({});
  ASSERT_EQ(stop.why, stepping::Why::breakpoint) << stop.message;
  EXPECT_EQ(text(stepper, "below", 4), "6");
  EXPECT_EQ(text(stepper, "n", 4), "4");
}

TEST(Variables, AreTheSameWhereverTheStepperComesFrom) {
  stepping::Options options;
  options.spacing = 16;
  options.max_checkpoints = 64;
  BlockStepper stepper = test::stepper(shapes_request(), {0, 0, 0}, options);
  std::vector<std::string> texts{all_text(stepper)};
  while (stepper.end() == stepping::End::none) {
    stepper.run({.kind = stepping::Goal::Kind::instructions});
    texts.push_back(all_text(stepper));
  }
  ASSERT_GT(texts.size(), 300u);
  std::mt19937 random(3);
  for (uint32_t i = 0; i < 200; ++i) {
    const uint64_t position = random() % texts.size();
    stepper.jump(position);
    ASSERT_EQ(all_text(stepper), texts[position]) << "position " << position;
  }
}

// Digits of the debug sections are changed at random: whatever they say then, it can be stepped and shown.
TEST(Variables, OfATextThatNoCompilerWroteAreShownOrRefused) {
  const LaunchRequest request = clamp_request();
  const std::string whole = request.module->ptx;
  const size_t sections = whole.find(".section");
  std::mt19937 random(11);
  uint32_t shown = 0;
  for (uint32_t round = 0; round < 150; ++round) {
    auto module = std::make_shared<ModuleText>(*request.module);
    for (uint32_t change = 0; change < 3; ++change) {
      const size_t at = sections + random() % (whole.size() - sections);
      if (module->ptx[at] >= '0' && module->ptx[at] <= '9')
        module->ptx[at] = static_cast<char>('0' + random() % 10);
    }
    LaunchRequest changed = request;
    changed.module = module;
    Result<BlockStepper> stepper = BlockStepper::open(std::make_shared<LaunchRequest>(changed), {0, 0, 0});
    ASSERT_TRUE(stepper) << stepper.error().message;
    if (!stepper->no_variables().empty()) continue;
    ++shown;
    for (uint32_t step = 0; step < 60 && stepper->next(); ++step) {
      stepper->jump(stepper->position() + 1);
      all_text(*stepper);
    }
  }
  EXPECT_GT(shown, 50u);
}

TEST(Variables, CanBeNamedInConditions) {
  BlockStepper stepper = test::stepper(shapes_request());
  const auto add = [&](const std::string& condition) {
    return stepper.add({.kind = stepping::Breakpoint::Kind::source_line, .line = 66, .condition = condition});
  };
  ASSERT_TRUE(add("i == 17 && p.tag == 17 && p.x > 20"));
  const stepping::Stop stop = stepper.run({});
  EXPECT_EQ(stop.why, stepping::Why::breakpoint);
  EXPECT_EQ(stop.lanes, 1u << 17);
  const Result<uint32_t> unknown = add("nobody > 3");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("list"), std::string::npos) << unknown.error().message;
}

TEST(Variables, AreSaidToBeMissingWhereThereAreNone) {
  const test::Request plain(test::kernel("k", 0, "ret;"));
  test::Request request = plain;
  request.launch("k", {1, 1, 1}, {32, 1, 1});
  const BlockStepper stepper = test::stepper(request.value);
  EXPECT_NE(stepper.no_variables().find("-G"), std::string::npos);
  EXPECT_TRUE(stepper.variables(0).empty());
}

std::string entry_of(const std::string& ptx) {
  const ptx::ParseResult parsed = ptx::parse(debug_ptx(ptx), ptx);
  for (const ptx::Function& function : parsed.module->functions)
    if (function.is_entry) return std::string(function.name);
  return {};
}

// Numba hands over an array as seven parameters: two objects of the host, counts, the address, shape,
// strides.
void add_numba_array(LaunchRequest& request, const std::string& name, uint64_t count) {
  const auto number = [&](uint64_t value) {
    arguments_of(request).emplace_back(ScalarArgument{DType::i64, value});
  };
  std::vector<float> data(count);
  for (size_t i = 0; i < count; ++i) data[i] = static_cast<float>(i);
  const BufferArgument buffer = add_buffer(request, name, data);
  number(0);
  number(0);
  number(count);
  number(4);
  arguments_of(request).emplace_back(buffer);
  number(count);
  number(4);
}

TEST(VariablesOfNumba, HaveNamesWhereNumbaCudaCompiledThem) {
  LaunchRequest request = request_for("numba_cuda.ptx", entry_of("numba_cuda.ptx"));
  add_numba_array(request, "x", 32);
  add_numba_array(request, "y", 32);
  arguments_of(request).emplace_back(ScalarArgument{DType::f32, std::bit_cast<uint32_t>(2.5f)});
  arguments_of(request).emplace_back(ScalarArgument{DType::i32, 20});
  BlockStepper stepper = test::stepper(request);
  ASSERT_EQ(stepper.no_variables(), "");
  // s += v * k, for the third time
  for (uint32_t trip = 0; trip < 3; ++trip) ASSERT_EQ(to_line(stepper, 13).why, stepping::Why::stepped);
  EXPECT_EQ(text(stepper, "i", 7), "7");
  EXPECT_EQ(text(stepper, "a", 7), "the compiler's record of its place is not reliable");
  EXPECT_EQ(text(stepper, "v", 7), "17.5");
  EXPECT_EQ(text(stepper, "s", 7), "17.5");
  const std::vector<VariableView> x = stepper.parts(0, *stepper.find_variable(0, "x"));
  ASSERT_EQ(x.size(), 7u);
  EXPECT_EQ(stepper.text_of(0, x[2], 7), "32");  // nitems
  EXPECT_EQ(stepper.text_of(0, x[4], 7), "&x[0]");
}

TEST(VariablesOfNumba, AreNotShownWhereTheirPlacesAreWrong) {
  LaunchRequest request = request_for("numba_built_in.ptx", entry_of("numba_built_in.ptx"));
  add_numba_array(request, "x", 32);
  add_numba_array(request, "y", 32);
  arguments_of(request).emplace_back(ScalarArgument{DType::f32, std::bit_cast<uint32_t>(2.5f)});
  arguments_of(request).emplace_back(ScalarArgument{DType::i32, 20});
  const BlockStepper stepper = test::stepper(request);
  EXPECT_NE(stepper.no_variables().find("wrong places"), std::string::npos);
  EXPECT_TRUE(stepper.variables(0).empty());
}

TEST(SharedArrays, HaveTheirExtents) {
  BlockStepper stepper = test::stepper(shapes_request());
  const std::vector<stepping::SharedArray>& arrays = stepper.shared_arrays();
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[0].name, "tile");
  EXPECT_EQ(arrays[0].bytes, 128u);
  EXPECT_EQ(arrays[1].name, "dynamic");
  EXPECT_EQ(arrays[1].element, "int");
  EXPECT_EQ(arrays[1].extents, std::vector<uint64_t>{64});
}

TEST(SharedArrays, AreReadFromTheSourceWhereTheCompilerLeftThemOut) {
  LaunchRequest request = shapes_request();
  auto module = std::make_shared<ModuleText>(*request.module);
  module->source =
      "constexpr int ROWS = 4;\n#define PAD 1\n"
      "__global__ void shapes() { __shared__ float tile[ROWS][7 + PAD]; }\n";
  request.module = std::move(module);
  const BlockStepper stepper = test::stepper(request);
  EXPECT_EQ(stepper.shared_arrays()[0].element, "float");
  EXPECT_EQ(stepper.shared_arrays()[0].extents, (std::vector<uint64_t>{4, 8}));
}

}  // namespace THIS_FILE
}  // namespace warplens
