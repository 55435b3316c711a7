#include "core/expression/print.h"

#include <gtest/gtest.h>

#include "core/expression/parse.h"

namespace warplens::expression {
namespace THIS_FILE {

std::string printed(const char* text) {
  const Result<Tree> tree = parse(text);
  EXPECT_TRUE(tree) << tree.error().message;
  return tree ? print(*tree) : "";
}

TEST(ExpressionPrint, HasTheBracketsThatAreNeeded) {
  for (const char* text :
       {"(a + b) * 2", "a - (b - c)", "a - b - c", "a / (b * c)", "-(a + b)", "-(-a)", "!a && ~b == 1",
        "a ? b : c ? d : e", "(a ? b : c) + 1", "min(a, b + 1) - list[i + 1]", "a << 2 | b & 3 ^ c",
        "1.0 / 2", "ceil_div(n, 256)", "atan2(x, y) + double(n) / 3", "a < (b == true)", "sum(out) / out[8]",
        "1e+20 + 0.5"})
    EXPECT_EQ(printed(text), text);
  EXPECT_EQ(printed(" ((a)) +(b*c) "), "a + b * c");
  EXPECT_EQ(printed("max(a, b, c)"), "max(max(a, b), c)");
  EXPECT_EQ(printed("ceil(n / 256)"), "ceil_div(n, 256)");
  EXPECT_EQ(printed("0x10 + 2.50f + +3"), "16 + 2.5 + 3");
  EXPECT_EQ(printed("list [ 0x3 ] + p.b[1] [i]"), "list[3] + p.b[1][i]");
}

TEST(ExpressionPrint, NamesCanBecomeTheirValues) {
  const Result<Tree> tree = parse("blockIdx.x * (blockDim.x + n)");
  ASSERT_TRUE(tree);
  EXPECT_EQ(print(*tree, [](const std::string& name) { return name == "n" ? name : "4"; }), "4 * (4 + n)");
}

}  // namespace THIS_FILE
}  // namespace warplens::expression
