// A launch of a recording, run again on the virtual GPU.
#include "core/job/files/recorded_job.h"
#include "core/job/files/array_names.h"

#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/recording/journal.h"
#include "core/recording/numba_name.h"
#include "core/recording/recorder.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::SizeIs;

// Goes along a list: each node holds the address of the next one and a number, and `step` of the module is
// added.
constexpr const char* list_ptx = R"(.version 7.0
.target sm_50
.address_size 64
.visible .global .u32 step = 1;
.visible .entry walk(.param .u64 first, .param .u32 nodes)
{
.reg .pred %q;
.reg .b32 %n, %x, %s;
.reg .b64 %p, %a;
ld.param.u64 %p, [first];
ld.param.u32 %n, [nodes];
mov.u64 %a, step;
ld.global.u32 %s, [%a];
again:
setp.eq.u32 %q, %n, 0;
@%q ret;
ld.global.u32 %x, [%p+8];
add.u32 %x, %x, %s;
st.global.u32 [%p+8], %x;
ld.global.u64 %p, [%p];
sub.u32 %n, %n, 1;
bra again;
}
)";
constexpr uint64_t first_address = 0x10'0000'2000, second_address = 0x7f12'3456'7000,
                   global_base = 0x11'0000'0000;

struct Node {
  uint64_t next = 0;
  uint32_t number = 0, unused = 0;
};

template <class T>
std::span<const std::byte> raw(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

class RecordedLaunches : public testing::Test {
 protected:
  void SetUp() override {
    std::string made = (fs::temp_directory_path() / "warplens-recorded-XXXXXX").string();
    ASSERT_NE(mkdtemp(made.data()), nullptr);
    m_folder = made;
  }
  void TearDown() override { fs::remove_all(m_folder); }

  // Two nodes: one on the device, one in pinned memory at an address of the host.
  recording::Recording record(uint32_t expected_second = 27) {
    const Node first{second_address, 10, 0}, second{first_address, 20, 0};
    const Node first_after{second_address, 17, 0}, second_after{first_address, expected_second, 0};
    const uint32_t step = 7;
    const uint64_t address = first_address;
    const uint32_t nodes = 2;
    {
      recording::Journal journal(m_folder.string(), "rtx_3060", "RTX 3060", "modelled");
      journal.launch({.kernel = "walk", .grid = {1, 1, 1}, .block = {1, 1, 1}});
      recording::Recorder recorder(m_folder.string(), {}, 1 << 20);
      recording::LaunchRecording launch;
      launch.number = 1;
      launch.kernel = launch.entry = "walk";
      launch.ptx = list_ptx;
      launch.place_global = global_base;
      launch.grid = launch.block = {1, 1, 1};
      launch.parameters = {{false, raw(address)}, {false, raw(nodes)}};
      launch.memory = {{"array 1", "device", "", first_address, raw(first)},
                       {"step", "variable", "step", global_base, raw(step)},
                       {"pinned 2", "pinned", "", second_address, raw(second)}};
      recorder.note(launch);
      recorder.note_end({{"array 1", "device", "", first_address, raw(first_after)},
                         {"step", "variable", "step", global_base, raw(step)},
                         {"pinned 2", "pinned", "", second_address, raw(second_after)}},
                        false);
    }
    const std::string path = (m_folder / "x.warplens").string();
    EXPECT_TRUE(
        recording::join_recording(m_folder.string(), m_folder.string(), {{}, "rtx_3060"}, 1 << 20, path));
    Result<recording::Recording> read = recording::read_recording(path);
    EXPECT_TRUE(read);
    return std::move(*read);
  }

  static Result<RunResult> run_again(const recording::Recording& recorded, RunOptions options = {}) {
    const Result<Job> job =
        recorded_job(recorded, *recorded.launches.at(0), "x.warplens", *find_device("3060"), options);
    if (!job) return job.error();
    const auto gpu = make_virtual_gpu();
    Result<RunResult> result = gpu->run(job->request, {}, nullptr);
    if (result) check_against_recording(*recorded.launches.at(0)->launch, *result);
    return result;
  }

  fs::path m_folder;
};

TEST_F(RecordedLaunches, FollowThePointersInTheirMemory) {
  const recording::Recording recorded = record();
  const Result<RunResult> result = run_again(recorded);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->status, RunStatus::ok) << result->message;
  ASSERT_THAT(result->outputs, SizeIs(2)) << "what the launch had changed";
  Node second;
  std::memcpy(&second, result->outputs[1].bytes->data(), sizeof second);
  EXPECT_EQ(second.number, 27u) << "20, and the module's variable as it was: 7";
  EXPECT_EQ(second.next, first_address);
  ASSERT_THAT(result->checks, SizeIs(2));
  EXPECT_TRUE(result->checks[0].equal && result->checks[1].equal);
}

TEST_F(RecordedLaunches, EveryWayOfRunningThemGivesTheSame) {
  const recording::Recording recorded = record();
  for (const Observe observe : {Observe::none, Observe::counters, Observe::trace}) {
    for (const Sanitize sanitize : {Sanitize::off, Sanitize::all}) {
      RunOptions options;
      options.observe = observe;
      options.sanitize = sanitize;
      const Result<RunResult> result = run_again(recorded, options);
      ASSERT_TRUE(result) << result.error().message;
      EXPECT_EQ(result->status, RunStatus::ok) << result->message;
      for (const Incident& finding : result->findings) ADD_FAILURE() << finding.message;
    }
  }
}

TEST_F(RecordedLaunches, ADifferenceIsACheckThatFailed) {
  const recording::Recording recorded = record(28);
  const Result<RunResult> result = run_again(recorded);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, RunStatus::check_failed);
  EXPECT_THAT(result->message, HasSubstr("pinned 2"));
}

TEST_F(RecordedLaunches, WhatIsMissingIsSaid) {
  recording::Recording recorded = record();
  EXPECT_THAT(find_launch(recorded, 2, "x.warplens").error().message, HasSubstr("there is no launch 2"));
  recorded.data.clear();
  EXPECT_THAT(run_again(recorded).error().message, HasSubstr("missing from the file"));
  recorded.modules.clear();
  EXPECT_FALSE(run_again(recorded));
  recorded.events[0].launch = nullptr;
  EXPECT_THAT(run_again(recorded).error().message, HasSubstr("--launches 1"));
}

TEST_F(RecordedLaunches, BuffersThatLieInOneAnotherAreRefused) {
  const recording::Recording recorded = record();
  Result<LaunchRequest> request = recorded_request(recorded, *recorded.launches[0], "x.warplens");
  ASSERT_TRUE(request);
  for (const uint64_t address : {first_address, first_address - 8, first_address + 8, UINT64_MAX}) {
    LaunchRequest wrong = *request;
    wrong.device = *find_device("3060");
    wrong.buffers[1].address = address;
    EXPECT_FALSE(make_virtual_gpu()->run(std::make_shared<const LaunchRequest>(wrong), {}, nullptr))
        << address;
  }
}

TEST(NumbaArguments, AreReadFromTheMangledName) {
  const auto arguments = recording::numba_arguments(
      "_ZN8__main__"
      "9transposeB2v1B4cw51E5ArrayIfLi2E1C7mutable7alignedE5ArrayIhLi1E1A7mutable"
      "7alignedEx");
  ASSERT_THAT(arguments, SizeIs(3));
  EXPECT_TRUE(arguments[0].is_array);
  EXPECT_EQ(arguments[0].dtype, DType::f32);
  EXPECT_EQ(arguments[0].dimensions, 2u);
  EXPECT_EQ(arguments[1].first, 9u);
  EXPECT_EQ(arguments[1].dtype, DType::u8);
  EXPECT_EQ(arguments[2].first, 16u);
  EXPECT_FALSE(arguments[2].is_array);
  for (const char* other :
       {"add", "_Z3addPf", "_ZN", "_ZN3addE5Array", "_ZN3addE5ArrayIfLi", "_ZN9999999999addEf"})
    EXPECT_TRUE(recording::numba_arguments(other).empty()) << other;
}

TEST(NumbaArguments, GiveABufferItsTypeAndShape) {
  LaunchStep step;
  step.entry = "_ZN8__main__4fillB2v1E5ArrayIfLi2E1C7mutable7alignedE";
  const auto number = [](uint64_t value) { return ScalarArgument{DType::u64, value}; };
  step.arguments = {number(0), number(0), number(12), number(4), BufferArgument{0, 0},
                    number(3), number(4), number(16), number(4)};
  std::vector<BufferSpec> buffers(1);
  buffers[0].bytes = buffers[0].width = 48;
  name_numba_arrays(step, buffers);
  EXPECT_EQ(buffers[0].dtype, DType::f32);
  EXPECT_EQ(buffers[0].width, 4u);
  EXPECT_EQ(buffers[0].height, 3u);
}

TEST(SourceArguments, GiveAnArrayTheNameAndTypeOfItsParameter) {
  LaunchStep step;
  step.entry = "_Z3addPfS_i";
  step.arguments = {BufferArgument{0, 0}, BufferArgument{1, 64}, ScalarArgument{DType::u32, 12}};
  std::vector<BufferSpec> buffers(2);
  buffers[0].name = "array 1";
  buffers[0].bytes = buffers[0].width = 48;
  buffers[1] = buffers[0];
  std::vector<BufferSpec> without_source = buffers;
  name_source_arrays(step, {"__global__ void add(float* sums, float* b, int n) { sums[0] = b[n]; }", ""},
                     buffers);
  EXPECT_EQ(buffers[0].name, "sums");
  EXPECT_EQ(buffers[0].dtype, DType::f32);
  EXPECT_EQ(buffers[0].width, 12u);
  EXPECT_EQ(buffers[1].name, "array 1") << "the parameter points into the middle of it";
  name_source_arrays(step, {}, without_source);
  EXPECT_EQ(without_source[0].name, "array 1");
  EXPECT_EQ(without_source[0].dtype, DType::f32) << "the mangled name says so";
  step.entry = "bytes";
  name_source_arrays(step, {"extern \"C\" __global__ void bytes(int* a, int* b, int n) {}", ""},
                     without_source);
  EXPECT_EQ(without_source[0].name, "a");
  EXPECT_EQ(without_source[0].dtype, DType::i32);
  // A name that is not mangled and no source: what the PTX accesses.
  const std::string other = "\n.visible .entry other(\n{ ld.global.u8 %r1, [%rd1]; }\n";
  const auto type_by = [&](const std::string& body) {
    std::vector<BufferSpec> bytes(2);
    bytes[0].bytes = bytes[0].width = 48;
    name_source_arrays(step, {"", ".visible .entry bytes(\n" + body + other}, bytes);
    return bytes[0].dtype;
  };
  EXPECT_EQ(type_by("{ ld.global.nc.v2.f32 {%f1, %f2}, [%rd1];\n st.global.f32 [%rd2], %f1; }"), DType::f32);
  EXPECT_EQ(type_by("{ st.global.u32 [%rd2], %r1; }"), DType::i32);
  EXPECT_EQ(type_by("{ ld.global.f32 %f1, [%rd1];\n st.global.u32 [%rd2], %r1; }"), DType::u8);
  EXPECT_EQ(type_by("{ ld.global.u8 %r1, [%rd1]; }"), DType::u8);
}

}  // namespace THIS_FILE
}  // namespace warplens
