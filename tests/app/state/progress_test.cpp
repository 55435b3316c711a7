#include "app/state/parts/progress.h"

#include <gtest/gtest.h>

#include "app/state/parts/course.h"
#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

TEST(Progress, GoesThroughAFileAndBack) {
  ProgressState progress;
  progress.lessons["who_am_i"] = {"point", "tail"};
  progress.challenges["bounds_check"] = {2, 5, 340.5};
  progress.challenges["bounds_check"].rejected = {{"fault out_of_bounds", 2}};
  progress.lesson_seconds["who_am_i"] = 61.5;
  note_answer(progress, "who_am_i", "tail", 0, false, "3 blocks");
  note_answer(progress, "who_am_i", "tail", 0, true, "");
  note_prediction(progress, true, 4, 4);
  note_prediction(progress, false, 3, 12);
  const auto read = parse_progress(progress_text(progress), "progress.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->lessons, progress.lessons);
  EXPECT_EQ(read->challenges.at("bounds_check").stars, 2u);
  EXPECT_EQ(read->challenges.at("bounds_check").tries, 5u);
  EXPECT_EQ(read->challenges.at("bounds_check").seconds, 340.5);
  EXPECT_EQ(read->challenges.at("bounds_check").rejected.at("fault out_of_bounds"), 2u);
  EXPECT_EQ(read->lesson_seconds, progress.lesson_seconds);
  EXPECT_EQ(read->answers.at("who_am_i").at("tail/1"), (AnswerTally{1, 1, {{"3 blocks", 1}}}));
  EXPECT_EQ(read->predictions, 2u);
  EXPECT_EQ(read->right, 1u);
  EXPECT_EQ(progress_text(*read), progress_text(progress));
}

TEST(Progress, AnOlderFileHasNoAnswers) {
  const auto read = parse_progress(
      R"({"warplens_progress": 1, "lessons": {"a": ["b"]}, "challenges": {"c": {"stars": 1, "tries": 2, "seconds": 3}}})",
      "progress.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->answers.empty());
  EXPECT_EQ(read->challenges.at("c").seconds, 3);
}

TEST(Progress, KeepsAFewWrongAnswersAndCountsAll) {
  ProgressState progress;
  for (int i = 0; i < 20; ++i) note_answer(progress, "l", "s", 2, false, "answer " + std::to_string(i));
  note_answer(progress, "l", "s", 2, false, "answer 0");
  note_answer(progress, "l", "s", 2, false, std::string(most_wrong_bytes - 1, 'x') + "é");
  const AnswerTally& tally = progress.answers.at("l").at("s/3");
  EXPECT_EQ(tally.wrong, 22u);
  EXPECT_EQ(tally.wrongly.size(), most_wrong_answers);
  EXPECT_EQ(tally.wrongly.at("answer 0"), 2u);
  ProgressState cut;
  note_answer(cut, "l", "s", 0, false, std::string(most_wrong_bytes - 1, 'x') + "é");
  EXPECT_EQ(cut.answers.at("l").at("s/1").wrongly.begin()->first, std::string(most_wrong_bytes - 1, 'x'))
      << "never within a letter";
}

TEST(Progress, BadFilesAreErrorsAndNeverMore) {
  for (const char* text :
       {"", "[]", "{", "{}", R"({"warplens_progress": 2})", R"({"warplens_progress": 1, "lessons": []})",
        R"({"warplens_progress": 1, "lessons": {"a": 3}})",
        R"({"warplens_progress": 1, "challenges": {"a": {"stars": 9}}})",
        R"({"warplens_progress": 1, "challenges": {"a": {"seconds": -1}}})",
        R"({"warplens_progress": 1, "predictions": {"made": 1, "right": 2}})",
        R"({"warplens_progress": 1, "answers": []})", R"({"warplens_progress": 1, "answers": {"a": 3}})",
        R"({"warplens_progress": 1, "answers": {"a": {"b/1": {"wrong": -1}}}})",
        R"({"warplens_progress": 1, "answers": {"a": {"b/1": {"wrongly": [1]}}}})",
        R"({"warplens_progress": 1, "lesson_seconds": {"a": "x"}})",
        R"({"warplens_progress": 1, "lesson_seconds": {"a": -2}})",
        R"({"warplens_progress": 1, "lesson_seconds": 3})",
        R"({"warplens_progress": 1, "challenges": {"a": {"rejected": {"mismatch": 0.5}}}})"})
    EXPECT_FALSE(parse_progress(text, "progress.json")) << text;
}

TEST(Progress, CalibrationSaysHowFarGuessesAreOff) {
  ProgressState progress;
  EXPECT_EQ(calibration_text(progress), "");
  note_prediction(progress, true, 4, 4);
  EXPECT_EQ(calibration_text(progress), "1 of 1 prediction right");
  note_prediction(progress, false, 2, 8);
  EXPECT_EQ(calibration_text(progress), "1 of 2 predictions right · numbers usually off by a factor of 2");
  note_prediction(progress, false, -3, 8);
  EXPECT_EQ(progress.numbers, 2u) << "another sign has no factor";
  note_prediction(progress, false, 0, 0);
  EXPECT_EQ(progress.numbers, 2u);
}

TEST(Progress, OneActionForgetsAll) {
  AppState state = *initial_state("vector_add", "");
  state.progress.lessons["x"] = {"a"};
  const uint64_t before = state.progress.revision;
  update(state, ForgetMe{});
  EXPECT_TRUE(state.progress.empty());
  EXPECT_TRUE(state.effects.newest<effect::ForgetProgress>());
  EXPECT_GT(state.progress.revision, before);
}

TEST(CourseList, IsInTheLanguageWhereItIsThere) {
  const auto& english = course_lessons();
  const auto& german = course_lessons("de");
  ASSERT_EQ(german.size(), english.size());
  EXPECT_EQ(english[1].title, "Pictures and planes");
  EXPECT_EQ(german[1].title, "Bilder und Ebenen");
  EXPECT_NE(german[1].about, english[1].about);
  EXPECT_EQ(german[1].steps, english[1].steps);
  EXPECT_EQ(german.back().title, english.back().title) << "not translated yet";
  ASSERT_EQ(course_challenges("de").size(), course_challenges().size());
  EXPECT_EQ(course_challenges()[0].title, "Mind the end");
  EXPECT_EQ(course_challenges("de")[0].title, "Achte auf das Ende");
  EXPECT_EQ(&course_lessons(), &english) << "a list stays where it is";
  EXPECT_EQ(course_lessons("xx")[1].title, "Pictures and planes");
}

}  // namespace THIS_FILE
}  // namespace warplens
