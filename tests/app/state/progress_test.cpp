#include "app/state/progress.h"

#include <gtest/gtest.h>

#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

TEST(Progress, GoesThroughAFileAndBack) {
  ProgressState progress;
  progress.lessons["who_am_i"] = {"point", "tail"};
  progress.challenges["bounds_check"] = {2, 5, 340.5};
  note_prediction(progress, true, 4, 4);
  note_prediction(progress, false, 3, 12);
  const auto read = parse_progress(progress_text(progress), "progress.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->lessons, progress.lessons);
  EXPECT_EQ(read->challenges.at("bounds_check").stars, 2u);
  EXPECT_EQ(read->challenges.at("bounds_check").tries, 5u);
  EXPECT_EQ(read->challenges.at("bounds_check").seconds, 340.5);
  EXPECT_EQ(read->predictions, 2u);
  EXPECT_EQ(read->right, 1u);
  EXPECT_EQ(progress_text(*read), progress_text(progress));
}

TEST(Progress, BadFilesAreErrorsAndNeverMore) {
  for (const char* text :
       {"", "[]", "{", "{}", R"({"warplens_progress": 2})", R"({"warplens_progress": 1, "lessons": []})",
        R"({"warplens_progress": 1, "lessons": {"a": 3}})",
        R"({"warplens_progress": 1, "challenges": {"a": {"stars": 9}}})",
        R"({"warplens_progress": 1, "challenges": {"a": {"seconds": -1}}})",
        R"({"warplens_progress": 1, "predictions": {"made": 1, "right": 2}})"})
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
  EXPECT_TRUE(state.wishes.forget_progress);
  EXPECT_GT(state.progress.revision, before);
}

}  // namespace THIS_FILE
}  // namespace warplens
