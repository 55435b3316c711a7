// The window of a projector follows a class: it goes where the teacher sends everybody, and has the answers.
#include "app/state/parts/class_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/state/parts/lesson.h"
#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

struct FollowedClassTest : testing::Test {
  AppState state = *initial_state("vector_add", "");
  ClassNews news = {.name = "GPU 101", .students = 3};

  void tell() { update(state, ClassTold{std::make_shared<const ClassNews>(news), ""}); }
};

TEST_F(FollowedClassTest, GoesWhereEverybodyIsSentOnce) {
  tell();
  EXPECT_FALSE(state.lesson.is_open());
  ASSERT_FALSE(state.problems.notices.empty());
  EXPECT_THAT(state.problems.notices.front().message, HasSubstr("GPU 101: 3 students."));
  news.lesson = "who_am_i", news.step = "tail";
  tell();
  ASSERT_TRUE(state.lesson.is_open());
  EXPECT_EQ(current_step(state)->id, "tail");
  // The teacher goes on alone, and stays there while answers come in.
  update(state, GoToStep{0});
  news.answers["who_am_i/point/1"] = {{"right", true, 2}};
  tell();
  EXPECT_EQ(state.lesson.player.at, 0u);
  news.step = "grid";
  tell();
  EXPECT_EQ(current_step(state)->id, "grid");
  news.lesson = "no_such_lesson";
  tell();
  EXPECT_EQ(current_step(state)->id, "grid");
  news.lesson = "who_am_i", news.step = "no_such_step";
  tell();
  EXPECT_EQ(current_step(state)->id, "grid");
}

TEST_F(FollowedClassTest, RevealsWhatTheTeacherReveals) {
  news.lesson = "who_am_i", news.step = "tail";
  tell();
  EXPECT_FALSE(state.lesson.player.progress().revealed);
  news.reveal = true;
  tell();
  EXPECT_TRUE(state.lesson.player.progress().revealed);
  update(state, ResetStep{});
  tell();
  EXPECT_FALSE(state.lesson.player.progress().revealed) << "it is not revealed twice";
}

TEST_F(FollowedClassTest, HasTheAnswersOfTheStepThatIsShown) {
  EXPECT_EQ(answers_of_class(state, 0), nullptr);
  news.lesson = "who_am_i", news.step = "tail";
  news.answers["who_am_i/tail/2"] = {{"B", false, 5}, {"right", true, 2}};
  news.answers["who_am_i/formula/1"] = {};
  tell();
  EXPECT_EQ(answers_of_class(state, 0), nullptr);
  ASSERT_NE(answers_of_class(state, 1), nullptr);
  EXPECT_EQ(answers_of_class(state, 1)->front().count, 5u);
  news.step = "formula";
  tell();
  EXPECT_EQ(answers_of_class(state, 0), nullptr);
}

TEST_F(FollowedClassTest, AProblemIsSaidOnceAndTheAnswersStay) {
  news.lesson = "who_am_i", news.step = "tail";
  news.answers["who_am_i/tail/1"] = {{"B", false, 5}};
  tell();
  const auto notices = [&] { return state.problems.notices.size(); };
  const size_t before = notices();
  for (const char* why : {"It has ended.", "Connection refused.", "http://x does not answer."})
    update(state, ClassTold{nullptr, why});
  EXPECT_EQ(notices(), before + 1);
  EXPECT_TRUE(std::ranges::any_of(state.problems.all, [](const Problem& one) {
    return one.title == "The class is not followed now" && one.message.starts_with("It has ended.");
  })) << "a step that wants no warnings of speed shows it too";
  EXPECT_EQ(state.followed.problem, "http://x does not answer.");
  EXPECT_NE(answers_of_class(state, 0), nullptr);
  tell();
  EXPECT_EQ(state.followed.problem, "");
}

}  // namespace THIS_FILE
}  // namespace warplens
