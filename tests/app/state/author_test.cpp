// The author's view without a window: which step is shown when the file was saved, and what is recorded.
#include "app/state/parts/author.h"

#include <gtest/gtest.h>

#include "app/state/frame/commands.h"
#include "app/state/parts/lesson.h"
#include "app/state/update.h"
#include "core/lesson/read/write_show.h"
#include "tests/app/example_lesson.h"

namespace warplens {
namespace THIS_FILE {

std::shared_ptr<const LoadedLesson> of_disk(std::string text) {
  lesson::Folder folder;
  folder.name = "example";
  folder.path = "/lessons/example";
  folder.files["lesson.md"] = std::move(text);
  lesson::LoadedLesson read = lesson::load_lesson(folder);
  return std::make_shared<const LoadedLesson>(LoadedLesson{folder, read.lesson, read.diagnostics});
}

uint32_t line_of_step(const AppState& state, size_t step) {
  return state.lesson.open->lesson.steps.at(step).line;
}

AppState opened() {
  AppState state = *initial_state("vector_add", "");
  update(state, ShowAuthor{true});
  update(state, LessonLoaded{of_disk(example_lesson_text()), false});
  return state;
}

TEST(Author, TheFileIsKnownOfALessonOfOnesOwnAlone) {
  AppState state = *initial_state("vector_add", "");
  EXPECT_FALSE(state.author.has_file());
  update(state, OpenLesson{"who_am_i"});
  EXPECT_FALSE(state.author.has_file());
  update(state, LessonLoaded{of_disk(example_lesson_text()), false});
  EXPECT_EQ(state.author.folder, "/lessons/example");
  EXPECT_EQ(state.author.text, example_lesson_text());
}

TEST(Author, SavingShowsTheStepUnderTheCursor) {
  AppState state = opened();
  EXPECT_EQ(state.lesson.player.at, 0u);
  update(state, SaveLesson{example_lesson_text() + "\n", line_of_step(state, 1) + 1});
  const auto* wanted = state.effects.newest<effect::SaveLesson>();
  ASSERT_NE(wanted, nullptr);
  EXPECT_EQ(wanted->folder, "/lessons/example");
  update(state, LessonLoaded{of_disk(example_lesson_text() + "\n"), true});
  EXPECT_EQ(state.lesson.player.at, 1u);
}

TEST(Author, AnotherEditorsChangeIsFollowed) {
  AppState state = opened();
  std::string text = example_lesson_text();
  const size_t last = text.rfind("## ");
  text.insert(text.find('\n', last) + 1, "\nNew words.\n");
  update(state, LessonLoaded{of_disk(text), true});
  EXPECT_EQ(state.lesson.player.at, 2u);
  EXPECT_EQ(state.author.text, text);
  update(state, ShowAuthor{false});
  update(state, GoToStep{0});
  update(state, LessonLoaded{of_disk(text + "\n"), true});
  EXPECT_EQ(state.lesson.player.at, 0u) << "a student stays at their step";
}

TEST(Author, AFileWithMistakesIsKeptForMending) {
  AppState state = *initial_state("vector_add", "");
  update(state, ShowAuthor{true});
  update(state, LessonLoaded{of_disk("---\ntitle: x\n---\n"), false});
  EXPECT_FALSE(state.lesson.is_open());
  EXPECT_FALSE(state.lesson.mistakes.empty());
  EXPECT_TRUE(state.author.has_file());
  EXPECT_EQ(state.author.text, "---\ntitle: x\n---\n");
}

TEST(Author, WhatTheWindowShowsIsRecorded) {
  AppState state = *initial_state("vector_add", "");
  EXPECT_EQ(lesson::show_lines(show_of(state)), "kernel: vector_add\nview: image\n");
  update(state, SetValue{"n", 1000});
  update(state, SetBlock{{64, 1, 1}});
  update(state, SetGrid{{20, 1, 1}});
  update(state, SetSeed{5});
  update(state, SetOrder{7});
  update(state, ShowView{View::grid});
  update(state, ShowPart{View::grid, "warp"});
  Pick pick;
  pick.block = Dim3{2, 0, 0};
  pick.thread = Dim3{3, 0, 0};
  update(state, Pin{pick});
  EXPECT_EQ(lesson::show_lines(show_of(state)),
            "kernel: vector_add\nvalues: n = 1000\nblock: 64\ngrid: 20\nseed: 5\norder: 7\nview: grid\n"
            "part: warp\npin: thread (3, 0, 0) of block (2, 0, 0)\n");
}

TEST(Author, WhatIsRecordedOfAStepShowsTheSameAgain) {
  AppState state = opened();
  update(state, SetValue{"n", 9});
  const lesson::Show show = show_of(state);
  const auto text = lesson::with_recorded_show(example_lesson_text(), line_of_step(state, 0), show);
  ASSERT_TRUE(text);
  update(state, LessonLoaded{of_disk(*text), true});
  EXPECT_TRUE(state.lesson.mistakes.empty()) << to_text(state.lesson.mistakes);
  EXPECT_EQ(state.lesson.player.at, 0u);
  EXPECT_EQ(state.setup.launch.values.at("n"), 9);
  EXPECT_EQ(lesson::show_lines(show_of(state)), lesson::show_lines(show));
}

TEST(Author, AnAuthorMayChangeWhatTheStepFixes) {
  AppState state = opened();
  update(state, SetBlock{{8, 1, 1}});
  EXPECT_EQ(state.setup.launch.block, (Dim3{8, 1, 1}));
  update(state, ShowAuthor{false});
  update(state, SetBlock{{16, 1, 1}});
  EXPECT_EQ(state.setup.launch.block, (Dim3{8, 1, 1})) << "a student may not";
}

TEST(Author, TheCommandIsThereForALessonWithAFile) {
  AppState state = *initial_state("vector_add", "");
  const auto enabled = [&] {
    for (const Command& command : menu_commands(state))
      if (command.title == "Author's view") return command.enabled;
    return false;
  };
  EXPECT_FALSE(enabled());
  update(state, LessonLoaded{of_disk(example_lesson_text()), false});
  EXPECT_TRUE(enabled());
}

TEST(Author, AnotherLanguageIsReadAtOnceAndStaysAtItsStep) {
  AppState state = *initial_state("vector_add", "");
  update(state, SetLanguage{"en"});
  update(state, OpenLesson{"who_am_i"});
  update(state, GoToStep{1});
  const std::string english = current_step(state)->title.text;
  update(state, SetLanguage{"de"});
  EXPECT_NE(current_step(state)->title.text, english);
  EXPECT_EQ(state.lesson.player.at, 1u);
  update(state, SetLanguage{"en"});
  EXPECT_EQ(current_step(state)->title.text, english);
}

}  // namespace THIS_FILE
}  // namespace warplens
