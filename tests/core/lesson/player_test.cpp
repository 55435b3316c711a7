// The player without a window, on the documented example.
#include "core/lesson/player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/lesson/play.h"
#include "core/lesson/stage.h"
#include "tests/core/lesson/examples.h"

namespace warplens::lesson {
namespace {

using testing::HasSubstr;

class PlayerTest : public testing::Test {
 protected:
  PlayerTest() : folder(example_lesson()), stage(folder, "rtx_3060") {
    player = start_lesson(std::make_shared<const Lesson>(read_lesson(folder).lesson));
  }
  std::shared_ptr<const Staged> shown(const Show& show) {
    auto staged = stage.set(show);
    EXPECT_TRUE(staged) << (staged ? "" : staged.error().message);
    return staged ? *staged : std::make_shared<const Staged>();
  }
  Answer answer(size_t question, const std::string& text) {
    auto made = answer_in(text, player.step().questions[question]);
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return made ? *made : Answer();
  }
  void pin_and_go_on() {
    Show now = wanted_show(player);
    now.pins = {*target()};
    const auto staged = shown(now);
    ASSERT_TRUE(look_again(player, staged->facts, staged->result.get()));
    ASSERT_TRUE(go_next(player, now));
  }
  static std::optional<Target> target() {
    Target target;
    target.kind = Target::Kind::thread;
    target.block = {2, 0, 0};
    target.thread = {1, 0, 0};
    return target;
  }

