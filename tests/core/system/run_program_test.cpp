#include "core/system/run_program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace warplens {
namespace THIS_FILE {

using std::chrono::milliseconds;

TEST(RunProgram, GivesStatusAndBothOutputs) {
  const auto end = run_program("/bin/sh", {"-c", "echo one; echo two >&2; exit 3"}, milliseconds(20000));
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->status, 3);
  EXPECT_EQ(end->output, "one\ntwo\n");
}

TEST(RunProgram, ArgumentsAreNotAShellsAndThereIsNoInput) {
  const auto echo = run_program("/bin/echo", {"a b", "$HOME;", ""}, milliseconds(20000));
  ASSERT_TRUE(echo);
  EXPECT_EQ(echo->output, "a b $HOME; \n");
  const auto cat = run_program("/bin/cat", {}, milliseconds(20000));
  ASSERT_TRUE(cat);
  EXPECT_EQ(cat->output, "");
}

TEST(RunProgram, WhatIsNotThereIsMissing) {
  const auto end = run_program("/no/such/program", {}, milliseconds(1000));
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().kind, ErrorKind::missing);
  EXPECT_NE(end.error().message.find("/no/such/program"), std::string::npos);
}

TEST(RunProgram, EndsWhatTakesTooLong) {
  const std::filesystem::path slept =
      std::filesystem::temp_directory_path() / ("warplens_slept_" + std::to_string(::getpid()));
  for (const char* script : {"sleep 60; : >\"$0\"", "exec >&- 2>&-; sleep 60; : >\"$0\""}) {
    const auto end = run_program("/bin/sh", {"-c", script, slept.string()}, milliseconds(100));
    ASSERT_FALSE(end);
    EXPECT_NE(end.error().message.find("took longer"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(slept)) << "it was waited for";
  }
  std::filesystem::remove(slept);
}

TEST(RunProgram, ASignalIsNoStatusAndMuchOutputIsCut) {
  const auto killed = run_program("/bin/sh", {"-c", "kill -9 $$"}, milliseconds(20000));
  ASSERT_TRUE(killed);
  EXPECT_EQ(killed->status, -1);
  const auto much = run_program("/bin/sh", {"-c", "head -c 3000000 /dev/zero"}, milliseconds(20000));
  ASSERT_TRUE(much);
  EXPECT_EQ(much->status, 0);
  EXPECT_EQ(much->output.size(), size_t{1} << 20);
}

}  // namespace THIS_FILE
}  // namespace warplens
