// What a debugger steps for an answer to a challenge: the student's file, on the challenge's data.
#include "app/cli/run/debug_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "core/base/system/files.h"
#include "core/compile/compiler.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/launch/launch_request.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct DebugTargetCompileTest : testing::Test {
  fs::path folder = testing::TempDir() + "debug_target_" + std::to_string(::getpid());
  std::ostringstream out, err;
  Cli cli{out, err, [] { return make_virtual_gpu(); }, nullptr, {}};
  dap::LaunchSettings settings;

  void SetUp() override {
    fs::create_directories(folder);
    settings.program = (folder / "answer.cu").string();
    settings.challenge = "bounds_check";
  }
  void TearDown() override { fs::remove_all(folder); }

  void answer(const std::string& challenge, const std::string& file) const {
    fs::copy_file(test_files::source_dir() / "assets/challenges" / challenge / file, settings.program,
                  fs::copy_options::overwrite_existing);
  }
};

TEST_F(DebugTargetCompileTest, AnAnswerRunsOnTheChallengesDataWithTheLinesOfItsFile) {
  answer("bounds_check", "right.cu");
  const Result<dap::DebugTarget> target = open_debug_target(settings, cli, {});
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->source_path, settings.program);
  ASSERT_EQ(target->launches.size(), 1u);
  const Result<Job> job = target->launches[0].open({});
  ASSERT_TRUE(job) << job.error().message;
  const std::string& ptx = job->request->module->ptx;
  EXPECT_THAT(ptx, HasSubstr("answer.cu"));
  // The first line with code of the answer, which has the annotation nowhere.
  const std::string text = *read_text(settings.program, 1 << 20);
  EXPECT_THAT(text, Not(HasSubstr("warplens:")));
  const size_t line =
      size_t(std::count(text.begin(), text.begin() + ptrdiff_t(text.find("blockIdx")), '\n')) + 1;
  EXPECT_THAT(ptx, HasSubstr("\t.loc\t1 " + std::to_string(line) + " "));
  EXPECT_EQ(job->request->buffers.size(), 3u);
}

TEST_F(DebugTargetCompileTest, WhatCannotBeIsSaid) {
  answer("bounds_check", "right.cu");
  settings.challenge = "no_such";
  EXPECT_THAT(open_debug_target(settings, cli, {}).error().message, HasSubstr("no_such"));
  settings.challenge = "bounds_check";
  settings.program = "vector_add";
  EXPECT_THAT(open_debug_target(settings, cli, {}).error().message, HasSubstr("FILE.cu"));
  settings.program = (folder / "not_there.cu").string();
  EXPECT_THAT(open_debug_target(settings, cli, {}).error().message, HasSubstr("not_there.cu"));
  settings.program = (folder / "answer.cu").string();
  ASSERT_TRUE(write_text(settings.program, "\n__global__ void add(float* x) { y }\n"));
  EXPECT_THAT(open_debug_target(settings, cli, {}).error().message, HasSubstr("answer.cu:2"));
}

}  // namespace THIS_FILE
}  // namespace warplens