  Folder folder;
  Stage stage;
  Player player;
};

TEST_F(PlayerTest, AStepIsDoneByWhatIsDoneInIt) {
  const auto at_first = shown(wanted_show(player));
  ASSERT_TRUE(look_again(player, at_first->facts, at_first->result.get()));
  EXPECT_FALSE(player.progress().done);
  EXPECT_EQ(still_missing(player, at_first->facts), "Click one of the numbered threads.");
  EXPECT_FALSE(go_next(player, wanted_show(player)));
  Show now = wanted_show(player);
  now.pins = {*target()};
  const auto pinned = shown(now);
  ASSERT_TRUE(look_again(player, pinned->facts, pinned->result.get()));
  EXPECT_TRUE(player.progress().done);
  EXPECT_EQ(filled_in(player.step().then.text, pinned->facts), "Thread 1 of block 2 writes element 9.");
  ASSERT_TRUE(look_again(player, at_first->facts, at_first->result.get()));
  EXPECT_TRUE(player.progress().done) << "it stays done when the pin is let go";
}

TEST_F(PlayerTest, BackRestoresWhatWasLeft) {
  pin_and_go_on();
  EXPECT_EQ(wanted_show(player).values.at("n"), 10);
  Show wandered = wanted_show(player);
  wandered.values["n"] = 9;
  EXPECT_TRUE(go_back(player, wandered));
  ASSERT_TRUE(wanted_show(player).pins);
  EXPECT_EQ(wanted_show(player).pins->front(), *target());
  EXPECT_TRUE(player.progress().done);
  EXPECT_TRUE(go_next(player, wanted_show(player)));
  EXPECT_EQ(wanted_show(player).values.at("n"), 9) << "as it was left, too";
  reset_step(player);
  EXPECT_EQ(wanted_show(player).values.at("n"), 10);
}

TEST_F(PlayerTest, WhoWandersOffIsTold) {
  pin_and_go_on();
  Show now = wanted_show(player);
  now.values["n"] = 12;
  EXPECT_EQ(wandered_off(player, now), "") << "n may be changed";
  now.block = Dim3{8, 1, 1};
  EXPECT_EQ(wandered_off(player, now), "block");
  now.kernel = "vector_add";
  EXPECT_EQ(wandered_off(player, now), "kernel");
  EXPECT_NE(may_change(player, "n"), nullptr);
  EXPECT_EQ(may_change(player, "n")->range, (std::pair{8.0, 12.0}));
  EXPECT_EQ(may_change(player, "block"), nullptr);
}

TEST_F(PlayerTest, ClicksAreFoundOneByOne) {
  pin_and_go_on();
  const auto staged = shown(wanted_show(player));
  const auto one = give_answer(player, 0, answer(0, "thread (2, 0, 0) of block (2, 0, 0)"), staged->facts,
                               staged->result.get());
  ASSERT_TRUE(one);
  EXPECT_FALSE(one->verdict.right);
  EXPECT_EQ(one->verdict.found, 1u);
  EXPECT_EQ(one->verdict.wanted, 2u);
  EXPECT_TRUE(one->verdict.wrong_parts.empty());
  const auto wrong = give_answer(player, 0, answer(0, "thread (1, 0, 0) of block (1, 0, 0)"), staged->facts,
                                 staged->result.get());
  EXPECT_EQ(wrong->verdict.because, "That thread writes element 5.");
  const auto both = give_answer(
      player, 0, answer(0, "thread (2, 0, 0) of block (2, 0, 0); thread (3, 0, 0) of block (2, 0, 0)"),
      staged->facts, staged->result.get());
  EXPECT_TRUE(both->verdict.right);
  EXPECT_FALSE(both->all_answered) << "the formula is still open";
  const auto twice = give_answer(
      player, 0, answer(0, "thread (2, 0, 0) of block (2, 0, 0); thread (2, 0, 0) of block (2, 0, 0)"),
      staged->facts, staged->result.get());
  EXPECT_FALSE(twice->verdict.right) << "the same thread twice is one";
}

TEST_F(PlayerTest, FactorsOfAFormulaMayChangePlaces) {
  pin_and_go_on();
  const auto staged = shown(wanted_show(player));
  const auto hear = [&](const char* boxes) {
    const auto heard = give_answer(player, 1, answer(1, boxes), staged->facts, staged->result.get());
    EXPECT_TRUE(heard) << (heard ? "" : heard.error().message);
    return heard && heard->verdict.right;
  };
  EXPECT_TRUE(hear("blockIdx.x; blockDim.x; threadIdx.x"));
  EXPECT_TRUE(hear("blockDim.x; blockIdx.x; threadIdx.x"));
  EXPECT_FALSE(hear("threadIdx.x; blockDim.x; blockIdx.x"));
  EXPECT_FALSE(hear("blockIdx.x; gridDim.x; threadIdx.x"));
}

TEST_F(PlayerTest, APredictionCountsOnceAndIsThenHeldAgainstTheTruth) {
  pin_and_go_on();
  go_to(player, 2, wanted_show(player));
  const auto staged = shown(wanted_show(player));
  EXPECT_TRUE(is_hidden(player, "launch.blocks"));
  EXPECT_FALSE(is_hidden(player, "launch.blocksy"));
  const auto hidden = hidden_now(player);
  EXPECT_EQ(filled_in("{{launch.blocks}} of {{n}}", staged->facts, hidden), "? of 1000");
  const auto guess = give_answer(player, 0, answer(0, "3"), staged->facts, staged->result.get());
  ASSERT_TRUE(guess);
  EXPECT_FALSE(guess->verdict.known) << "nothing is told before the other question is answered";
  ASSERT_TRUE(give_answer(player, 0, answer(0, "4"), staged->facts, staged->result.get()));
  const auto wrong = give_answer(player, 1, answer(1, "A"), staged->facts, staged->result.get());
  EXPECT_THAT(wrong->verdict.because, HasSubstr("without the line"));
  EXPECT_THAT(still_missing(player, staged->facts), HasSubstr("without the line"));
  ASSERT_TRUE(give_answer(player, 1, answer(1, "B"), staged->facts, staged->result.get()));
  EXPECT_TRUE(player.progress().done);
  EXPECT_TRUE(hidden_now(player).empty());
  const QuestionProgress& own = player.progress().questions[0];
  ASSERT_TRUE(own.verdict);
  EXPECT_FALSE(own.verdict->right) << "the first guess counts, not the second";
  EXPECT_EQ(own.verdict->truth_text, "4 blocks");
  const Calibration calibration = calibration_of(player);
  EXPECT_EQ(calibration.predictions, 1u);
  EXPECT_EQ(calibration.right, 0u);
  EXPECT_DOUBLE_EQ(*calibration.median_off, 0.25);
}

TEST_F(PlayerTest, AnEditedLessonKeepsItsProgress) {
  pin_and_go_on();
  Lesson edited = *player.lesson;
  edited.steps.erase(edited.steps.begin() + 2);
  std::swap(edited.steps[0], edited.steps[1]);
  const Player after = carried_over(player, std::make_shared<const Lesson>(edited));
  EXPECT_EQ(after.step().id, "tail");
  EXPECT_TRUE(after.steps[1].done);
}

TEST(PlayLesson, TheDocumentedExampleIsPlayedToItsEnd) {
  const Folder folder = example_lesson();
  EXPECT_EQ(to_text(play_lesson(folder, read_lesson(folder).lesson)), "");
}

TEST(PlayLesson, SaysWhatDoesNotHold) {
  const auto played = [](const char* from, const char* to) {
    Folder folder = example_lesson();
    folder.files["lesson.md"] = replaced(folder.files["lesson.md"], from, to);
    const ReadLesson read = read_lesson(folder);
    EXPECT_TRUE(read.ok()) << to_text(read.diagnostics);
    return to_text(play_lesson(folder, read.lesson));
  };
  EXPECT_THAT(played("answer: 4\n", "answer: 5\n"), testing::IsEmpty()) << "a guess may be off";
  EXPECT_THAT(played("answer: 3\nanswer: C", "answer: 4\nanswer: B"), HasSubstr("this wrong"));
  EXPECT_THAT(played("pin: line 5", "pin: thread (0, 0, 0) of block (0, 0, 0)"),
              HasSubstr("the step is done"));
  EXPECT_THAT(played("right: B", "right: C"), HasSubstr("the step is not done"));
  EXPECT_THAT(played("answer: thread (2, 0, 0) of block (2, 0, 0); thread (3",
                     "answer: thread (1, 0, 0) of block (2, 0, 0); thread (3"),
              HasSubstr("the step is not done"));
}

}  // namespace
}  // namespace warplens::lesson
