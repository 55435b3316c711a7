// How numbers, units and the right answers read.
#include <gtest/gtest.h>

#include <cmath>

#include "core/lesson/format/lesson.h"
#include "core/lesson/goals/facts.h"
#include "core/lesson/load/notes.h"
#include "core/lesson/play/answers.h"
#include "tests/core/lesson/examples.h"

namespace warplens::lesson {
namespace THIS_FILE {

TEST(NumberText, IsForPeople) {
  EXPECT_EQ(number_text(157), "157");
  EXPECT_EQ(number_text(1000000), "1000000") << "whole numbers can be typed as they stand";
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(0.25), "0.25");
  EXPECT_EQ(number_text(9999.4), "9999");
  EXPECT_EQ(number_text(9999.6), "10,000");
  EXPECT_EQ(number_text(2701577.3), "2,702,000");
  EXPECT_EQ(number_text(-2701577.3), "-2,702,000");
  EXPECT_EQ(number_text(0.00000446), "4.46 × 10⁻⁶");
  EXPECT_EQ(number_text(NAN), "nan");
  EXPECT_EQ(digits_text(2701577.3, 8), "2701577.3");
}

TEST(Units, HaveAWordForOne) {
  EXPECT_EQ(with_unit(1, "block | blocks"), "1 block");
  EXPECT_EQ(with_unit(-1, "block | blocks"), "-1 block");
  EXPECT_EQ(with_unit(0, "block | blocks"), "0 blocks");
  EXPECT_EQ(with_unit(1.5, "block | blocks"), "1.5 blocks");
  EXPECT_EQ(with_unit(1, "%"), "1 %");
  EXPECT_EQ(with_unit(1, ""), "1");
}

TEST(Units, OfALessonAreOneOrTwoWords) {
  const auto mistakes = [](const std::string& unit) {
    const std::string text = replaced(example_lesson().files.at("lesson.md"), "unit: block | blocks", unit);
    return to_text(parse_lesson(text, "lesson.md").diagnostics);
  };
  EXPECT_EQ(mistakes("unit: blocks"), "");
  EXPECT_EQ(mistakes("unit: block | blocks"), "");
  for (const char* unit : {"unit: block | blocks | all", "unit: | blocks", "unit: block |"})
    EXPECT_NE(mistakes(unit).find("as in block | blocks"), std::string::npos) << unit << "\n"
                                                                              << mistakes(unit);
}

// No lesson says "1 turns": where the unit is a word in the plural, it has one for 1 too.
TEST(Units, OfTheCourseHaveBothWords) {
  for (const Folder& folder : embedded_folders("lessons"))
    for (const LessonStep& step : load_lesson(folder).lesson.steps)
      for (const Question& question : step.questions) {
        const std::string& unit = question.unit.text;
        const bool plural = unit.size() > 3 && unit.ends_with('s');
        EXPECT_TRUE(!plural || unit.find('|') != unit.npos) << folder.name << " " << step.id << ": " << unit;
      }
}

TEST(RightAnswers, HaveTheNumbersOfTheRun) {
  LessonStep step;
  Question choice;
  choice.kind = QuestionKind::choice;
  choice.right.text = "B";
  choice.choices = {{{"None", 0}, {}}, {{"All `{{n * 2}}` of them", 0}, {}}};
  Question order;
  order.kind = QuestionKind::order;
  order.items = {{{"First {{n}}", 0}, {}}, {{"Then {{n + 1}}", 0}, {}}};
  step.questions = {choice, order};
  step.solution.answers = {{"B", 0}, {"1, 2", 0}};
  Facts facts;
  facts.set("n", 4);
  const std::vector<std::string> answers = right_answers(step, facts);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0], "B: All 8 of them");
  EXPECT_EQ(answers[1], "First 4 · Then 5");
  const auto said = judge_answer(choice, ChoiceAnswer{0}, facts, nullptr);
  ASSERT_TRUE(said);
  EXPECT_EQ(said->truth_text, "B: All `8` of them");
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson
