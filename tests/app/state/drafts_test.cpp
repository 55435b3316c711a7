#include "app/state/files/drafts.h"

#include <gtest/gtest.h>

#include "app/state/update.h"
#include "core/lesson/play/step_progress_json.h"

namespace warplens {
namespace THIS_FILE {

// What the next start of the window finds after this one ended.
std::shared_ptr<const OfferedPlace> after_the_end_of(const AppState& state, bool ended_well = true) {
  const auto read = parse_drafts(drafts_text(state, ended_well), "drafts-1.json");
  EXPECT_TRUE(read) << (read ? "" : read.error().message);
  if (!read) return nullptr;
  EXPECT_EQ(read->problems, std::vector<std::string>{});
  return std::make_shared<const OfferedPlace>(read->offer);
}

AppState next_start(const AppState& state) {
  AppState next = *initial_state("grayscale", "");
  update(next, OfferPlace{after_the_end_of(state)});
  return next;
}

TEST(Drafts, CodeOfAChallengeIsThereAgainWhenTheChallengeIsOpened) {
  AppState state = *initial_state("grayscale", "");
  update(state, OpenChallenge{"bounds_check"});
  ASSERT_TRUE(state.challenge.is_open());
  const std::string starter = state.code.text;
  EXPECT_EQ(state.code.given, starter);
  EXPECT_TRUE(after_the_end_of(state)->drafts.codes.empty()) << "nothing was typed";
  update(state, EditSource{starter + "// mine"});
  AppState next = next_start(state);
  ASSERT_NE(next.drafts.offered, nullptr);
  EXPECT_EQ(next.drafts.offered->words().substr(0, 11), "challenge 1");
  EXPECT_FALSE(next.challenge.is_open()) << "it is offered";
  update(next, OpenChallenge{"bounds_check"});
  EXPECT_EQ(next.code.text, starter + "// mine");
  // By the offer as well, with the launch that was chosen.
  AppState other = next_start(state);
  update(other, Continue{});
  EXPECT_TRUE(other.challenge.is_open());
  EXPECT_EQ(other.code.text, starter + "// mine");
  EXPECT_EQ(other.drafts.offered, nullptr);
}

TEST(Drafts, ACopyOfAKernelAndSeveralTextsAreKept) {
  AppState state = *initial_state("vector_add", "");
  update(state, EditCopy{});
  update(state, EditSource{state.code.text + "// one"});
  const std::string one = state.code.text;
  update(state, ChooseKernel{"grayscale"});
  update(state, EditCopy{});
  update(state, EditSource{state.code.text + "// two"});
  const std::string two = state.code.text;
  AppState next = next_start(state);
  EXPECT_EQ(next.drafts.offered->words(), "grayscale.cu");
  update(next, ChooseKernel{"vector_add"});
  update(next, EditCopy{});
  EXPECT_EQ(next.code.text, one);
  update(next, ChooseKernel{"grayscale"});
  update(next, EditCopy{});
  EXPECT_EQ(next.code.text, two);
  // And it survives one more end without a look at it.
  AppState third = next_start(next_start(state));
  update(third, ChooseKernel{"vector_add"});
  update(third, EditCopy{});
  EXPECT_EQ(third.code.text, one);
}

TEST(Drafts, ResetOfAChallengeIsUndoneOnceAndByTheNextStartToo) {
  AppState state = *initial_state("grayscale", "");
  update(state, OpenChallenge{"bounds_check"});
  const std::string starter = state.code.text;
  EXPECT_FALSE(can_undo_reset(state));
  update(state, EditSource{"mine"});
  update(state, ResetStep{});
  EXPECT_EQ(state.code.text, starter);
  ASSERT_TRUE(can_undo_reset(state));
  AppState next = next_start(state);
  update(next, OpenChallenge{"bounds_check"});
  EXPECT_EQ(next.code.text, starter);
  for (AppState* one : {&state, &next}) {
    ASSERT_TRUE(can_undo_reset(*one));
    update(*one, UndoReset{});
    EXPECT_EQ(one->code.text, "mine");
    update(*one, UndoReset{});
    EXPECT_EQ(one->code.text, starter) << "and the other way round";
  }
}

AppState in_lesson(const char* name = "who_am_i") {
  AppState state = *initial_state("grayscale", "");
  update(state, OpenLesson{name});
  return state;
}

TEST(Drafts, AnswersVotesAndTheOpenStepOfALessonAreThereAgain) {
  AppState state = in_lesson();
  auto& steps = state.lesson.player.steps;
  update(state, GoToStep{4});
  size_t asked = 0;
  while (asked < steps.size() && state.lesson.open->lesson.steps[asked].questions.empty()) ++asked;
  ASSERT_LT(asked, steps.size());
  update(state, GoToStep{asked});
  lesson::QuestionProgress& question = steps[asked].questions[0];
  question.mark = lesson::AnswerMark::wrong;
  question.answer = lesson::NumberAnswer{17};
  question.votes = {1, 2, 3, 4};
  steps[asked].hints = 1;
  steps[asked].tries = 2;
  AppState next = next_start(state);
  EXPECT_EQ(next.drafts.offered->words(), "lesson 1, step " + std::to_string(asked + 1));
  update(next, Continue{});
  ASSERT_TRUE(next.lesson.is_open());
  EXPECT_EQ(next.lesson.player.at, asked);
  const lesson::StepProgress& back = next.lesson.player.steps[asked];
  EXPECT_EQ(back.hints, 1u);
  EXPECT_EQ(back.tries, 2u);
  EXPECT_EQ(back.questions[0].mark, lesson::AnswerMark::wrong);
  EXPECT_EQ(std::get<lesson::NumberAnswer>(back.questions[0].answer).value, 17);
  EXPECT_EQ(back.questions[0].votes, (std::array<uint32_t, 4>{1, 2, 3, 4}));
  // Another class opens it from the list: the answers stay, the votes are not theirs.
  AppState other = next_start(state);
  update(other, OpenLesson{"who_am_i", asked});
  EXPECT_EQ(other.lesson.player.steps[asked].tries, 2u);
  EXPECT_EQ(other.lesson.player.steps[asked].questions[0].votes, (std::array<uint32_t, 4>{}));
}

TEST(Drafts, WhatStandsInTheFieldsOfAQuestionIsThereAgainUntilItIsAnswered) {
  AppState state = in_lesson();
  const auto& steps = state.lesson.open->lesson.steps;
  const auto asked = std::ranges::find_if(steps, [](const lesson::LessonStep& step) {
    return !step.questions.empty() && step.questions[0].kind == lesson::QuestionKind::number &&
           !step.questions[0].predict;
  });
  ASSERT_NE(asked, steps.end());
  const auto at = static_cast<size_t>(asked - steps.begin());
  update(state, GoToStep{at});
  update(state, TypeAnswer{0, {"12 or so"}});
  update(state, TypeAnswer{9, {"of no question"}});
  AppState next = next_start(state);
  update(next, Continue{});
  ASSERT_TRUE(next.lesson.is_open());
  EXPECT_EQ(next.lesson.player.progress().questions[0].typed, std::vector<std::string>{"12 or so"});
  update(next, GoToStep{at - 1});
  update(next, GoToStep{at});
  EXPECT_EQ(next.lesson.player.progress().questions[0].typed, std::vector<std::string>{"12 or so"})
      << "another step and back";
  update(next, RevealStep{});
  update(next, TypeAnswer{0, {"too late"}});
  EXPECT_EQ(next.lesson.player.progress().questions[0].typed, std::vector<std::string>{});
}

TEST(Drafts, AStepThatWasResetIsHadBack) {
  AppState state = in_lesson();
  state.lesson.player.progress().tries = 3;
  update(state, ResetStep{});
  EXPECT_EQ(state.lesson.player.progress().tries, 0u);
  ASSERT_TRUE(can_undo_reset(state));
  update(state, UndoReset{});
  EXPECT_EQ(state.lesson.player.progress().tries, 3u);
  EXPECT_FALSE(can_undo_reset(state));
}

// Every kind of answer.
TEST(Drafts, EveryAnswerGoesThroughTheFile) {
  lesson::StepProgress progress;
  progress.questions.resize(6);
  progress.questions[0].answer = lesson::NumberAnswer{0.1};
  progress.questions[1].answer = lesson::ChoiceAnswer{3};
  progress.questions[2].answer =
      lesson::ClickAnswer{{{lesson::Target::Kind::thread, {1, 0, 0}, {2, 3, 4}, "", 0},
                           {lesson::Target::Kind::element, {}, {}, "a", 9}}};
  progress.questions[3].answer = lesson::OrderAnswer{{2, 0, 1}};
  progress.questions[3].typed = {"", "blockIdx"};
  progress.questions[4].answer = lesson::FormulaAnswer{{"blockIdx.x", "", "\"*\""}};
  progress.questions[5].mark = lesson::AnswerMark::guessed;
  progress.questions[5].truth = std::numeric_limits<double>::infinity();
  progress.questions[5].words = "not UTF-8 \xff";
  progress.questions[2].off = lesson::Target{lesson::Target::Kind::line, {}, {}, "", 12};
  const std::string text =
      lesson::step_progress_json(progress).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const Json json = Json::parse(text);
  JsonReader reader{"one.json"};
  const lesson::StepProgress back = lesson::read_step_progress(reader, {&json, ""});
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  EXPECT_EQ(lesson::step_progress_json(back).dump(), ReportJson::parse(text).dump());
  EXPECT_EQ(std::get<lesson::NumberAnswer>(back.questions[0].answer).value, 0.1);
  EXPECT_EQ(std::get<lesson::ChoiceAnswer>(back.questions[1].answer).letter, 3u);
  EXPECT_EQ(std::get<lesson::ClickAnswer>(back.questions[2].answer).clicked,
            std::get<lesson::ClickAnswer>(progress.questions[2].answer).clicked);
  EXPECT_EQ(std::get<lesson::OrderAnswer>(back.questions[3].answer).items, (std::vector<uint32_t>{2, 0, 1}));
  EXPECT_EQ(std::get<lesson::FormulaAnswer>(back.questions[4].answer).boxes[2], "\"*\"");
  EXPECT_EQ(back.questions[3].typed, progress.questions[3].typed);
  EXPECT_EQ(back.questions[5].truth, std::numeric_limits<double>::infinity());
  EXPECT_EQ(back.questions[2].off, progress.questions[2].off);
}

TEST(Drafts, APartThatCannotBeReadTakesNothingElseWithIt) {
  AppState state = *initial_state("grayscale", "");
  update(state, OpenChallenge{"bounds_check"});
  update(state, EditSource{"mine"});
  std::string text = drafts_text(state, true);
  const size_t lessons = text.find("\"lessons\": {}");
  ASSERT_NE(lessons, std::string::npos) << text;
  text.replace(lessons, 13, R"("lessons": {"who_am_i": {"at": 7}})");
  const auto read = parse_drafts(text, "d.json");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->offer.drafts.codes.at("bounds_check.cu").text, "mine");
  ASSERT_EQ(read->problems.size(), 1u);
  EXPECT_NE(read->problems[0].find("who_am_i"), std::string::npos) << read->problems[0];
  EXPECT_FALSE(parse_drafts("{", "d.json"));
  EXPECT_FALSE(parse_drafts("[]", "d.json"));
  EXPECT_FALSE(parse_drafts("{}", "d.json"));
  EXPECT_FALSE(parse_drafts(R"({"warplens_drafts": 2})", "d.json"));
}

TEST(Drafts, OfTwoWindowsTheNewerTextCountsAndTheOtherIsHadBack) {
  AppState one = *initial_state("grayscale", ""), two = one;
  for (AppState* state : {&one, &two}) update(*state, OpenChallenge{"bounds_check"});
  update(one, EditSource{"of the first"});
  update(two, EditSource{"of the second"});
  DraftsState both;
  add_drafts(both, after_the_end_of(one)->drafts);
  add_drafts(both, after_the_end_of(two)->drafts);
  EXPECT_EQ(both.codes.at("bounds_check.cu").text, "of the second");
  EXPECT_EQ(both.earlier.at("bounds_check.cu"), "of the first");
}

TEST(Drafts, AnotherWindowIsAskedAboutFirst) {
  AppState state = *initial_state("grayscale", "");
  update(state, OpenChallenge{"bounds_check"});
  update(state, EditSource{"mine"});
  auto offer = std::make_shared<OfferedPlace>(*after_the_end_of(state));
  offer->in_other_window = true;
  for (const bool taken : {false, true}) {
    AppState next = *initial_state("grayscale", "");
    update(next, OfferPlace{offer});
    EXPECT_EQ(next.frame.dialog, Dialog::other_window);
    EXPECT_TRUE(next.drafts.codes.empty());
    update(next, Continue{taken});
    EXPECT_EQ(next.frame.dialog, Dialog::none);
    EXPECT_EQ(next.challenge.is_open(), taken);
    update(next, OpenChallenge{"bounds_check"});
    EXPECT_EQ(next.code.text == "mine", taken);
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
