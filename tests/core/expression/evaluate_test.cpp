#include "core/expression/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/expression/parse.h"

namespace warplens::expression {
namespace THIS_FILE {

Tree read(const std::string& text) {
  Result<Tree> tree = parse(text);
  EXPECT_TRUE(tree) << text << ": " << tree.error().message;
  return tree ? std::move(*tree) : *parse("0");
}
Value value_of(const std::string& text, std::vector<Value> names = {}) { return evaluate(read(text), names); }

TEST(ExpressionEvaluate, WholeNumbersStayWholeAsInC) {
  EXPECT_EQ(value_of("7 / 2"), Value(3));
  EXPECT_EQ(value_of("-7 / 2"), Value(-3));
  EXPECT_EQ(value_of("-7 % 2"), Value(-1));
  EXPECT_EQ(value_of("7.0 / 2"), Value(3.5));
  EXPECT_EQ(value_of("double(7) / 2"), Value(3.5));
  EXPECT_EQ(value_of("2 ^ 24"), Value(26));
  EXPECT_EQ(value_of("pow(2, 24)"), Value(16777216.0));
  EXPECT_EQ(value_of("1 < 2"), Value(true));
  EXPECT_EQ(value_of("(1 < 2) + 1"), Value(2));
  EXPECT_EQ(value_of("9007199254740993 - 9007199254740992"), Value(1));
  EXPECT_EQ(value_of("min(1, 2.5) / 2"), Value(0.5));
  EXPECT_EQ(value_of("(true ? 1 : 2.5) / 2"), Value(0.5));
  EXPECT_EQ(value_of("floor(7 / 2) + floor(3.5)"), Value(6.0));
  EXPECT_EQ(value_of("abs(-3)"), Value(3));
}

TEST(ExpressionEvaluate, CeilRoundsAQuotientOfWholeNumbersUp) {
  EXPECT_EQ(value_of("ceil(1000 / 256)"), Value(4));
  EXPECT_EQ(value_of("ceil(1024 / 256)"), Value(4));
  EXPECT_EQ(value_of("ceil_div(-7, 2)"), Value(-3));
  EXPECT_EQ(value_of("ceil(-7 / -2)"), Value(4));
  EXPECT_EQ(value_of("ceil(7.5 / 2)"), Value(4.0));
  EXPECT_FALSE(value_of("ceil(1 / 0)").is_known());
}

TEST(ExpressionEvaluate, WhatCDoesNotDefineHasNoValue) {
  for (const char* text :
       {"1 / 0", "1 % 0", "1 << 64", "1 << -1", "1.5 & 1", "~1.5", "0x7fffffffffffffff + 1",
        "-9223372036854775807 - 2", "(-9223372036854775807 - 1) / -1", "-(-9223372036854775807 - 1)",
        "9223372036854775807 * 2", "max(0.0 / 0, 1)"})
    EXPECT_FALSE(value_of(text).is_known()) << text;
  EXPECT_TRUE(std::isinf(value_of("1 / 0.0").number()));
}

TEST(ExpressionEvaluate, LargeNumbersAreExactAndWrap) {
  EXPECT_EQ(value_of("0xffffffffffffffff").bits(), UINT64_MAX);
  EXPECT_EQ(value_of("0xffffffffffffffff > -1"), Value(true));
  EXPECT_EQ(value_of("max(0xffffffffffffffff, -1)").bits(), UINT64_MAX);
  EXPECT_EQ(value_of("0xffffffffffffffff + 2"), Value(1));
  EXPECT_EQ(value_of("0xffffffffffffffff >> 63"), Value(1));
  EXPECT_EQ(value_of("-1 >> 63"), Value(-1));
  EXPECT_EQ(value_of("~0xffffffffffffffff"), Value(0));
  EXPECT_EQ(value_of("0xfffffffffffffffe / 2"), Value(INT64_MAX));
}

TEST(ExpressionEvaluate, OnlyWhatDecidesMustBeKnown) {
  EXPECT_EQ(value_of("false && x"), Value(false));
  EXPECT_EQ(value_of("2 || x"), Value(true));
  EXPECT_EQ(value_of("1 ? 5 : x"), Value(5));
  EXPECT_EQ(value_of("0 && 1 / 0 || 1"), Value(true));
  for (const char* text : {"x", "x && false", "true && x", "x ? 1 : 1", "x + 1", "!x", "sqrt(x)", "list[x]"})
    EXPECT_FALSE(value_of(text).is_known()) << text;
}

TEST(ExpressionEvaluate, ElementsAreAskedForByTheirIndex) {
  const Elements elements = [](uint32_t array, Value index) { return index.whole() * 10 + array; };
  EXPECT_EQ(evaluate(read("a[n + 1] + b[a[2 - 1]]"), std::vector<Value>{3}, elements), Value(40 + 101));
}

TEST(ExpressionEvaluate, LanesHaveTheirOwnNamesAndTypes) {
  const Tree tree = read("x / n + pow(x, 2)");
  const std::vector<Value> names = {7, 7.0, Value{}, 0, 2, 2, 2, 0};
  const std::vector<Value> values = evaluate_lanes(tree, names, 4);
  EXPECT_EQ(values, (std::vector<Value>{52.0, 52.5, Value{}, Value{}}));
}

TEST(ExpressionEvaluate, APartHasAValueOfItsOwn) {
  const Tree tree = read("(a + 1) * b");
  EXPECT_EQ(evaluate_part(tree, tree.operand(tree.root(), 0), std::vector<Value>{4}), Value(5));
  EXPECT_TRUE(read("a + 1 < (a + 1)").same(2, 5));
  EXPECT_FALSE(read("a + 1 < a + 1.0").same(2, 5));
}

}  // namespace THIS_FILE
}  // namespace warplens::expression
