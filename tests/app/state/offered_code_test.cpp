#include "app/state/code/offered_code.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/state/parts/course.h"
#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

// The first step of the course whose code is typed.
AppState typed_step() {
  for (const CourseLesson& lesson : course_lessons()) {
    AppState state = *initial_state("vector_add", "");
    update(state, OpenLesson{lesson.name, 0});
    for (size_t i = 0; state.lesson.is_open() && i < state.lesson.player.steps.size(); ++i) {
      update(state, GoToStep{i});
      if (!current_step(state)->solution.changes.edits.empty()) return state;
    }
  }
  return *initial_state("vector_add", "");
}

TEST(OfferedCode, APageOffersWhatSolvesAStepAndWhatDoesNot) {
  AppState state = typed_step();
  ASSERT_TRUE(state.lesson.is_open());
  ASSERT_TRUE(state.code.own);
  EXPECT_TRUE(offered_code(state).empty()) << "a desktop has a compiler";
  state.frame.in_a_page = true;
  const auto offered = offered_code(state);
  ASSERT_EQ(offered.size(), 2u);
  EXPECT_NE(offered[0].text, offered[1].text);
  EXPECT_NE(offered[0].text.find("\n  if (i"), std::string::npos)
      << "it keeps its indentation" << offered[0].text;
  for (const OfferedCode& one : offered) {
    EXPECT_FALSE(one.label.empty());
    EXPECT_FALSE(one.chosen);
    EXPECT_EQ(why_not_allowed(state, EditSource{one.text}), "");
  }
  update(state, EditSource{offered[1].text});
  EXPECT_TRUE(offered_code(state)[1].chosen);
}

TEST(OfferedCode, OfAChallengeAreAllItsFilesButTheStarter) {
  AppState state = *initial_state("vector_add", "");
  update(state, OpenChallenge{course_challenges().front().name});
  state.frame.in_a_page = true;
  ASSERT_TRUE(state.challenge.is_open());
  const auto& files = state.challenge.open->challenge.files;
  const auto answers = std::ranges::count_if(
      files, [](const lesson::ChallengeFile& file) { return file.name.ends_with(".cu") && !file.starter; });
  EXPECT_EQ(offered_code(state).size(), size_t(answers));
}

TEST(OfferedCode, CodeOfAPageIsNotTypedButPtxIs) {
  AppState state = *initial_state("vector_add", "");
  update(state, EditCopy{});
  ASSERT_TRUE(state.code.own);
  EXPECT_FALSE(is_not_typed(state)) << "a desktop has a compiler";
  state.frame.in_a_page = true;
  EXPECT_TRUE(is_not_typed(state));
  state.code.name = "vector_add.ptx";
  EXPECT_FALSE(is_not_typed(state));
}

}  // namespace THIS_FILE
}  // namespace warplens
