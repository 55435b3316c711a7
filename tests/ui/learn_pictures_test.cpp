// Pictures of the course for inspection: every step of the first lesson and one of each other, and a
// challenge, small, large and with large text. It takes minutes, so it runs only on request:
// WARPLENS_LESSON_PICTURES=course, or the name of a lesson for all its steps, or challenge.
#include <cstdlib>
#include <tuple>

#include "app/state/parts/course.h"
#include "core/image/image.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

// The step that is shown for a lesson: one whose task is in a view of its own.
size_t shown_step(const CourseLesson& lesson) { return lesson.steps.size() / 2; }

void picture_at(Driver& d, const std::string& name, int width, int height, float text) {
  d.shell.actions().push(SetTextScale{text});
  d.resize(width, height);
  ASSERT_TRUE(d.wait_for_result());
  d.screenshot(name + "_" + std::to_string(width) + "x" + std::to_string(height) +
               (text > 1 ? "_text250" : ""));
}

void pictures(Driver& d, const std::string& name) {
  picture_at(d, name, 1280, 720, 1);
  picture_at(d, name, 1920, 1080, 1);
  picture_at(d, name, 1280, 720, 2.5f);
  d.shell.actions().push(SetTextScale{1});
  d.ui->Yield(3);
}

std::string wanted() {
  const char* chosen = std::getenv("WARPLENS_LESSON_PICTURES");
  return chosen == nullptr ? "" : chosen;
}

void draw_lesson_steps(Driver& d, const CourseLesson& lesson, bool all) {
  for (size_t at = 0; at < lesson.steps.size(); ++at) {
    if (!all && at != shown_step(lesson)) continue;
    d.shell.actions().push(GoToStep{at});
    d.ui->Yield(3);
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(d.wait_until([&] { return d.state().lesson.phase == ShowPhase::step; }));
    pictures(d, lesson.name + "_" + std::to_string(at + 1) + "_" + lesson.steps[at]);
    const lesson::LessonStep& step = *current_step(d.state());
    const lesson::Moves solution = step.solution;
    do_moves(d, solution);
    d.screenshot(lesson.name + "_" + std::to_string(at + 1) + "_" + lesson.steps[at] + "_done");
  }
}

class LearnPicture : public WindowTest {};

TEST_F(LearnPicture, OfLessons) {
  const std::string only = wanted();
  if (only.empty() || only == "challenge")
    GTEST_SKIP() << "Pictures for the eye are made with WARPLENS_LESSON_PICTURES=course.";
  size_t drawn = 0;
  for (const CourseLesson& lesson : course_lessons()) {
    if (only != "course" && only != lesson.name) continue;
    ++drawn;
    drive(
        [&](Driver& d) {
          ASSERT_TRUE(d.wait_for_result());
          d.shell.actions().push(OpenLesson{lesson.name});
          d.ui->Yield(3);
          ASSERT_TRUE(d.wait_for_result());
          draw_lesson_steps(d, lesson, only == lesson.name || drawn == 1);
        },
        small_window());
  }
  EXPECT_GT(drawn, 0u) << "there is no lesson " << only;
}

// A challenge before it is judged, while it is, its wrong answer, and its part for Python.
TEST_F(LearnPicture, OfAChallenge) {
  if (wanted() != "challenge")
    GTEST_SKIP() << "Pictures for the eye are made with WARPLENS_LESSON_PICTURES=challenge.";
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(OpenChallenge{"bounds_check"});
        ASSERT_TRUE(d.wait_until([&] { return d.state().challenge.judged != nullptr; }, 60));
        pictures(d, "challenge_begin");
        for (const auto& [width, height, text] :
             {std::tuple{1280, 720, 1.0f}, {1920, 1080, 1.0f}, {1280, 720, 2.5f}}) {
          d.shell.actions().push(SetTextScale{text});
          d.resize(width, height);
          ASSERT_TRUE(d.wait_for_result());
          const std::string size =
              std::to_string(width) + "x" + std::to_string(height) + (text > 1 ? "_text250" : "");
          d.shell.actions().push(JudgeAnswer{});
          d.ui->Yield(2);
          EXPECT_TRUE(d.state().challenge.judging);
          d.keep(d.picture(), "challenge_judging_" + size);
          ASSERT_TRUE(d.wait_until([&] { return !d.state().challenge.judging; }, 60));
          d.screenshot("challenge_wrong_" + size);
          d.ui->SetRef(d.ui->WindowInfo("//###launch/challenge").ID);
          d.ui->ItemOpen("###python");
          d.ui->Yield(3);
          d.ui->ScrollToBottom(d.ui->WindowInfo("//###launch/challenge").ID);
          d.screenshot("challenge_python_" + size);
          d.ui->ItemClose("###python");
        }
      },
      small_window());
}

}  // namespace THIS_FILE
}  // namespace warplens
