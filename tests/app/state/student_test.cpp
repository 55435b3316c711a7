// A window for students: only lessons and challenges, and no answers before the teacher's number is entered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/state/frame/commands.h"
#include "app/state/parts/course.h"
#include "app/state/parts/lesson.h"
#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

AppState for_students() {
  AppState state = *initial_state("vector_add", "");
  state.frame.student = true;
  state.frame.preferences.answer_lock = 4711;
  return state;
}

bool refuses(const AppState& state, const Action& action) {
  return !why_not_for_students(state, action).empty();
}

bool offers(const AppState& state, std::string_view title) {
  return std::ranges::any_of(all_commands(state), [&](const Command& one) { return one.title == title; });
}

TEST(Student, OtherKernelsAndProgramsAreNotThere) {
  AppState state = for_students();
  for (const Action& action :
       {Action(ChooseKernel{"grayscale"}), Action(EditCopy{}), Action(OpenFile{}), Action(OpenFile{"own.cu"}),
        Action(OpenFile{"own.ptx"}), Action(OpenFile{"script.py"}), Action(OpenFile{"session.json"}),
        Action(OpenFile{"run.warplens"})})
    EXPECT_TRUE(refuses(state, action)) << static_cast<int>(action.kind());
  for (const Action& action : {Action(OpenFile{"lesson/lesson.md"}), Action(OpenFile{"photo.png"}),
                               Action(SetBlock{{8, 8, 1}}), Action(ShowDialog{Dialog::learn})})
    EXPECT_FALSE(refuses(state, action)) << static_cast<int>(action.kind());
  update(state, ChooseKernel{"grayscale"});
  EXPECT_EQ(state.setup.kernel->name, "vector_add");
  ASSERT_FALSE(state.problems.notices.empty());
  EXPECT_THAT(state.problems.notices.front().message, HasSubstr("for lessons and challenges"));
}

TEST(Student, WhatIsRefusedIsNotOffered) {
  AppState state = for_students();
  EXPECT_FALSE(offers(state, "Edit a copy of the kernel"));
  EXPECT_FALSE(offers(state, "Kernel: RGB → grayscale"));
  EXPECT_TRUE(offers(state, "Lesson: " + course_lessons().front().title));
  EXPECT_TRUE(offers(state, "Unlock the answers…"));
  state.frame.student = false;
  EXPECT_TRUE(offers(state, "Edit a copy of the kernel"));
  EXPECT_TRUE(offers(state, "Kernel: RGB → grayscale"));
}

TEST(Student, TheTeachersNumberOpensAll) {
  AppState state = for_students();
  update(state, LockAnswers{12});
  EXPECT_TRUE(state.frame.student) << "another number";
  update(state, LockAnswers{4711});
  EXPECT_FALSE(state.frame.student);
  update(state, ChooseKernel{"grayscale"});
  EXPECT_EQ(state.setup.kernel->name, "grayscale");
}

TEST(Student, TheHintThatIsTheAnswerStaysHidden) {
  AppState state = for_students();
  auto loaded = std::make_shared<LoadedChallenge>();
  for (const char* hint : {"Which threads have an element?", "Leave early.", "```diff\n+  if (i < n)\n```"})
    loaded->challenge.hints.push_back({hint, 1});
  state.challenge.open = loaded;
  for (int i = 0; i < 3; ++i) update(state, ShowHint{});
  EXPECT_EQ(state.challenge.hints, 2u);
  EXPECT_TRUE(refuses(state, ShowHint{}));
  EXPECT_FALSE(refuses(state, OpenFile{"answer.py"})) << "which is judged";
  EXPECT_TRUE(refuses(state, OpenFile{"answer.cu"}));
  update(state, LockAnswers{4711});
  update(state, ShowHint{});
  EXPECT_EQ(state.challenge.hints, 3u);
}

}  // namespace THIS_FILE
}  // namespace warplens
