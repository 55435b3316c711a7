// warplens trace, as people call it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/shared/cli.h"
#include "app/cli/trace/trace_text.h"
#include "core/compile/compiler.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

struct Called {
  int status = 0;
  std::string out, err;
};

Called call(std::vector<const char*> arguments) {
  std::ostringstream out, err;
  Cli cli{out, err, [] { return make_virtual_gpu(); }, nullptr, {}};
  arguments.insert(arguments.begin(), "warplens");
  Called called;
  called.status = run_cli(static_cast<int>(arguments.size()), arguments.data(), cli);
  called.out = out.str();
  called.err = err.str();
  return called;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(TraceCommand, PrintsInstructionsWithWhatTheyWrote) {
  const Called called = call(
      {"trace", "vector_add", "--optimized", "--at", "3", "--warp", "1", "--count", "40", "--registers"});
  EXPECT_EQ(called.status, 0) << called.err;
  EXPECT_TRUE(has(called.out, "block (3,0,0) of")) << called.out;
  EXPECT_TRUE(has(called.out, "It runs alone"));
  EXPECT_TRUE(has(called.out, "%ctaid.x;")) << called.out;
  EXPECT_TRUE(has(called.out, " = 3\n"));
  EXPECT_TRUE(has(called.out, "32, 33, 34 … 63")) << called.out;  // its threads
  EXPECT_TRUE(has(called.out, "reads 4 bytes a lane of x at")) << called.out;
  EXPECT_TRUE(has(called.out, "Registers of warp 1"));
}

TEST(TraceCommand, LeavesOutTheLoadsOfParametersAtTheStart) {
  const Called called = call({"trace", "vector_add", "--optimized", "--at", "3", "--warp", "1"});
  EXPECT_EQ(called.status, 0) << called.err;
  EXPECT_FALSE(has(called.out, "ld.param")) << called.out;
  EXPECT_TRUE(has(called.out, "%ctaid.x")) << called.out;
  const Called all = call({"trace", "vector_add", "--optimized", "--at", "3", "--from", "0", "--count", "1"});
  EXPECT_TRUE(has(all.out, "ld.param")) << all.out;
}

TEST(TraceCommand, PrintsTheCallStackInsideAFunction) {
  if (!compiler_version()) GTEST_SKIP() << "there is no NVRTC here";
  const Called called = call(
      {"trace", "lucas_recursive", "--break", "5 if lane == 9 && i == 6", "--count", "2", "--lane", "9"});
  EXPECT_EQ(called.status, 0) << called.err;
  EXPECT_TRUE(has(called.out,
                  "in lucas_number, called by lucas_number in line 7, by lucas_number in line 7, "
                  "by lucas_number in line 7, by lucas_recursive in line 12\n"))
      << called.out;
  const Called json = call({"trace", "lucas_recursive", "--break", "5 if lane == 9 && i == 6", "--count", "1",
                            "--lane", "9", "--json", "-"});
  const auto stack = nlohmann::json::parse(json.out)["lines"][0]["stack"];
  ASSERT_EQ(stack.size(), 5u) << json.out;
  EXPECT_EQ(stack[0]["level"], 4);
  EXPECT_EQ(stack[4]["function"], "lucas_recursive");
  EXPECT_EQ(stack[4]["line"], 12);
  const Called kernel = call({"trace", "vector_add", "--count", "3"});
  EXPECT_FALSE(has(kernel.out, "called by")) << "nothing is said in the kernel itself";
}

TEST(TraceCommand, StopsAtABreakpoint) {
  const Called called = call(
      {"trace", "vector_add", "--optimized", "--break", "vector_add if lane == 17 && n > 3", "--count", "1"});
  EXPECT_EQ(called.status, 0) << called.err;
  EXPECT_TRUE(has(called.out, "Breakpoint 1: warp 0, lane 17.")) << called.out;
  const Called wrong = call({"trace", "vector_add", "--break", "1 if nothing > 3"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(has(wrong.err, "--break 1 if nothing > 3")) << wrong.err;
  EXPECT_EQ(call({"trace", "vector_add", "--watch", "nowhere"}).status, 2);
  EXPECT_TRUE(has(call({"trace", "vector_add", "--optimized", "--watch", "out+8", "--count", "1"}).out,
                  "Watchpoint 1: warp 0, lane 2."));
  EXPECT_EQ(call({"trace", "vector_add", "--at", "100000"}).status, 2);
  EXPECT_EQ(call({"trace", "vector_add", "--warp", "20"}).status, 2);
  EXPECT_EQ(call({"trace", "vector_add", "--name", "x"}).status, 2);
}

TEST(TraceCommand, SaysWhatIsWrongWithAPlaceOrACondition) {
  const auto error = [](std::vector<const char*> options) {
    options.insert(options.begin(), {"trace", "vector_add", "--optimized"});
    const Called called = call(std::move(options));
    EXPECT_EQ(called.status, 2) << called.out;
    return called.err;
  };
  EXPECT_TRUE(has(error({"--break", "7 if"}), "no condition after \"if\""));
  EXPECT_TRUE(has(error({"--break", "7 if "}), "no condition after \"if\""));
  EXPECT_TRUE(has(error({"--break", ""}), "name a place"));
  EXPECT_TRUE(has(error({"--break", "ptx:x"}), "no line of the PTX"));
  EXPECT_TRUE(has(error({"--break", "nowhere"}), "there is vector_add"));
  EXPECT_TRUE(has(error({"--break", "nofile.cu:7"}), "there are vector_add.cu"));
  EXPECT_TRUE(has(error({"--break", "7 if a > 3", "--name", "a=%zz"}), "stands for \"%zz\""));
  EXPECT_TRUE(has(error({"--watch", "out+9999999999"}), "out has "));
  EXPECT_TRUE(has(error({"--watch", "out+x"}), "OFFSET"));
  EXPECT_TRUE(has(error({"--turns", "0"}), "at least 1"));
}

TEST(TraceCommand, SaysThatNothingStoppedIt) {
  const Called never = call({"trace", "vector_add", "--break", "vector_add if lane == 40"});
  EXPECT_EQ(never.status, 0) << never.err;
  EXPECT_TRUE(has(never.out, "Nothing stopped it in ")) << never.out;
  EXPECT_TRUE(has(call({"trace", "vector_add", "--from", "99999"}).out, "There are only ")) << never.out;
}

// Half of a warp takes each side of a branch; waiting lanes show where they wait, and for which lanes.
TEST(TraceCommand, ShowsPathsAndWhereTheyMeet) {
  const Called called =
      call({"trace", "vector_add", "--optimized", "--set", "n=1000", "--at", "3", "--warp", "7"});
  EXPECT_EQ(called.status, 0) << called.err;
  EXPECT_TRUE(has(called.out, "8-31 of all")) << called.out;
  EXPECT_TRUE(has(called.out, "| lanes 8-31 at PTX line ")) << called.out;
  EXPECT_TRUE(has(called.out, "(vector_add.cu:7) wait for lanes 0-7")) << called.out;
}

TEST(TraceCommand, TakesAnotherSchedule) {
  const auto first_warp = [](const char* seed) {
    const Called called =
        call({"trace", "vector_add", "--optimized", "--seed", seed, "--count", "60", "--json", "-"});
    EXPECT_EQ(called.status, 0) << called.err;
    std::string warps;
    const nlohmann::json json = nlohmann::json::parse(called.out);
    for (const auto& one : json["instructions"]) warps += one["warp"].dump();
    return warps;
  };
  const std::string in_order = first_warp("0");
  EXPECT_NE(first_warp("1"), in_order);
  EXPECT_EQ(first_warp("1"), first_warp("1"));
  EXPECT_NE(first_warp("1"), first_warp("2"));
}

TEST(TraceCommand, WritesJson) {
  const Called called =
      call({"trace", "vector_add", "--optimized", "--count", "12", "--from", "5", "--json", "-"});
  EXPECT_EQ(called.status, 0) << called.err;
  const nlohmann::json json = nlohmann::json::parse(called.out);
  ASSERT_EQ(json["instructions"].size(), 12u);
  EXPECT_EQ(json["instructions"][0]["index"], 5);
  EXPECT_EQ(json["instructions"][0]["active"], 0xffffffffu);
  EXPECT_EQ(json["position"], 17);
  EXPECT_TRUE(json["end"].is_null());
}

TEST(TraceCommand, EndsAtAFault) {
  const Called called =
      call({"trace", "vector_add_unchecked", "--at", "39", "--warp", "0", "--count", "1000"});
  EXPECT_EQ(called.status, 1);
  EXPECT_TRUE(has(called.err, "just past the end of")) << called.err;
}

bool has_compiler() { return compiler_version().ok(); }

TEST(TraceCommand, PrintsLinesAndTheVariablesThatTheyChanged) {
  if (!has_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  const Called called = call({"trace", "vector_add", "--at", "3", "--warp", "1"});
  EXPECT_EQ(called.status, 0) << called.err;
  EXPECT_TRUE(has(called.out, "so that variables have names; --optimized")) << called.out;
  EXPECT_TRUE(has(called.out, "i = 800, 801, 802 … 831")) << called.out;
  EXPECT_TRUE(has(called.out, "blockIdx.x * blockDim.x + threadIdx.x")) << called.out;
  EXPECT_TRUE(has(called.out, "reads 4 bytes a lane of x at")) << called.out;
  EXPECT_TRUE(has(called.out, "The code that runs leaves the same in memory.")) << called.out;
  EXPECT_FALSE(has(called.out, "%r")) << called.out;
  EXPECT_FALSE(has(called.out, "ld.param")) << called.out;
}

TEST(TraceCommand, TakesVariablesInConditions) {
  if (!has_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  const Called loop = call({"trace", "mandelbrot", "--at", "20,20", "--break",
                            "21 if x == 327 && iteration == 2", "--count", "1"});
  EXPECT_EQ(loop.status, 0) << loop.err;
  EXPECT_TRUE(has(loop.out, "iteration = 3")) << loop.out;
  const Called wrong = call({"trace", "vector_add", "--break", "7 if nobody == 17"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(has(wrong.err, "There are i, ")) << wrong.err;
  const Called right = call({"trace", "vector_add", "--break", "6 if i == 17", "--count", "1"});
  EXPECT_EQ(right.status, 0) << right.err;
  EXPECT_TRUE(has(right.out, "Breakpoint 1: warp 0, lane 17.")) << right.out;
  EXPECT_TRUE(has(right.out, "Variables of warp 0")) << right.out;
}

TEST(TraceCommand, WritesLinesAsJson) {
  if (!has_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  const Called called = call({"trace", "vector_add", "--count", "2", "--json", "-"});
  EXPECT_EQ(called.status, 0) << called.err;
  const nlohmann::json json = nlohmann::json::parse(called.out);
  EXPECT_TRUE(json["no_variables"].is_null());
  ASSERT_EQ(json["lines"].size(), 2u);
  const nlohmann::json& variable = json["lines"][0]["variables"][0];
  EXPECT_EQ(variable["name"], "i");
  EXPECT_EQ(variable["type"], "int");
  EXPECT_EQ(variable["lanes"][31], "31");
}

// PTX with debug information has names by itself, and no source to show.
TEST(TraceCommand, StepsAPtxThatSaysWhereItsVariablesAre) {
  if (!has_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  const std::string source = (test_files::source_dir() / "tests/data/step/clamp.cu").string();
  const std::string ptx =
      (std::filesystem::temp_directory_path() / ("warplens_clamp_" + std::to_string(::getpid()) + ".ptx"))
          .string();
  const Called compiled =
      call({"compile", source.c_str(), "--debug", "--device", "3060", "--out", ptx.c_str()});
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  const Called called = call({"trace", ptx.c_str(), "--count", "1000", "--warp", "0"});
  EXPECT_TRUE(has(called.out, "i = 0, 1, 2 … 31")) << called.out << called.err;
  EXPECT_FALSE(has(called.out, "Without names")) << called.out;
  std::filesystem::remove(ptx);
}

TEST(TraceCommand, SaysWhyThereAreNoNames) {
  const Called called = call({"trace", "vector_add", "--optimized", "--json", "-", "--count", "1"});
  const nlohmann::json json = nlohmann::json::parse(called.out);
  EXPECT_NE(json["no_variables"].get<std::string>().find("-G"), std::string::npos);
  EXPECT_EQ(json["instructions"].size(), 1u);
}

TEST(TraceText, FoldsLanesAndValues) {
  EXPECT_EQ(lanes_text(0), "none");
  EXPECT_EQ(lanes_text(0xffffffff), "all");
  EXPECT_EQ(lanes_text(0x8000000f), "0-3,31");
  stepping::RegisterView view;
  view.type = ptx::Modifier::s32;
  view.set = 0xffffffff;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) view.bits[lane].low = 10 + 3 * lane;
  EXPECT_EQ(values_text(view, 0xffffffff), "10, 13, 16 … 103");
  EXPECT_EQ(values_text(view, 0x7), "10, 13, 16");
  EXPECT_EQ(values_text(view, 0x10), "22");
  EXPECT_EQ(values_text(view, 0), "not set");
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) view.bits[lane].low = lane < 16 ? lane : 5;
  EXPECT_EQ(values_text(view, 0xffffffff), "0, 1, 2 … 15, 5 (16 lanes)");
  EXPECT_EQ(values_text(view, 0x18001), "0, 15, 5");
  view.bits.fill({.low = 0xffffffff});
  EXPECT_EQ(values_text(view, 0xff), "-1");
}

}  // namespace THIS_FILE
}  // namespace warplens
