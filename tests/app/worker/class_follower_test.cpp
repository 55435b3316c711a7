// What the server of a class tells, and the script that reads it: here a script of the test's in its place.
// tests/serve/class_test.py follows a server.
#include "app/worker/class_follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/state/update.h"
#include "core/base/system/files.h"
#include "tests/environment.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* line = R"({"name": "GPU 101", "students": 12,
  "room": {"to": {"lesson": "who_am_i", "step": "tail"}, "reveal": true, "locked": false, "message": ""},
  "tallies": {"who_am_i/tail/1": [{"answer": "B", "correct": false, "count": 7},
                                  {"answer": "right", "correct": true, "count": 2},
                                  {"answer": "9", "correct": null, "count": 1}], "q": []}})";

TEST(ClassToldTest, IsRead) {
  const Result<ClassTold> told = parse_class_told(line);
  ASSERT_TRUE(told) << told.error().message;
  ASSERT_TRUE(told->news);
  const ClassNews& news = *told->news;
  EXPECT_EQ(news.name, "GPU 101");
  EXPECT_EQ(news.students, 12u);
  EXPECT_EQ(news.lesson + "/" + news.step, "who_am_i/tail");
  EXPECT_TRUE(news.reveal);
  ASSERT_EQ(news.answers.at("who_am_i/tail/1").size(), 3u);
  EXPECT_TRUE(news.answers.at("who_am_i/tail/1")[1].right);
  EXPECT_FALSE(news.answers.at("who_am_i/tail/1")[2].right);
  EXPECT_EQ(news.answers.at("who_am_i/tail/1")[0].count, 7u);
  EXPECT_EQ(parse_class_told(R"({"problem": "no"})")->problem, "no");
  const Result<ClassTold> nowhere =
      parse_class_told(R"({"name": "x", "students": 0, "room": {"to": null}, "tallies": {}})");
  EXPECT_EQ(nowhere->news->lesson, "");
}

TEST(ClassToldTest, AnythingElseIsAnError) {
  for (const char* wrong :
       {"", "{", "7", "[]", "{}", R"({"problem": 7})", R"({"name": "x"})",
        R"({"name": "x", "students": -1, "room": {}, "tallies": {}})",
        R"({"name": "x", "students": 1, "room": {}, "tallies": {"q": 7}})",
        R"({"name": "x", "students": 1, "room": {}, "tallies": {"q": [{"answer": "B"}]}})"})
    EXPECT_FALSE(parse_class_told(wrong)) << wrong;
}

struct ClassFollowerTest : testing::Test {
  std::string folder = testing::TempDir() + "class_follower_" + std::to_string(::getpid());
  std::string python = folder + "/python";
  ScopedEnvironment chosen{"WARPLENS_PYTHON", python.c_str()};

  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  void write_script(const std::string& text) const {
    ASSERT_TRUE(write_text(python, "#!/bin/sh\n" + text));
    fs::permissions(python, fs::perms::owner_all);
  }
  static ClassTold wait_for(ClassFollower& follower, const std::string& problem) {
    return wait_for(follower,
                    [&](const ClassTold& now) { return now.problem.find(problem) != std::string::npos; });
  }
  static ClassTold wait_for(ClassFollower& follower, const std::function<bool(const ClassTold&)>& is_it) {
    ClassTold last;
    for (const auto begun = std::chrono::steady_clock::now();
         std::chrono::steady_clock::now() - begun < std::chrono::seconds(20);) {
      for (const Action& action : follower.poll())
        if (action.kind() == ActionKind::ClassTold) last = *static_cast<const ClassTold*>(action.what());
      if (is_it(last)) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return last;
  }
};

TEST_F(ClassFollowerTest, TellsTheLastStateAndEndsWithTheWindow) {
  write_script("cat > " + folder + "/state <<'END'\n" + std::string(line) + "\nEND\ntr -d '\\n' < " + folder +
               "/state; echo\nexec sleep 1000\n");
  const auto begun = std::chrono::steady_clock::now();
  {
    ClassFollower follower([] {});
    follower.follow("http://127.0.0.1/teacher#secret");
    const ClassTold told = wait_for(follower, [](const ClassTold& now) { return now.news != nullptr; });
    ASSERT_TRUE(told.news);
    EXPECT_EQ(told.news->students, 12u);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
}

TEST_F(ClassFollowerTest, TheLinkIsNotAmongTheArguments) {
  write_script(
      "echo \"$*\" | grep -q secret && exit 4\necho \"{\\\"problem\\\": \\\"got $WARPLENS_CLASS\\\"}\"\nexit "
      "1\n");
  ClassFollower follower([] {});
  follower.follow("http://127.0.0.1/teacher#secret");
  EXPECT_EQ(wait_for(follower, "got").problem, "got http://127.0.0.1/teacher#secret");
}

TEST_F(ClassFollowerTest, WhatGoesWrongIsSaid) {
  write_script("echo 'not JSON'; exec sleep 1000\n");
  {
    ClassFollower follower([] {});
    follower.follow("link");
    EXPECT_THAT(wait_for(follower, "tells").problem, HasSubstr("what the class's server tells"));
  }
  write_script("echo 'SyntaxError: no' >&2; exit 1\n");
  {
    ClassFollower follower([] {});
    follower.follow("link");
    EXPECT_EQ(wait_for(follower, "Error").problem, "SyntaxError: no");
  }
  fs::remove(python);
  ClassFollower follower([] {});
  follower.follow("link");
  EXPECT_THAT(wait_for(follower, "Python").problem, HasSubstr("not on this machine"));
}

}  // namespace THIS_FILE
}  // namespace warplens
