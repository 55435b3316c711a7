// The player without a window, on the documented example.
#include "core/lesson/play/player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/lesson/play/play.h"
#include "core/lesson/play/stage.h"
#include "tests/core/lesson/examples.h"

namespace warplens::lesson {
namespace THIS_FILE {

using testing::HasSubstr;

class PlayerTest : public testing::Test {
 protected:
  PlayerTest() : folder(example_lesson()), stage(folder, "rtx_3060") {
    player = start_lesson(std::make_shared<const Lesson>(load_lesson(folder).lesson));
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
    go_to(player, player.at + 1);
  }
  // As the window gives it: clicks one by one, other answers at once.
  Result<bool> give(Player& to, size_t question, const std::string& text, const Staged& staged) {
    const Answer given = answer(question, text);
    if (const auto* clicks = std::get_if<ClickAnswer>(&given)) {
      for (const Target& one : clicks->clicked)
        if (auto reveals = give_click(to, one, staged.facts, staged.result.get()); !reveals || *reveals)
          return reveals;
      return false;
    }
    set_answer(to, question, given);
    return give_answer(to, question, staged.facts, staged.result.get());
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
  EXPECT_THAT(player.progress().missing, testing::ElementsAre("Click one of the numbered threads."));
  Show now = wanted_show(player);
  now.pins = {*target()};
  const auto pinned = shown(now);
  ASSERT_TRUE(look_again(player, pinned->facts, pinned->result.get()));
  EXPECT_TRUE(player.progress().done);
  EXPECT_EQ(filled_in(player.step().then.text, pinned->facts), "Thread 1 of block 2 writes element 9.");
  ASSERT_TRUE(look_again(player, at_first->facts, at_first->result.get()));
  EXPECT_TRUE(player.progress().done) << "it stays done when the pin is let go";
}

TEST_F(PlayerTest, WhatIsDoneStaysAndResetBeginsAnew) {
  pin_and_go_on();
  const auto staged = shown(wanted_show(player));
  ASSERT_TRUE(give(player, 0, "thread (1, 0, 0) of block (1, 0, 0)", *staged));
  EXPECT_TRUE(show_hint(player));
  EXPECT_TRUE(show_hint(player));
  EXPECT_FALSE(show_hint(player)) << "there are two";
  go_to(player, 0);
  EXPECT_TRUE(player.progress().done);
  go_to(player, 1);
  EXPECT_EQ(player.progress().tries, 1u);
  EXPECT_EQ(player.progress().hints, 2u);
  reset_step(player);
  EXPECT_EQ(player.progress().tries, 0u);
  EXPECT_EQ(player.progress().hints, 0u);
  EXPECT_EQ(player.progress().questions[0].mark, AnswerMark::open);
  EXPECT_TRUE(player.steps[0].done) << "of this step only";
  go_to(player, 99);
  EXPECT_TRUE(player.last()) << "there is nothing after the last";
}

TEST_F(PlayerTest, OnlyWhatTheStepNamesMayBeChanged) {
  pin_and_go_on();
  ASSERT_NE(may_change(player, "n"), nullptr);
  EXPECT_EQ(may_change(player, "n")->range, (std::pair{8.0, 12.0}));
  EXPECT_EQ(may_change(player, "block"), nullptr);
}

TEST_F(PlayerTest, ClicksAreFoundOneByOne) {
  pin_and_go_on();
  const auto staged = shown(wanted_show(player));
  const QuestionProgress& own = player.progress().questions[0];
  const auto found = [&] { return std::get<ClickAnswer>(own.answer).clicked.size(); };
  ASSERT_TRUE(give(player, 0, "thread (2, 0, 0) of block (2, 0, 0)", *staged));
  EXPECT_EQ(own.mark, AnswerMark::open);
  EXPECT_EQ(found(), 1u);
  EXPECT_EQ(own.wanted, 2u);
  ASSERT_TRUE(give(player, 0, "thread (2, 0, 0) of block (2, 0, 0)", *staged));
  EXPECT_EQ(found(), 1u) << "the same thread twice is one";
  ASSERT_TRUE(give(player, 0, "thread (1, 0, 0) of block (1, 0, 0)", *staged));
  EXPECT_EQ(own.mark, AnswerMark::wrong);
  EXPECT_EQ(own.words, "That thread writes element 5.");
  EXPECT_EQ(own.off->block, (Dim3{1, 0, 0}));
  EXPECT_EQ(found(), 1u) << "what was found stays";
  EXPECT_EQ(player.progress().tries, 1u);
  Target block;
  block.kind = Target::Kind::block;
  ASSERT_TRUE(give_click(player, block, staged->facts, staged->result.get())) << "no thread, so no answer";
  EXPECT_EQ(player.progress().tries, 1u);
  ASSERT_TRUE(give(player, 0, "thread (3, 0, 0) of block (2, 0, 0)", *staged));
  EXPECT_EQ(own.mark, AnswerMark::right);
  EXPECT_EQ(open_question(player), 1u) << "the formula is still open";
  EXPECT_FALSE(set_answer(player, 0, ClickAnswer{})) << "what is settled stays";
}

TEST_F(PlayerTest, FactorsOfAFormulaMayChangePlaces) {
  pin_and_go_on();
  const auto staged = shown(wanted_show(player));
  const auto hear = [&](const char* boxes) {
    Player other = player;
    EXPECT_TRUE(give(other, 1, boxes, *staged));
    return other.progress().questions[1].mark == AnswerMark::right;
  };
  EXPECT_TRUE(hear("blockIdx.x; blockDim.x; threadIdx.x"));
  EXPECT_TRUE(hear("blockDim.x; blockIdx.x; threadIdx.x"));
  EXPECT_FALSE(hear("threadIdx.x; blockDim.x; blockIdx.x"));
  EXPECT_FALSE(hear("blockIdx.x; gridDim.x; threadIdx.x"));
}

TEST_F(PlayerTest, APredictionCountsOnceAndIsThenHeldAgainstTheTruth) {
  go_to(player, 2);
  const auto staged = shown(wanted_show(player));
  const auto look = [&] { return *look_again(player, staged->facts, staged->result.get()); };
  EXPECT_TRUE(is_hidden(player, "launch.blocks"));
  EXPECT_FALSE(is_hidden(player, "launch.blocksy"));
  EXPECT_TRUE(outcome_is_hidden(player));
  EXPECT_EQ(filled_in("{{launch.blocks}} of {{n}}", staged->facts, hidden_now(player)), "? of 1000");
  ASSERT_TRUE(give(player, 0, "3", *staged));
  EXPECT_TRUE(look().counted.empty()) << "nothing is told before the other question is answered";
  ASSERT_TRUE(give(player, 0, "4", *staged));
  ASSERT_TRUE(give(player, 1, "A", *staged));
  EXPECT_THAT(player.progress().questions[1].words, HasSubstr("without the line"));
  ASSERT_TRUE(give(player, 1, "B", *staged));
  EXPECT_FALSE(player.progress().done);
  const auto own = [&] { return player.progress().questions[0]; };
  Facts nothing_known = staged->facts;
  nothing_known.set("launch.blocks", {});
  nothing_known.set("launch.block.x", {});
  ASSERT_TRUE(look_again(player, nothing_known, nullptr));
  EXPECT_FALSE(player.progress().done) << "not before the truth is out";
  const Looked told = look();
  EXPECT_TRUE(told.done_now);
  EXPECT_THAT(told.counted, testing::ElementsAre(0u));
  EXPECT_TRUE(hidden_now(player).empty());
  EXPECT_FALSE(own().guess_right) << "the first guess counts, not the second";
  EXPECT_EQ(own().truth_words, "4 blocks");
  EXPECT_TRUE(look().counted.empty());
  reset_step(player);
  ASSERT_TRUE(give(player, 0, "4", *staged));
  ASSERT_TRUE(give(player, 1, "B", *staged));
  const Looked again = look();
  EXPECT_TRUE(again.done_now);
  EXPECT_TRUE(own().guess_right);
  EXPECT_TRUE(again.counted.empty()) << "who has seen the truth cannot mend the score with Reset";
}

TEST_F(PlayerTest, WhatTheTeacherRevealsIsNotDone) {
  go_to(player, 2);
  const auto staged = shown(wanted_show(player));
  reveal_step(player);
  EXPECT_EQ(player.progress().questions[0].mark, AnswerMark::shown);
  const auto looked = look_again(player, staged->facts, staged->result.get());
  ASSERT_TRUE(looked);
  EXPECT_FALSE(looked->done_now);
  EXPECT_TRUE(looked->counted.empty());
  EXPECT_EQ(player.progress().questions[0].truth_words, "4 blocks");
  EXPECT_TRUE(hidden_now(player).empty());
}

TEST_F(PlayerTest, VotesAreCountedFromZeroUp) {
  go_to(player, 2);
  vote(player, 1, 2, 1);
  vote(player, 1, 2, 1);
  vote(player, 1, 0, -1);
  vote(player, 1, 9, 1);
  vote(player, 7, 0, 1);
  EXPECT_EQ(player.progress().questions[1].votes, (std::array<uint32_t, 4>{0, 0, 2, 0}));
}

TEST_F(PlayerTest, AnEditedLessonKeepsItsProgress) {
  pin_and_go_on();
  Lesson edited = *player.lesson;
  edited.steps.erase(edited.steps.begin() + 2);
  std::swap(edited.steps[0], edited.steps[1]);
  const Player after = carried_over(player, std::make_shared<const Lesson>(edited));
  EXPECT_EQ(after.step().id, "tail");
  EXPECT_TRUE(after.steps[1].done);
  EXPECT_EQ(after.at, 0u) << "it stays at its step, wherever that stands now";
}

TEST(PlayLesson, TheDocumentedExampleIsPlayedToItsEnd) {
  const Folder folder = example_lesson();
  EXPECT_EQ(to_text(play_lesson(folder, load_lesson(folder).lesson)), "");
}

TEST(PlayLesson, SaysWhatDoesNotHold) {
  const auto played = [](const char* from, const char* to) {
    Folder folder = example_lesson();
    folder.files["lesson.md"] = replaced(folder.files["lesson.md"], from, to);
    const LoadedLesson read = load_lesson(folder);
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

}  // namespace THIS_FILE
}  // namespace warplens::lesson
