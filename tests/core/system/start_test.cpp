// Programs that are started with this process's own streams, or joined to it by a channel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <filesystem>

#include "core/base/system/files.h"
#include "core/system/attached.h"
#include "core/system/capabilities.h"
#include "core/system/channel.h"
#include "core/system/paths.h"
#include "core/system/process.h"

namespace warplens {
namespace THIS_FILE {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(Attached, SaysHowAProgramEnded) {
  EXPECT_EQ(*run_attached({"sh", "-c", "exit 3"}, {}), 3);
  EXPECT_EQ(*run_attached({"sh", "-c", "kill -TERM $$"}, {}), 128 + 15);
  const Result<int> ended = run_attached({"no_such_program"}, {});
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().kind, ErrorKind::missing);
  EXPECT_THAT(ended.error().message, HasSubstr("no_such_program cannot be started: No such file"));
}

// As after "trap '' CHLD" in a shell: the system would drop the status of every child.
TEST(Attached, IsHeardOfWhereEndsOfChildrenAreIgnored) {
  for (int round = 0; round < 2; ++round) {
    std::signal(SIGCHLD, SIG_IGN);
    if (round == 0) {
      EXPECT_EQ(*run_attached({"sh", "-c", "exit 3"}, {}), 3);
    } else {
      const Result<ProcessEnd> end = run_limited({"sh", "-c", "exit 4"}, "", {});
      ASSERT_TRUE(end) << end.error().message;
      EXPECT_EQ(end->status, 4);
    }
  }
  std::signal(SIGCHLD, SIG_DFL);
}

// The launcher adds a folder at the start of PATH: programs in this folder are the ones that run.
TEST(Attached, IsFoundInThePathThatItGets) {
  const Result<std::string> folder = make_folder_in(testing::TempDir(), "warplens-start-");
  ASSERT_TRUE(folder) << folder.error().message;
  const std::string program = *folder + "/only_here";
  ASSERT_TRUE(write_text(program, "#!/bin/sh\n[ \"$TWICE\" = last ] && exit 5\n"));
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  EXPECT_EQ(*run_attached({"only_here"}, {{"PATH", *folder}, {"TWICE", "first"}, {"TWICE", "last"}}), 5);
  std::filesystem::remove_all(*folder);
}

TEST(Heard, RunsInItsFolderWithItsVariables) {
  HeardProgram program;
  program.words = {"sh", "-c", "pwd; echo $ONE; echo words >&2; exit 6"};
  program.folder = "/";
  program.variables = {{"ONE", "1"}};
  std::string out, err;
  const Result<ProcessEnd> end = run_heard(program, [&](ProgramStream stream, std::string_view piece) {
    (stream == ProgramStream::out ? out : err) += piece;
  });
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->status, 6);
  EXPECT_EQ(out, "/\n1\n");
  EXPECT_EQ(err, "words\n");
  program.folder = "/no/such/folder";
  const Result<ProcessEnd> none = run_heard(program, [](ProgramStream, std::string_view) {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::missing);
}

TEST(Limited, GetsItsInputAndIsKilledWhenItsTimeIsUp) {
  ProcessLimits limits;
  const std::string input(size_t{1} << 20, 'a');
  const Result<ProcessEnd> copied = run_limited({"cat"}, input, limits);
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_EQ(copied->out, input);
  limits.time = 100ms;
  const Result<ProcessEnd> slow = run_limited({"sh", "-c", "sleep 100 & sleep 100"}, "", limits);
  ASSERT_TRUE(slow) << slow.error().message;
  EXPECT_TRUE(slow->timed_out);
  EXPECT_EQ(slow->status, 128 + 9);
  EXPECT_LT(slow->milliseconds, 20'000);
  limits.file_bytes = 1000;
  limits.time = 60s;
  const Result<ProcessEnd> large =
      run_limited({"sh", "-c", "f=$(mktemp); head -c 2000 /dev/zero >$f; wc -c <$f; rm $f"}, "", limits);
  ASSERT_TRUE(large) << large.error().message;
  EXPECT_EQ(large->out, "1000\n");
}

TEST(Channel, CarriesBytesUntilTheOtherEndIsGone) {
  auto ends = Channel::make();
  ASSERT_TRUE(ends) << ends.error().message;
  std::array<char, 8> room{};
  {
    Channel other = std::move(ends->second);
    EXPECT_FALSE(ends->first.has_come(0ms));
    EXPECT_EQ(ends->first.receive(room), 0u);
    ASSERT_TRUE(other.can_send(1s));
    EXPECT_EQ(other.send("abc"), 3u);
    EXPECT_TRUE(ends->first.has_come(1s));
    EXPECT_EQ(ends->first.receive(room), 3u);
    EXPECT_EQ(std::string_view(room.data(), 3), "abc");
  }
  EXPECT_TRUE(ends->first.has_come(1s));
  EXPECT_EQ(ends->first.receive(room), std::nullopt);
  EXPECT_EQ(ends->first.send("no signal ends this process"), std::nullopt);
}

TEST(Channel, IsTheInputOfAJoinedProgram) {
  auto ends = Channel::make();
  ASSERT_TRUE(ends) << ends.error().message;
  // A channel works in both directions: the answer is written to its input.
  Result<JoinedProcess> process =
      JoinedProcess::start("/bin/sh", {"-c", "read word; echo $word back >&0; exit 7"}, ends->second);
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(ends->first.send("there\n"), 6u);
  std::array<char, 32> room{};
  ASSERT_TRUE(ends->first.has_come(20s));
  const auto got = ends->first.receive(room);
  ASSERT_TRUE(got);
  EXPECT_EQ(std::string_view(room.data(), *got), "there back\n");
  EXPECT_EQ(process->end(true), "with status 7");
  EXPECT_EQ(process->end(true), "with status 7") << "it is said again";
  auto others = Channel::make();
  Result<JoinedProcess> endless = JoinedProcess::start("/bin/sleep", {"1000"}, others->second);
  ASSERT_TRUE(endless) << endless.error().message;
  EXPECT_EQ(endless->end(false), "by signal 9");
  EXPECT_FALSE(JoinedProcess::start("/no/such/program", {}, others->second));
}

TEST(Capabilities, NameTheSystem) {
  EXPECT_TRUE(has_programs());
  EXPECT_THAT(system_name(), testing::MatchesRegex("[A-Za-z]+ [^ ]+, [^ ]+"));
}

}  // namespace THIS_FILE
}  // namespace warplens
