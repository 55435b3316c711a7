// The data on launches that the library writes for a recording.
#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/cuda/stand_in/driver/recorded.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// p[0] is the address of another array, whose elements are counted up.
const char* const through_a_pointer =
    "ld.global.u64 %p, [%p];\nadd.u64 %a, %p, %o;\nld.global.u32 %x, [%a];\nadd.u32 %x, %x, 1;\n"
    "st.global.u32 [%a], %x;";

TEST_F(DriverRecording, HasTheMemoryBeforeAndTheNameOfWhatItBecame) {
  begin();
  CUdeviceptr p = upload(std::vector<uint32_t>(64, 41));
  unsigned n = 64;
  const CUfunction add = load(kernel("add", add_one), "add");
  for (int i = 0; i < 5; ++i) FINE(launch(add, 1, 64, {&p, &n}));
  const recording::Recording made = read();
  ASSERT_THAT(made.launches, SizeIs(5));
  EXPECT_EQ(made.launches[3]->launch, nullptr);
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_NE(made.launches[i]->launch, nullptr);
    const recording::RecordedLaunch& launch = *made.launches[i]->launch;
    EXPECT_THAT(launch.lacking, IsEmpty());
    ASSERT_THAT(launch.memory, SizeIs(1));
    EXPECT_EQ(launch.memory[0].address, p);
    EXPECT_EQ(words(made, launch.memory[0].before, 64)[63], 41 + i);
    if (i > 0) {
      EXPECT_EQ(launch.memory[0].before, made.launches[i - 1]->launch->memory[0].after);
    }
  }
}

// Each can be run again by itself: it has the memory as its parent left it.
TEST_F(DriverRecording, ALaunchByAKernelIsALaunch) {
  const std::string two_kernels = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2 (.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b64 b, .param .b64 s);
.visible .entry child(.param .u64 p)
{
  .reg .b64 %d<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %d0, [p];
  ld.global.u32 %r0, [%d0];
  add.u32 %r0, %r0, 1;
  st.global.u32 [%d0], %r0;
  ret;
}
.visible .entry parent(.param .u64 p)
{
  .reg .b64 %d<4>;
  .reg .b32 %r<2>;
  .param .b64 f;
  .param .align 4 .b8 g[12];
  .param .align 4 .b8 b[12];
  .param .b64 r;
  .param .b32 e;
  ld.param.u64 %d0, [p];
  mov.u32 %r0, 7;
  st.global.u32 [%d0], %r0;
  mov.u64 %d1, child;
  st.param.b64 [f], %d1;
  st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
  st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
  mov.u32 %r1, 0;
  call (r), __cudaCDP2GetParameterBufferV2, (f, g, b, %r1);
  ld.param.b64 %d2, [r];
  st.u64 [%d2], %d0;
  call (e), __cudaCDP2LaunchDeviceV2, (%d2, 0);
  ret;
}
)";
  begin();
  CUdeviceptr p = upload(std::vector<uint32_t>(4, 1));
  FINE(launch(load(two_kernels, "parent"), 1, 1, {&p}));
  EXPECT_EQ(download<uint32_t>(p, 1)[0], 8u);
  const recording::Recording made = read();
  if (is_relayed()) {  // the host of a real GPU does not see what kernels launch
    EXPECT_THAT(made.launches, SizeIs(1));
    return;
  }
  ASSERT_THAT(made.launches, SizeIs(2));
  EXPECT_EQ(made.launches[0]->depth, 0u);
  EXPECT_EQ(made.launches[1]->name, "child");
  EXPECT_EQ(made.launches[1]->launched_by, "parent");
  EXPECT_EQ(made.launches[1]->depth, 1u);
  EXPECT_EQ(recording::launched_by_text(*made.launches[1]), ", launched by parent");
  ASSERT_NE(made.launches[1]->launch, nullptr);
  EXPECT_THAT(made.launches[1]->launch->lacking, IsEmpty());
  EXPECT_EQ(words(made, made.launches[1]->launch->memory[0].before, 1)[0], 7u);
}

TEST_F(DriverRecording, CopiesOfEqualBytesHaveTheSameNumber) {
  begin();
  std::vector<uint32_t> some(1000, 41);
  const CUdeviceptr p = upload(some);
  std::vector<uint32_t> back(1000);
  FINE(CALL(cuMemcpyDtoH_v2)(back.data(), p, 4000));
  some[999] = 42;
  const CUdeviceptr q = upload(some);
  FINE(CALL(cuMemcpyDtoD_v2)(q, p, 4000));
  std::vector<recording::Event> copies;
  for (const recording::Event& event : read().events)
    if (event.kind == recording::Event::Kind::copy) copies.push_back(event);
  ASSERT_THAT(copies, SizeIs(4));
  EXPECT_NE(copies[0].content, 0u);
  EXPECT_EQ(copies[0].content, copies[1].content) << "out again as it came in";
  EXPECT_NE(copies[0].content, copies[2].content) << "the last word differs";
  EXPECT_EQ(copies[3].content, 0u) << "it crosses nothing";
  EXPECT_TRUE(copies[0].waits && copies[1].waits);
  EXPECT_FALSE(copies[3].waits);
}

