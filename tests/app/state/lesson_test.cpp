// A lesson as the window plays it, without a window: what a step shows, answers, reveal, back and reset.
#include "app/state/parts/lesson.h"

#include <gtest/gtest.h>

#include "app/state/files/session.h"
#include "app/state/learn/lesson_facts.h"
#include "app/state/update.h"
#include "app/worker/worker_calls.h"
#include "core/base/system/files.h"
#include "core/lesson/judge/hand_in.h"
#include "core/lesson/play/answers.h"
#include "tests/app/example_lesson.h"

namespace warplens {
namespace THIS_FILE {

std::shared_ptr<const LoadedLesson> loaded(std::string text, const std::string& name = "example") {
  lesson::Folder folder;
  folder.name = name;
  folder.files["lesson.md"] = std::move(text);
  lesson::LoadedLesson read = lesson::load_lesson(folder);
  return std::make_shared<const LoadedLesson>(LoadedLesson{folder, read.lesson, read.diagnostics});
}

// Does what the worker would do, until nothing is wanted.
void work(AppState& state) {
  static const WorkerCalls calls = make_worker_calls();
  for (int turn = 0; turn < 8; ++turn) {
    if (state.code.wanted != 0) {
      const CodeState& code = state.code;
      const auto compiled = calls.compile(
          {code.wanted, code.text, code.name, code.path, code.entry, code.copy_of, false, state.setup.device},
          {});
      update(state, SourceCompiled{code.wanted,
                                   compiled ? std::make_shared<const CompiledKernel>(*compiled) : nullptr,
                                   compiled ? "" : compiled.error().message});
    } else if (state.runs.now.wanted != 0) {
      const uint64_t serial = state.runs.now.wanted;
      const RunOrder order{
          serial,       state.setup.kernel, state.setup.launch, state.setup.device, state.setup.own_kernel,
          Looking::off, state.setup.order};
      update(state, RunStarted{serial});
      const auto result = calls.run(order, {}, nullptr);
      ASSERT_TRUE(result) << result.error().message;
      update(state, RunFinished{serial, state.setup.launch, std::make_shared<const RunResult>(*result), ""});
    } else {
      return;
    }
  }
}

AppState opened() {
  AppState state = *initial_state("vector_add", "");
  update(state, LessonLoaded{loaded(example_lesson_text())});
  work(state);
  return state;
}

Pick thread(uint32_t block, uint32_t thread) {
  Pick pick;
  pick.block = Dim3{block, 0, 0};
  pick.thread = Dim3{thread, 0, 0};
  return pick;
}

void answer(AppState& state, size_t question, const std::string& text) {
  const lesson::Question& asked = current_step(state)->questions.at(question);
  const auto given = lesson::answer_in(text, asked);
  ASSERT_TRUE(given) << given.error().message;
  if (const auto* clicks = std::get_if<lesson::ClickAnswer>(&*given)) {
    for (const lesson::Target& target : clicks->clicked) update(state, ClickAnswer{target});
    return;
  }
  update(state, SetAnswer{question, *given});
  update(state, GiveAnswer{question});
}

TEST(LessonState, AStepSetsKernelValuesBlockAndView) {
  AppState state = opened();
  ASSERT_TRUE(state.lesson.is_open());
  EXPECT_TRUE(state.lesson.mistakes.empty());
  EXPECT_EQ(state.setup.kernel->name, "index_map_1d");
  EXPECT_EQ(state.setup.launch.values.at("n"), 12);
  EXPECT_EQ(state.setup.launch.block, (Dim3{4, 1, 1}));
  EXPECT_EQ(state.frame.view, View::grid);
  EXPECT_EQ(state.setup.outlook.shape.grid, (Dim3{3, 1, 1}));
  EXPECT_TRUE(state.undo.done.empty()) << "what was there before the step is not a step back";
}

TEST(LessonState, AStepIsDoneWhenItsConditionHolds) {
  AppState state = opened();
  EXPECT_FALSE(current_answers(state)->done);
  ASSERT_EQ(current_answers(state)->missing.size(), 1u);
  EXPECT_EQ(current_answers(state)->missing.front(), "Click one of the numbered threads.");
  update(state, Pin{{std::nullopt, std::nullopt, std::nullopt, 5}});
  EXPECT_FALSE(current_answers(state)->done) << "a line is no thread";
  update(state, Pin{thread(2, 1)});
  EXPECT_TRUE(current_answers(state)->done);
  EXPECT_EQ(filled_text(state, current_step(state)->then.text), "Thread 1 of block 2 writes element 9.");
  EXPECT_TRUE(state.progress.lessons.at("example").contains("point"));
}

TEST(LessonState, OnlyWhatTheStepNamesCanBeChanged) {
  AppState state = opened();
  update(state, SetBlock{{8, 1, 1}});
  EXPECT_EQ(state.setup.launch.block, (Dim3{4, 1, 1}));
  EXPECT_EQ(state.lesson.refusal, "This step keeps the block as it is.");
  update(state, SetValue{"n", 10});
  EXPECT_EQ(state.setup.launch.values.at("n"), 12);
  update(state, GoToStep{1});
  work(state);
  update(state, SetValue{"n", 9});
  EXPECT_EQ(state.setup.launch.values.at("n"), 9);
  update(state, SetValue{"n", 13});
  EXPECT_EQ(state.setup.launch.values.at("n"), 9) << "the range ends at 12";
  EXPECT_EQ(state.lesson.refusal, "This step lets you choose n from 8 to 12.");
  for (const Action& action :
       {Action(ChooseKernel{"grayscale"}), Action(ChooseDevice{"t4"}), Action(EditCopy{}),
        Action(SetSharedBytes{64}), Action(SetFitGrid{false}), Action(OpenFile{"a.cu"})})
    update(state, action);
  EXPECT_EQ(state.setup.kernel->name, "index_map_1d");
  EXPECT_NE(state.setup.device.id, "t4");
  EXPECT_FALSE(state.code.own);
  EXPECT_TRUE(state.setup.launch.fit_grid);
}

TEST(LessonState, ClicksAreFoundOneByOneAndAWrongOneIsExplained) {
  AppState state = opened();
  update(state, GoToStep{1});
  work(state);
  update(state, Pin{thread(1, 1)});
  const lesson::QuestionProgress& first = state.lesson.player.steps[1].questions[0];
  EXPECT_EQ(first.mark, lesson::AnswerMark::wrong);
  EXPECT_EQ(first.words, "That thread writes element 5.");
  EXPECT_EQ(state.lesson.player.steps[1].tries, 1u);
  update(state, Pin{thread(2, 2)});
  EXPECT_EQ(first.mark, lesson::AnswerMark::open);
  ASSERT_EQ(std::get<lesson::ClickAnswer>(first.answer).clicked.size(), 1u);
  update(state, Pin{thread(2, 2)});
  EXPECT_EQ(std::get<lesson::ClickAnswer>(first.answer).clicked.size(), 1u) << "the same one counts once";
  update(state, Pin{thread(2, 3)});
  EXPECT_EQ(first.mark, lesson::AnswerMark::right);
  EXPECT_FALSE(state.lesson.player.steps[1].done) << "the formula is still open";
  answer(state, 1, "threadIdx.x; blockDim.x; blockIdx.x");
  EXPECT_EQ(state.lesson.player.steps[1].questions[1].mark, lesson::AnswerMark::wrong);
  answer(state, 1, "blockDim.x; blockIdx.x; threadIdx.x");
  EXPECT_EQ(state.lesson.player.steps[1].questions[1].mark, lesson::AnswerMark::right)
      << "factors may change places";
  EXPECT_TRUE(state.lesson.player.steps[1].done);
}

TEST(LessonState, WhatIsToBePredictedIsHiddenUntilItIsAnswered) {
  AppState state = opened();
  update(state, GoToStep{2});
  work(state);
  EXPECT_TRUE(is_hidden(state, "launch.blocks"));
  EXPECT_TRUE(any_hidden(state, "launch"));
  EXPECT_FALSE(is_hidden(state, "launch.threads"));
  EXPECT_EQ(filled_text(state, "{{launch.blocks}} of {{n}}"), "? of 1000");
  answer(state, 0, "3");
  const lesson::QuestionProgress& guess = state.lesson.player.steps[2].questions[0];
  EXPECT_EQ(guess.mark, lesson::AnswerMark::guessed) << "any guess counts";
  EXPECT_TRUE(guess.truth_words.empty()) << "not before all is answered";
  EXPECT_TRUE(is_hidden(state, "launch.blocks"));
  answer(state, 1, "C");
  EXPECT_EQ(state.lesson.player.steps[2].questions[1].words, "The GPU starts only whole blocks.");
  EXPECT_FALSE(state.lesson.player.steps[2].done);
  answer(state, 1, "B");
  EXPECT_FALSE(is_hidden(state, "launch.blocks"));
  EXPECT_EQ(guess.truth_words, "4 blocks");
  EXPECT_FALSE(guess.guess_right);
  EXPECT_TRUE(state.lesson.player.steps[2].done);
  EXPECT_EQ(state.progress.predictions, 1u);
  EXPECT_EQ(state.progress.right, 0u);
  update(state, ShowView{View::occupancy});
  EXPECT_EQ(state.progress.predictions, 1u) << "each prediction counts once";
}

// A teacher's summary of a class: the answers to each question, and the time.
TEST(LessonState, AnswersAndTimeAreKeptForTheHandIn) {
  AppState state = opened();
  state.frame.now_s += 30;
  update(state, GoToStep{1});
  work(state);
  EXPECT_EQ(state.progress.lesson_seconds.at("example"), 30);
  answer(state, 0, "thread (1, 0, 0) of block (2, 0, 0)");
  answer(state, 0, "thread (2, 0, 0) of block (2, 0, 0); thread (3, 0, 0) of block (2, 0, 0)");
  answer(state, 1, "threadIdx.x; blockDim.x; blockIdx.x");
  answer(state, 1, "blockIdx.x; blockDim.x; threadIdx.x");
  update(state, GiveAnswer{1});  // it is settled, and counts no second time
  update(state, GoToStep{2});
  work(state);
  answer(state, 0, "3");
  answer(state, 1, "B");
  work(state);
  const auto& answers = state.progress.answers.at("example");
  EXPECT_EQ(answers.at("tail/1"), (AnswerTally{1, 1, {{"thread (1, 0, 0) of block (2, 0, 0)", 1}}}));
  EXPECT_EQ(answers.at("tail/2"), (AnswerTally{1, 1, {{"x = threadIdx.x * blockDim.x + blockIdx.x", 1}}}));
  EXPECT_EQ(answers.at("blocks/1"), (AnswerTally{0, 1, {{"3 blocks", 1}}})) << "a prediction that was off";
  EXPECT_EQ(answers.at("blocks/2"), (AnswerTally{1, 0, {}}));
  state.frame.now_s += 12;
  update(state, HandInAs{"hand_in.json"});
  ASSERT_TRUE(state.effects.newest<effect::SaveHandIn>());
  const auto read = lesson::read_hand_in(state.effects.newest<effect::SaveHandIn>()->text, "hand_in.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->challenge, "");
  const auto progress = parse_progress(read->progress.dump(), "progress");
  ASSERT_TRUE(progress) << progress.error().message;
  EXPECT_EQ(progress->answers, state.progress.answers);
  EXPECT_EQ(progress->lesson_seconds.at("example"), 42);
  update(state, CloseLesson{});
  state.frame.now_s += 100;
  update(state, HandInAs{"hand_in.json"});
  EXPECT_EQ(state.progress.lesson_seconds.at("example"), 42) << "no lesson is open";
}

TEST(LessonState, BackRestoresAndResetBeginsAgain) {
  AppState state = opened();
  update(state, Pin{thread(0, 3)});
  update(state, GoToStep{2});
  work(state);
  update(state, GoToStep{0});
  work(state);
  EXPECT_EQ(state.setup.launch.values.at("n"), 12);
  EXPECT_TRUE(state.lesson.player.steps[0].done) << "what was done stays done";
  EXPECT_EQ(state.selection.pinned.thread, (Dim3{3, 0, 0})) << "what the student held comes back";
  update(state, GoToStep{1});
  work(state);
  EXPECT_TRUE(state.selection.pinned.empty()) << "the step begins as its file says";
  update(state, SetValue{"n", 8});
  update(state, ShowView{View::memory});
  update(state, GoToStep{0});
  work(state);
  EXPECT_EQ(state.setup.launch.values.at("n"), 12);
  EXPECT_EQ(state.frame.view, View::grid);
  update(state, GoToStep{1});
  work(state);
  EXPECT_EQ(state.setup.launch.values.at("n"), 8) << "what the student had set comes back";
  EXPECT_EQ(state.frame.view, View::memory);
  update(state, Pin{thread(1, 1)});
  update(state, ShowHint{});
  update(state, ShowView{View::memory});
  update(state, ResetStep{});
  work(state);
  EXPECT_EQ(state.setup.launch.values.at("n"), 10);
  EXPECT_EQ(state.frame.view, View::grid);
  EXPECT_EQ(state.lesson.player.steps[1].tries, 0u);
  EXPECT_EQ(state.lesson.player.steps[1].hints, 0u);
}

TEST(LessonState, TheTeacherRevealsAndNothingCountsAsDone) {
  AppState state = opened();
  update(state, GoToStep{2});
  work(state);
  update(state, RevealStep{});
  EXPECT_EQ(state.lesson.player.steps[2].questions[0].mark, lesson::AnswerMark::shown);
  EXPECT_EQ(std::get<lesson::NumberAnswer>(state.lesson.player.steps[2].questions[0].answer).value, 4);
  EXPECT_FALSE(is_hidden(state, "launch.blocks"));
  EXPECT_FALSE(state.lesson.player.steps[2].done);
  EXPECT_EQ(state.progress.predictions, 0u);
}

TEST(LessonState, HintsComeOneByOneAndEnd) {
  AppState state = opened();
  update(state, GoToStep{1});
  for (size_t shown = 1; shown <= 4; ++shown) {
    update(state, ShowHint{});
    EXPECT_EQ(state.lesson.player.steps[1].hints, std::min<size_t>(shown, 2));
  }
}

TEST(LessonState, ClosingBringsBackWhatWasThere) {
  AppState state = *initial_state("vector_add", "");
  update(state, SetValue{"n", 777});
  update(state, SetBlock{{96, 1, 1}});
  update(state, LessonLoaded{loaded(example_lesson_text())});
  work(state);
  update(state, CloseLesson{});
  EXPECT_FALSE(state.lesson.is_open());
  EXPECT_EQ(state.setup.kernel->name, "vector_add");
  EXPECT_EQ(state.setup.launch.values.at("n"), 777);
  EXPECT_EQ(state.setup.launch.block, (Dim3{96, 1, 1}));
  update(state, SetBlock{{32, 1, 1}});
  EXPECT_EQ(state.setup.launch.block, (Dim3{32, 1, 1})) << "nothing is fixed any more";
}

TEST(LessonState, ASavedLessonStaysAtItsStep) {
  AppState state = opened();
  update(state, GoToStep{1});
  std::string text = example_lesson_text();
  text.replace(text.find("Two threads have no work {#tail}"), 24, "Some threads have nothing");
  text.insert(text.find("## Point at a thread"), "");
  update(state, LessonLoaded{loaded(text), true});
  EXPECT_EQ(state.lesson.player.at, 1u);
  EXPECT_EQ(current_step(state)->id, "tail");
  update(state, LessonLoaded{loaded("## nothing"), true});
  EXPECT_TRUE(state.lesson.is_open()) << "what was read before stays";
  EXPECT_FALSE(state.lesson.mistakes.empty());
  EXPECT_EQ(current_step(state)->id, "tail");
}

TEST(LessonState, ABrokenLessonIsNotOpened) {
  AppState state = *initial_state("vector_add", "");
  update(state, LessonLoaded{loaded("---\ntitle: x\n---\n"), false});
  EXPECT_FALSE(state.lesson.is_open());
  EXPECT_FALSE(state.lesson.mistakes.empty());
  EXPECT_EQ(state.setup.kernel->name, "vector_add");
  update(state, SetBlock{{32, 1, 1}});
  EXPECT_EQ(state.setup.launch.block, (Dim3{32, 1, 1}));
}

TEST(LessonState, WarningsAboutSpeedAreQuiet) {
  AppState state = opened();
  update(state, GoToStep{2});
  work(state);
  for (const Problem& problem : state.problems.all)
    EXPECT_NE(problem.level, ProblemLevel::warning) << problem.title;
}

TEST(LessonState, TheBaselineRunsFirst) {
  std::string text = example_lesson_text();
  text.insert(text.find("hide: launch.blocks"), "baseline: block: 64; values: n = 500\n");
  AppState state = *initial_state("vector_add", "");
  update(state, LessonLoaded{loaded(text)});
  ASSERT_TRUE(state.lesson.is_open()) << to_text(state.lesson.mistakes);
  update(state, GoToStep{2});
  work(state);
  ASSERT_TRUE(state.runs.baseline);
  EXPECT_EQ(state.runs.baseline->block, (Dim3{64, 1, 1}));
  EXPECT_EQ(state.setup.launch.block, (Dim3{256, 1, 1}));
  EXPECT_EQ(state.setup.launch.values.at("n"), 1000);
  EXPECT_EQ(state.runs.result->shape.block, (Dim3{256, 1, 1}));
  update(state, GoToStep{1});
  EXPECT_FALSE(state.runs.baseline) << "a step without one has none";
}

TEST(LessonState, VotesOfAClassAreCounted) {
  AppState state = opened();
  update(state, GoToStep{2});
  update(state, Vote{1, 2});
  update(state, Vote{1, 2});
  update(state, Vote{1, 0});
  update(state, Vote{1, 2, -1});
  update(state, Vote{1, 3, -1});
  const auto& votes = state.lesson.player.steps[2].questions[1].votes;
  EXPECT_EQ(votes, (std::array<uint32_t, 4>{1, 0, 1, 0}));
}

TEST(LessonState, TheClassSeesItsVotesWhenTheyAreShown) {
  AppState state = opened();
  update(state, GoToStep{2});
  const auto sees = [&] { return sees_votes(state, state.lesson.player.steps[2].questions[1]); };
  update(state, CountVotes{true});
  update(state, Vote{1, 2});
  EXPECT_FALSE(sees());
  update(state, ShowVotes{true});
  EXPECT_TRUE(sees());
  update(state, GoToStep{1});
  update(state, GoToStep{2});
  EXPECT_FALSE(sees()) << "each step begins like that";
  update(state, ShowVotes{true});
  update(state, CountVotes{true});
  EXPECT_FALSE(sees()) << "they are counted once more";
  update(state, RevealStep{});
  EXPECT_TRUE(sees()) << "the answer is known";
}

TEST(LessonState, WhatTheWindowCannotDrawIsAWarning) {
  AppState state = *initial_state("vector_add", "");
  const auto warnings = [&] {
    std::vector<std::string> messages;
    for (const Problem& problem : problems_of(state))
      if (problem.notice != 0 && problem.level == ProblemLevel::warning) messages.push_back(problem.message);
    return messages;
  };
  update(state, LessonLoaded{loaded(example_lesson_text()), false});
  EXPECT_TRUE(warnings().empty());
  std::string text = example_lesson_text();
  text.replace(text.find("Three blocks"), 5, "สวัสดี");
  update(state, LessonLoaded{loaded(text), false});
  ASSERT_TRUE(state.lesson.is_open());
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_NE(warnings()[0].find("lesson.md:18:1: warning: ส (U+0E2A) is Thai"), std::string::npos)
      << warnings()[0];
  update(state, LessonLoaded{loaded(example_lesson_text()), true});
  EXPECT_TRUE(warnings().empty()) << "the file was mended";
}

}  // namespace THIS_FILE
}  // namespace warplens
