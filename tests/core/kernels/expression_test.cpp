#include "core/kernels/expression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warplens {
namespace THIS_FILE {

TEST(Expression, Evaluates) {
  const Names names{{"n", 10000}, {"width", 512}, {"block_x", 256}};
  EXPECT_EQ(evaluate("n", names).value(), 10000);
  EXPECT_EQ(evaluate("3", names).value(), 3);
  EXPECT_EQ(evaluate("ceil(n / 256)", names).value(), 40);
  EXPECT_EQ(evaluate("ceil_div(n, block_x)", names).value(), 40);
  EXPECT_EQ(evaluate("floor(n / 256) * width", names).value(), 39 * 512);
  EXPECT_EQ(evaluate("n > 100 ? 1 : 2", names).value(), 1);
  EXPECT_TRUE(std::isinf(evaluate("1 / 0", names).value()));
}

TEST(Expression, WhatIsWrongIsAnErrorThatQuotesIt) {
  for (const char* text : {"", "n +", "m", "1, 2", "n = 5", "n(3)", "((", "\"text\"", "ceil()", "1 2", "π"}) {
    auto value = evaluate(text, {{"n", 1}});
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().kind, ErrorKind::bad_input);
    EXPECT_NE(value.error().message.find(text), std::string::npos);
  }
  EXPECT_FALSE(evaluate("n", {{"bad name", 1}}));
  EXPECT_FALSE(evaluate(std::string(5000, '('), {}));
  EXPECT_FALSE(evaluate(std::string(999, '('), {}));
  EXPECT_FALSE(evaluate(std::string("1\0+1", 4), {}).ok() &&
               evaluate(std::string("1\0+1", 4), {}).value() != 1);
}

TEST(Expression, NothingIsLeftOfTheOneBefore) {
  EXPECT_EQ(evaluate("n + ceil(m)", {{"n", 1}, {"m", 1.5}}).value(), 3);
  EXPECT_FALSE(evaluate("n + ceil(m)", {{"n", 1}}));
  EXPECT_EQ(evaluate_series("i + n", {{"n", 1}}, 2).value(), (std::vector<double>{1, 2}));
  EXPECT_FALSE(evaluate("i", {}));
  EXPECT_FALSE(evaluate("n", {}));
  EXPECT_FALSE(evaluate("((n", {{"n", 1}}));
  EXPECT_EQ(evaluate("i", {{"i", 7}}).value(), 7);
  EXPECT_NEAR(evaluate("_pi + _e", {}).value(), 5.85987, 1e-5);
  EXPECT_EQ(evaluate("_pi", {{"_pi", 3}}).value(), 3);
  EXPECT_NEAR(evaluate("_pi", {}).value(), 3.14159, 1e-5);
}

TEST(Expression, SeriesHaveAValueForEachIndex) {
  EXPECT_EQ(evaluate_series("10 * (i + n)", {{"n", 1}}, 4).value(), (std::vector<double>{10, 20, 30, 40}));
  EXPECT_TRUE(evaluate_series("7", {}, 0).value().empty());
  for (const char* text : {"", "j", "i, 2", "(i", "i("}) EXPECT_FALSE(evaluate_series(text, {}, 2)) << text;
}

}  // namespace THIS_FILE
}  // namespace warplens
