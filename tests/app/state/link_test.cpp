#include "app/state/files/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/state/frame/commands.h"
#include "app/state/parts/course.h"
#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

AppState changed_state() {
  AppState state = *initial_state("matmul_tiled", "");
  update(state, SetBlock{{8, 8, 1}});
  update(state, ShowView{View::memory});
  return state;
}

TEST(Links, BringBackWhatWasShown) {
  const AppState from = changed_state();
  const auto text = link_text(link_of(from));
  ASSERT_TRUE(text) << text.error().message;
  AppState to = *initial_state("vector_add", "");
  update(to, OpenLink{"https://school.example/" + *text});
  EXPECT_EQ(to.setup.kernel->name, "matmul_tiled");
  EXPECT_EQ(to.setup.launch.block, (Dim3{8, 8, 1}));
  EXPECT_EQ(to.frame.view, View::memory);
  EXPECT_NE(to.runs.now.wanted, 0u);
  EXPECT_TRUE(to.problems.all.empty());
}

TEST(Links, OfALessonOpenItsStep) {
  const CourseLesson& lesson = course_lessons().front();
  AppState from = *initial_state("vector_add", "");
  update(from, OpenLesson{lesson.name, 1});
  const Link link = link_of(from);
  EXPECT_EQ(link.lesson, lesson.name);
  EXPECT_EQ(link.step, current_step(from)->id);
  AppState to = *initial_state("vector_add", "");
  update(to, OpenLink{*link_text(link)});
  ASSERT_TRUE(to.lesson.is_open());
  EXPECT_EQ(to.lesson.open->folder.name, lesson.name);
  EXPECT_EQ(to.lesson.player.at, 1u);
}

// The server of a class asks for it, also where the step is open already.
TEST(Links, RevealTheAnswersOfAStep) {
  const CourseLesson& lesson = course_lessons().front();
  AppState from = *initial_state("vector_add", "");
  update(from, OpenLesson{lesson.name, 1});
  Link link = link_of(from);
  link.reveal = true;
  for (const size_t before : {size_t{1}, size_t{0}}) {
    AppState to = *initial_state("vector_add", "");
    update(to, OpenLesson{lesson.name, before});
    EXPECT_FALSE(to.lesson.player.progress().revealed);
    update(to, OpenLink{*link_text(link)});
    EXPECT_EQ(to.lesson.player.at, 1u);
    EXPECT_TRUE(to.lesson.player.progress().revealed);
  }
  AppState to = *initial_state("vector_add", "");
  link.lesson = "no_such_lesson";
  update(to, OpenLink{*link_text(link)});
  EXPECT_FALSE(to.lesson.is_open());
}

// Content of a link never runs by itself.
TEST(Links, WithAKernelOfTheirOwnWaitForAClick) {
  AppState from = *initial_state("vector_add", "");
  update(from, EditCopy{});
  update(from, EditSource{"extern \"C\" __global__ void mine() {}"});
  from.code.path = "/home/me/mine.cu";
  const Link link = link_of(from);
  EXPECT_EQ(link.session.code_path, "");
  AppState to = *initial_state("vector_add", "");
  const uint64_t wanted = to.runs.now.wanted;
  update(to, OpenLink{*link_text(link)});
  EXPECT_EQ(to.frame.dialog, Dialog::offered_link);
  EXPECT_EQ(to.runs.now.wanted, wanted);
  EXPECT_EQ(to.code.wanted, 0u);
  EXPECT_FALSE(to.code.own);
  update(to, TakeLink{});
  EXPECT_EQ(to.frame.dialog, Dialog::none);
  EXPECT_TRUE(to.code.own);
  EXPECT_NE(to.code.wanted, 0u);
  EXPECT_THAT(to.code.text, HasSubstr("mine()"));
}

TEST(Links, SayNothingOfThisMachine) {
  AppState state = changed_state();
  state.setup.device.id = "cuda:0";
  state.setup.launch.image_path = "/home/me/secret.png";
  state.frame.preferences.text_scale = 2;
  const Link link = link_of(state);
  EXPECT_EQ(link.session.device, "");
  EXPECT_EQ(link.session.setup.image_path, "");
  EXPECT_EQ(link.session.text_percent, 0u);
}

TEST(Links, ThatAreBrokenOrNewerAreSaidToBeSo) {
  AppState state = *initial_state("vector_add", "");
  update(state, OpenLink{"#w7-abc"});
  ASSERT_FALSE(state.problems.all.empty());
  EXPECT_THAT(state.problems.all.front().message, HasSubstr("newer WarpLens"));
}

TEST(Links, AreFilesForTheCommandLineAndCopiedByACommand) {
  AppState state = *initial_state("vector_add", "");
  update(state, OpenFile{*link_text(link_of(changed_state()))});
  EXPECT_EQ(state.setup.kernel->name, "matmul_tiled");
  update(state, CopyLink{});
  const auto* copied = state.effects.newest<effect::CopyLink>();
  ASSERT_NE(copied, nullptr);
  EXPECT_TRUE(copied->text.starts_with("#w1-"));
}

TEST(Commands, APageCannotQuitAndCanForget) {
  AppState state = *initial_state("vector_add", "");
  const auto has = [&](const char* title) {
    const auto all = menu_commands(state);
    return std::ranges::find(all, title, &Command::title) != all.end();
  };
  EXPECT_TRUE(has("Quit"));
  EXPECT_FALSE(has("Forget me"));
  state.frame.in_a_page = true;
  EXPECT_FALSE(has("Quit"));
  EXPECT_TRUE(has("Forget me"));
  update(state, ForgetAll{});
  EXPECT_NE(state.effects.newest<effect::ForgetAll>(), nullptr);
}

}  // namespace THIS_FILE
}  // namespace warplens
