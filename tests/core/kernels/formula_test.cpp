#include "core/kernels/formula.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace warplens {
namespace THIS_FILE {

using expression::Value;

TEST(Formula, Evaluates) {
  const Names names{{"n", 10000}, {"width", 512}, {"block_x", 256}, {"factor", 2.5}};
  EXPECT_EQ(evaluate("n", names).value(), Value(10000));
  EXPECT_EQ(evaluate("ceil(n / 256)", names).value(), Value(40));
  EXPECT_EQ(evaluate("ceil_div(n, block_x)", names).value(), Value(40));
  EXPECT_EQ(evaluate("n / 256 * width", names).value(), Value(39 * 512));
  EXPECT_EQ(evaluate("n / factor", names).value(), Value(4000.0));
  EXPECT_TRUE(std::isinf(evaluate("1.0 / 0", names).value().number()));
  EXPECT_EQ(evaluate("_pi + _e", {}).value(), Value(std::numbers::pi + std::numbers::e));
  EXPECT_EQ(evaluate("_pi", {{"_pi", 3}}).value(), Value(3));
}

TEST(Formula, WhatIsWrongIsAnErrorThatQuotesIt) {
  for (const char* text : {"", "n +", "m", "1, 2", "n = 5", "n(3)", "((", "\"text\"", "ceil()", "1 2", "π",
                           "n[i]", "sum(n)", "n / 0", "n ^ 1.5", "i"}) {
    const auto value = evaluate(text, {{"n", 1}});
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().kind, ErrorKind::bad_input);
    EXPECT_NE(value.error().message.find(text), std::string::npos);
  }
}

TEST(Formula, IsCheckedWithoutItsValue) {
  EXPECT_TRUE(check_formula("100 / (n - 1)", {{"n", 1}}));
  EXPECT_FALSE(check_formula("100 / (m - 1)", {{"n", 1}}));
}

TEST(Formula, NamesHaveTheTypesOfTheirArguments) {
  EXPECT_EQ(value_of_type(3, DType::i32), Value(3));
  EXPECT_EQ(value_of_type(-3, DType::i64), Value(-3));
  EXPECT_EQ(value_of_type(3, DType::f32), Value(3.0));
  EXPECT_EQ(value_of_type(0x1p63, DType::u64).bits(), uint64_t{1} << 63);
}

std::vector<Value> series(const char* formula, const Names& names, uint64_t count) {
  std::vector<Value> all;
  const Result<void> done =
      evaluate_series(formula, names, count, [&](uint64_t first, std::span<const Value> part) {
        EXPECT_EQ(first, all.size());
        all.insert(all.end(), part.begin(), part.end());
      });
  return done ? all : std::vector<Value>();
}

TEST(Formula, SeriesHaveAValueForEachIndex) {
  EXPECT_EQ(series("10 * (i + n)", {{"n", 1}}, 4), (std::vector<Value>{10, 20, 30, 40}));
  EXPECT_EQ(series("i / 2", {}, 4), (std::vector<Value>{0, 0, 1, 1}));
  EXPECT_EQ(series("i / 2.0", {}, 4), (std::vector<Value>{0.0, 0.5, 1.0, 1.5}));
  const std::vector<Value> longer = series("i * i", {}, 1000);
  ASSERT_EQ(longer.size(), 1000u);
  EXPECT_EQ(longer[999], Value(998001));
  EXPECT_TRUE(evaluate_series("7", {}, 0, {}));
  for (const char* text : {"", "j", "i, 2", "(i", "i(", "1 / (i - 70)"})
    EXPECT_TRUE(series(text, {}, 100).empty()) << text;
}

}  // namespace THIS_FILE
}  // namespace warplens
