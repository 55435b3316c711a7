// Every lesson of the course as the window plays it, with the window's workers but without a window: each
// step once wrongly and then rightly, to the end. What a step shows, allows, hides and reveals is the
// state's.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/state/learn/lesson_facts.h"
#include "core/compile/compiler.h"
#include "core/image/image.h"
#include "core/lesson/play/answers.h"
#include "tests/app/classroom.h"
#include "tests/app/lesson_moves.h"

namespace warplens {
namespace THIS_FILE {

const lesson::StepProgress& own(const Classroom& room) {
  return room.state.lesson.player.steps[room.state.lesson.player.at];
}

void give(Classroom& room, size_t question, const std::string& text) {
  const auto answer = lesson::answer_in(text, current_step(room.state)->questions.at(question));
  ASSERT_TRUE(answer) << answer.error().message;
  if (const auto* clicks = std::get_if<lesson::ClickAnswer>(&*answer)) {
    for (const lesson::Target& target : clicks->clicked) room.push(ClickAnswer{target});
    return;
  }
  room.push(SetAnswer{question, *answer});
  room.push(GiveAnswer{question});
}

void do_moves(Classroom& room, const lesson::Moves& moves) {
  const lesson::Show& changes = moves.changes;
  for (const auto& [name, value] : changes.values) room.push(SetValue{name, value});
  for (const Action& action : lesson_moves::setup_actions(room.state, changes)) room.push(action);
  ASSERT_TRUE(room.settle());
  for (const Action& action : lesson_moves::look_actions(room.state, changes)) room.push(action);
  ASSERT_TRUE(room.settle());
  if (changes.step) room.push(StepBy{lesson_moves::move_to(*changes.step)});
  ASSERT_TRUE(room.settle());
  for (size_t i = 0; i < moves.answers.size(); ++i) {
    if (i > 0 && !own(room).questions[i - 1].settled()) return;  // the next one is not shown yet
    give(room, i, moves.answers[i].text);
    ASSERT_TRUE(room.settle());
  }
}

bool all_guessed_rightly(const lesson::StepProgress& answers) {
  return std::ranges::all_of(answers.questions, [](const lesson::QuestionProgress& question) {
    return question.mark == lesson::AnswerMark::right ||
           (question.mark == lesson::AnswerMark::guessed && question.guess_right);
  });
}

std::string words_of(const lesson::StepProgress& answers) {
  std::string words;
  for (const lesson::QuestionProgress& question : answers.questions)
    words += "[" + question.words + "; " + question.truth_words + "] ";
  for (const std::string& missing : answers.missing) words += missing + " ";
  return words;
}

class CourseInTheState : public testing::TestWithParam<std::string> {};

TEST_P(CourseInTheState, IsPlayedToItsEnd) {
  if (!compiler_version()) GTEST_SKIP() << "no compiler for the lessons' own kernels";
  if (sample_photos().empty()) GTEST_SKIP() << "no photographs: tools/setup brings them";
  Classroom room;
  room.push(OpenLesson{GetParam()});
  ASSERT_TRUE(room.settle());
  ASSERT_TRUE(room.state.lesson.is_open());
  if (room.state.program.run.given) return;  // tests/ui/learn_program_test.cpp runs its programs
  const size_t count = room.state.lesson.player.steps.size();
  for (size_t at = 0; at < count; ++at) {
    const lesson::LessonStep step = *current_step(room.state);
    SCOPED_TRACE(step.id);
    EXPECT_FALSE(own(room).done) << "before anything was done";
    do_moves(room, step.wrong);
    EXPECT_FALSE(own(room).done && all_guessed_rightly(own(room))) << "answered wrongly";
    room.push(ResetStep{});
    ASSERT_TRUE(room.settle());
    EXPECT_FALSE(own(room).done) << "Reset begins again";
    do_moves(room, step.solution);
    EXPECT_TRUE(own(room).done) << words_of(own(room));
    EXPECT_TRUE(all_guessed_rightly(own(room))) << words_of(own(room));
    if (at + 1 < count) room.push(GoToStep{at + 1});
    ASSERT_TRUE(room.settle());
  }
  EXPECT_EQ(room.state.progress.lessons.at(GetParam()).size(), count);
}

INSTANTIATE_TEST_SUITE_P(Lessons, CourseInTheState, testing::ValuesIn(course_names()),
                         [](const auto& test) { return test.param; });

}  // namespace THIS_FILE
}  // namespace warplens
