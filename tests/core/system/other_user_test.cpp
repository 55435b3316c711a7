// Programs that run as another user: what they can access, reach and leave on the machine. The user's number
// is one that no user of the machine has, since all processes of that user are ended.
#include "core/system/other_user.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/base/system/files.h"
#include "core/system/process.h"
#include "tests/environment.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::Not;

class OtherUserTest : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
    m_limits.user = OtherUser{"61234", 61234, 61234};
    m_limits.time = std::chrono::seconds(30);
  }
  ProcessEnd shell(const std::string& words) {
    const Result<ProcessEnd> end = run_limited({"/bin/sh", "-c", words}, "", m_limits);
    EXPECT_TRUE(end) << (end ? "" : end.error().message);
    return end ? *end : ProcessEnd{};
  }
  ProcessLimits m_limits;
};

TEST_F(OtherUserTest, IsThatUserInAFolderOfItsOwn) {
  const ProcessEnd end = shell("id -u; id -g; id -G; pwd; echo $HOME; touch here");
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, testing::StartsWith("61234\n61234\n61234\n/"));
  const size_t at = end.out.find('/');
  const std::string folder = end.out.substr(at, end.out.find('\n', at) - at);
  EXPECT_THAT(end.out, HasSubstr(folder + "\n" + folder + "\n"));
  EXPECT_FALSE(std::filesystem::exists(folder)) << "it goes with the program";
}

TEST_F(OtherUserTest, CanWriteNothingOfOthers) {
  const std::string own = testing::TempDir() + "other_user_secret";
  ASSERT_TRUE(write_text(own, "secret"));
  std::filesystem::permissions(own, std::filesystem::perms::owner_read);
  EXPECT_NE(shell("cat " + own).status, 0);
  EXPECT_NE(shell("echo x > /etc/warplens_was_here").status, 0);
  EXPECT_NE(shell("kill -0 " + std::to_string(::getpid())).status, 0);
  std::filesystem::remove(own);
}

TEST_F(OtherUserTest, HasNoNetworkAndNoNewRights) {
  // Other ones on PATH may be in folders that this user cannot read.
  if (!std::filesystem::exists("/usr/bin/python3")) GTEST_SKIP() << "no Python here";
  const Result<ProcessEnd> python =
      run_limited({"/usr/bin/python3", "-c",
                   "import socket\n"
                   "for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):\n"
                   "    try:\n"
                   "        socket.socket(family)\n"
                   "        print('made', family)\n"
                   "    except PermissionError:\n"
                   "        print('refused')\n"
                   "a, b = socket.socketpair()\n"
                   "print('pair')\n"},
                  "", m_limits);
  ASSERT_TRUE(python) << python.error().message;
  EXPECT_EQ(python->out, "refused\nrefused\nrefused\npair\n") << python->err;
  EXPECT_THAT(shell("grep -E 'NoNewPrivs|Seccomp:|CapEff' /proc/self/status").out,
              testing::AllOf(HasSubstr("NoNewPrivs:\t1"), HasSubstr("Seccomp:\t2"),
                             HasSubstr("CapEff:\t0000000000000000")));
}

TEST_F(OtherUserTest, KnowsLittleOfTheEnvironment) {
  const ScopedEnvironment secret("WARPLENS_TEST_SECRET", "token");
  EXPECT_THAT(shell("env").out, testing::AllOf(Not(HasSubstr("token")), HasSubstr("PATH=")));
}

TEST_F(OtherUserTest, LeavesNoProcessBehind) {
  const ProcessEnd end = shell(
      "setsid sh -c 'echo $$ > left; exec sleep 300' >/dev/null 2>&1 & while ! [ -s left ]; do sleep 0.05; "
      "done; cat "
      "left");
  const std::string pid = end.out.substr(0, end.out.find('\n'));
  ASSERT_FALSE(pid.empty()) << end.err;
  // What has ended and was not waited for yet has no command line. A signal takes a moment.
  std::string running = "sleep";
  for (int i = 0; i < 100 && running.find("sleep") != running.npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::ifstream line("/proc/" + pid + "/cmdline");
    running.assign(std::istreambuf_iterator<char>(line), std::istreambuf_iterator<char>());
  }
  EXPECT_THAT(running, Not(HasSubstr("sleep")));
}

// The end of the first would be that of the second, in this process or in another.
TEST_F(OtherUserTest, TwoProgramsWaitForEachOther) {
  ProcessEnd brief, longer;
  {
    const std::jthread first([&] { brief = shell("sleep 0.2; echo whole"); });
    longer = shell("sleep 0.6; echo whole");
  }
  EXPECT_EQ(brief.out + longer.out, "whole\nwhole\n") << brief.err << longer.err;
}

TEST_F(OtherUserTest, IsNeverRootNorUnknown) {
  EXPECT_EQ(find_other_user("root").error().kind, ErrorKind::missing);
  EXPECT_EQ(find_other_user("0").error().kind, ErrorKind::missing);
  EXPECT_THAT(find_other_user("no_such_user").error().message, HasSubstr("useradd"));
  EXPECT_EQ(find_other_user("61234")->uid, 61234u);
}

}  // namespace THIS_FILE
}  // namespace warplens