TEST_F(DriverRecording, LaunchesHaveTheLineOfTheirKernelWhereTheTextHasIt) {
  begin();
  CUdeviceptr p = upload(std::vector<uint32_t>(64, 41));
  unsigned n = 64;
  FINE(launch(load(kernel("add", add_one), "add"), 1, 64, {&p, &n}));
  std::string text = kernel("lined", std::string(".loc 1 14 0\n") + add_one);
  text += "\n.file 1 \"/home/a/blur.py\"\n";
  FINE(launch(load(text, "lined"), 1, 64, {&p, &n}));
  const recording::Recording made = read();
  ASSERT_THAT(made.launches, SizeIs(2));
  EXPECT_EQ(made.launches[0]->line, 0u);
  EXPECT_EQ(made.launches[1]->file, "/home/a/blur.py");
  EXPECT_EQ(made.launches[1]->line, 14u);
}

TEST_F(DriverRecording, OfMuchMemoryKeepsWhatTheParametersLeadTo) {
  begin();
  CUdeviceptr far = 0, other = upload(std::vector<uint32_t>(6 << 20, 1));
  FINE(CALL(cuMemAlloc_v2)(&far, 256));
  FINE(CALL(cuMemsetD32_v2)(far, 9, 64));
  CUdeviceptr p = upload(std::vector<CUdeviceptr>{far});
  unsigned n = 64;
  FINE(launch(load(kernel("hop", through_a_pointer), "hop"), 1, 64, {&p, &n}));
  const recording::Recording made = read();
  const recording::RecordedLaunch& launch = *made.launches.at(0)->launch;
  EXPECT_FALSE(launch.all_memory);
  ASSERT_THAT(launch.memory, SizeIs(2)) << "not the array at " << other;
  EXPECT_EQ(launch.memory[0].address, far);
  EXPECT_EQ(words(made, launch.memory[0].before, 64)[5], 9u);
  EXPECT_NE(launch.memory[0].before, launch.memory[0].after);
  EXPECT_EQ(launch.memory[1].before, launch.memory[1].after);
}

TEST_F(DriverRecording, HasTheModulesVariablesAsTheyAre) {
  begin();
  CUdeviceptr p = upload(std::vector<uint32_t>(1));
  unsigned n = 1;
  const std::string body =
      "mov.u64 %a, counter;\nld.global.u32 %x, [%a];\nadd.u32 %x, %x, 1;\nst.global.u32 [%a], %x;";
  const CUfunction count = load(kernel("count", body, ".visible .global .u32 counter = 10;"), "count");
  for (int i = 0; i < 2; ++i) FINE(launch(count, 1, 1, {&p, &n}));
  const recording::Recording made = read();
  for (size_t i = 0; i < 2; ++i) {
    const recording::RecordedLaunch& launch = *made.launches.at(i)->launch;
    ASSERT_THAT(launch.memory, SizeIs(2));
    const recording::RecordedPiece& variable = launch.memory[launch.memory[0].symbol.empty() ? 1 : 0];
    EXPECT_EQ(variable.symbol, "counter");
    EXPECT_EQ(variable.address, launch.place_global);
    EXPECT_EQ(words(made, variable.before, 1)[0], 10 + i);
  }
}

TEST_F(DriverRecording, TakesTheLaunchesThatWereChosenAndKeepsItsLimit) {
  set_variable("WARPLENS_PROGRAM_LAUNCHES", "2,4-5");
  set_variable("WARPLENS_PROGRAM_RECORD_LIMIT", "100000");
  begin();
  CUdeviceptr p = upload(std::vector<uint32_t>(10000, 41));
  unsigned n = 10000;
  const CUfunction add = load(kernel("add", add_one), "add");
  for (int i = 0; i < 6; ++i) FINE(launch(add, 40, 256, {&p, &n}));
  const recording::Recording made = read();
  EXPECT_EQ(made.launches.at(0)->launch, nullptr);
  ASSERT_NE(made.launches.at(1)->launch, nullptr);
  EXPECT_THAT(made.launches.at(1)->launch->lacking, IsEmpty());
  EXPECT_EQ(made.launches.at(2)->launch, nullptr);
  EXPECT_THAT(made.launches.at(4)->launch->lacking, HasSubstr("limit"));
  EXPECT_TRUE(made.cut);
  EXPECT_LT(fs::file_size(folder / (std::to_string(getpid()) + ".launches")), 110'000u);
}

TEST_F(DriverRecording, ALaunchThatFaultsIsThere) {
  begin();
  CUdeviceptr p = 0;
  unsigned n = 64;
  launch(load(kernel("add", add_one), "add"), 1, 64, {&p, &n});
  const recording::Recording made = read();
  ASSERT_THAT(made.launches, SizeIs(1));
  ASSERT_NE(made.launches[0]->launch, nullptr);
  EXPECT_TRUE(made.launches[0]->launch->fault);
  EXPECT_THAT(made.launches[0]->launch->lacking, IsEmpty());
}

}  // namespace THIS_FILE
}  // namespace warplens::test
