// sum(ARRAY) in expressions of lessons, and expressions in what is said to a choice.
#include <gtest/gtest.h>

#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/run_job.h"
#include "core/kernels/catalogue.h"
#include "core/lesson/goals/facts.h"
#include "core/lesson/play/answers.h"

namespace warplens::lesson {
namespace THIS_FILE {

Facts facts_with_array() {
  Facts facts;
  facts.arrays = {"out", "sum"};
  facts.set("n", 4);
  return facts;
}

std::optional<double> value(std::string_view expression, const Facts& facts) {
  const Result<std::optional<double>> value = value_of(expression, facts);
  EXPECT_TRUE(value) << (value ? "" : value.error().message);
  return value ? *value : std::nullopt;
}

TEST(LessonArraySum, AddsUpAnArray) {
  Facts facts = facts_with_array();
  facts.total = [](std::string_view array) { return expression::Value(array == "out" ? 110.0 : 7.0); };
  EXPECT_EQ(value("sum(out)", facts), 110);
  EXPECT_EQ(value("sum( out ) / n + sum(sum)", facts), 34.5);
  EXPECT_EQ(value("sum(out) == 110 ? 1 : 2", facts), 1);
}

TEST(LessonArraySum, IsUnknownWithoutARun) {
  EXPECT_EQ(value("sum(out)", facts_with_array()), std::nullopt);
  EXPECT_EQ(mistake_in("sum(out) + n", facts_with_array()), "");
}

TEST(LessonArraySum, IsOfAnArray) {
  EXPECT_FALSE(mistake_in("sum(1, n, 3)", facts_with_array()).empty());
  EXPECT_FALSE(mistake_in("out + n", facts_with_array()).empty());
  EXPECT_FALSE(mistake_in("sum(nothing)", facts_with_array()).empty());
}

TEST(LessonArraySum, OfALoopIsTheCoursesValue) {
  const KernelDescription& kernel = **find_kernel("loop_test");
  const KernelSetup setup = default_setup(kernel);
  const auto job = make_job(borrowed(kernel), setup, *find_device("RTX 3060"), {});
  ASSERT_TRUE(job) << job.error().message;
  const auto gpu = make_virtual_gpu();
  auto result = run_job(*job, *gpu, std::stop_token(), nullptr);
  ASSERT_TRUE(result) << result.error().message;
  Facts facts;
  facts.arrays = {"out"};
  add_arrays(facts, std::make_shared<const RunResult>(std::move(result).value()));
  EXPECT_EQ(value("sum(out)", facts), 249950002500000.0);
  EXPECT_EQ(filled_in("{{sum(out)}}", facts), "249950002500000");
}

TEST(LessonChoice, FillsNumbersIntoWhatItSays) {
  Question question;
  question.kind = QuestionKind::choice;
  question.right = {"A", 1};
  question.choices = {{{"yes", 2}, {}}, {{"no", 3}, {"There are {{n}}.", 4}}};
  const Result<Verdict> verdict =
      judge_answer(question, Answer(ChoiceAnswer{1}), facts_with_array(), nullptr);
  ASSERT_TRUE(verdict);
  EXPECT_FALSE(verdict->right);
  EXPECT_EQ(verdict->because, "There are 4.");
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson
