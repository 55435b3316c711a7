// A program in parts, as the pytest plug-in runs tests: each has a journal and a recording of its own.
#include <gmock/gmock.h>
#include <unistd.h>

#include "core/base/system/files.h"
#include "tests/cuda/stand_in/driver/recorded.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class DriverParts : public DriverRecording {
 protected:
  // From here on notes go to another folder.
  void begin_part(const std::string& name, bool failed = false) {
    folder = all / name;
    fs::create_directory(folder);
    note_in(folder.string(), failed);
  }
  static void note_in(const std::string& there, bool failed = false) {
    for (const char* variable : {"WARPLENS_PROGRAM_JOURNAL", "WARPLENS_PROGRAM_RECORD"})
      set_variable(variable, there);
    reinterpret_cast<void (*)(int)>(symbol("warplens_begin_part"))(failed ? 1 : 0);
  }
  std::string journal_of(const std::string& name) const {
    const Result<std::string> text =
        read_text((all / name / (std::to_string(getpid()) + ".journal")).string(), 1 << 20);
    return text ? *text : std::string();
  }
  void SetUp() override {
    DriverRecording::SetUp();
    all = folder;
  }
  void TearDown() override { fs::remove_all(all); }
  fs::path all;
};

TEST_F(DriverParts, EachHasItsLaunchesAndTheirMemory) {
  begin_part("before");  // nothing is there yet that could be told
  begin();
  CUdeviceptr p = upload(std::vector<uint32_t>(64, 41));
  unsigned n = 64;
  const CUfunction add = load(kernel("add", add_one), "add");
  for (int i = 0; i < 4; ++i) FINE(launch(add, 1, 64, {&p, &n}));
  EXPECT_THAT(read().launches, SizeIs(4));
  for (const char* name : {"one", "two"}) {
    begin_part(name);
    for (int i = 0; i < 4; ++i) FINE(launch(add, 1, 64, {&p, &n}));
    FINE(CALL(cuCtxSynchronize)());
    const recording::Recording made = read();
    ASSERT_THAT(made.launches, SizeIs(4));
    // The first three, as at the begin of a program, with the array that an earlier part allocated.
    ASSERT_NE(made.launches[0]->launch, nullptr);
    EXPECT_EQ(made.launches[3]->launch, nullptr);
    const recording::RecordedLaunch& first = *made.launches[0]->launch;
    ASSERT_THAT(first.memory, SizeIs(1));
    EXPECT_EQ(words(made, first.memory[0].before, 64)[63], name == std::string("one") ? 45u : 49u);
    EXPECT_TRUE(made.modules.contains(first.module));
    ASSERT_TRUE(made.launches[0]->begin_us.has_value());
    EXPECT_GE(*made.launches[0]->begin_us, 0);
    EXPECT_LT(*made.launches[0]->begin_us, 1000);
  }
}

TEST_F(DriverParts, AFaultIsOfItsPartAlone) {
  if (is_relayed()) GTEST_SKIP() << "NVIDIA's context stays as the fault has left it";
  begin();
  CUdeviceptr p = upload(std::vector<uint32_t>(4, 41));
  unsigned n = 4;
  const CUfunction wrong = load(kernel("wrong", "add.u64 %a, %p, %o;\nst.global.u32 [%a], %n;"), "wrong");
  const CUfunction add = load(kernel("add", add_one), "add");
  for (const char* name : {"one", "two"}) {
    begin_part(name);
    FINE(launch(wrong, 1, 32, {&p, &n}));
    EXPECT_EQ(CALL(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(launch(add, 1, 4, {&p, &n}), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(journal_of(name), HasSubstr("just past the end")) << "the same sentence in each part";
  }
  begin_part("three");
  FINE(launch(add, 1, 4, {&p, &n}));
  FINE(CALL(cuCtxSynchronize)());
  EXPECT_EQ(download<uint32_t>(p, 1)[0], 42u) << "what the kernels that failed have left is there";
  EXPECT_THAT(journal_of("three"), Not(HasSubstr("finding")));
}

TEST_F(DriverParts, AnErrorThatNobodyReadIsOfThePartThatHadIt) {
  if (is_relayed()) GTEST_SKIP() << "it does not know what the program asks for";
  begin();
  begin_part("one");
  const auto fail = reinterpret_cast<void (*)(const char*, const char*)>(symbol("warplens_failed"));
  fail("cudaMalloc", "cudaErrorMemoryAllocation");
  begin_part("two");
  EXPECT_THAT(journal_of("one"), HasSubstr("cudaMalloc returned cudaErrorMemoryAllocation"));
  fail("cudaMalloc", "cudaErrorMemoryAllocation");
  begin_part("three", true);  // the test saw it and failed
  EXPECT_THAT(journal_of("two"), Not(HasSubstr("finding")));
  EXPECT_THAT(journal_of("three"), Not(HasSubstr("finding")));
}

TEST_F(DriverParts, WithoutAFolderNothingIsNoted) {
  begin();
  note_in("");
  CUdeviceptr p = upload(std::vector<uint32_t>(4, 41));
  EXPECT_EQ(download<uint32_t>(p, 1)[0], 41u);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
