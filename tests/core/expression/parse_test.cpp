#include "core/expression/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::expression {
namespace THIS_FILE {

std::string mistake_in(const std::string& text) {
  const Result<Tree> tree = parse(text);
  return tree ? "" : tree.error().message;
}

TEST(ExpressionParse, NamesHavePartsAndColumns) {
  const Result<Tree> tree = parse("a%b + %tid.x - p->q[3].r * list[i + 1] + answer.2 + sum( out ) + a");
  ASSERT_TRUE(tree) << tree.error().message;
  std::vector<std::string> names;
  std::vector<size_t> columns;
  for (const Tree::Name& name : tree->names()) {
    names.push_back(name.text);
    columns.push_back(name.column);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "%tid.x", "p->q[3].r", "i", "answer.2", "sum(out)"}));
  EXPECT_EQ(columns, (std::vector<size_t>{1, 3, 7, 16, 33, 42, 53}));
  ASSERT_EQ(tree->arrays().size(), 1u);
  EXPECT_EQ(tree->arrays()[0].text, "list");
}

TEST(ExpressionParse, SaysWhereTheMistakeIs) {
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "column 1: it is empty"},
           {"n +", "column 4: it ends where a value should stand"},
           {"1, 2", "column 2: it has several values"},
           {"n = 5", "column 3: one = would assign"},
           {"n(3)", "column 1: there is no function n"},
           {"(n", "column 3: a ) is missing"},
           {"(n]", "column 3: \"]\" means nothing here"},
           {"list[i", "column 7: a ] is missing"},
           {"ceil()", "column 6: \")\" means nothing here"},
           {"ceil(1, 2)", "column 7: ceil takes 1 value."},
           {"pow(1)", "column 6: pow takes 2 values."},
           {"max(1)", "column 6: max takes 2 values."},
           {"sum(1, n)", "column 5: sum has the name of an array"},
           {"1 2", "column 3: \"2\" means nothing here"},
           {"1 ? 2", "column 6: a ? needs a :"},
           {"1e999", "column 1: the number is out of range"},
           {"0x", "column 1: a hexadecimal number has"},
           {"1.2.3", "column 4: the number 1.2 goes on with"},
           {"3x", "column 2: the number 3 goes on with"},
           {std::string("1\0+1", 4), "column 2: "}})
    EXPECT_THAT(mistake_in(text), testing::StartsWith(message)) << text;
}

TEST(ExpressionParse, DepthAndLengthAreBounded) {
  std::string chain = "0", nested, choices;
  for (int i = 0; i < 900; ++i) chain += " + 1";
  for (int i = 0; i < 150; ++i) nested += "(1 + ";
  for (int i = 0; i < 100; ++i) choices += "i == 7 ? 1 : ";
  EXPECT_EQ(mistake_in(chain), "");
  EXPECT_EQ(mistake_in(choices + "0"), "");
  for (const std::string& deep :
       {nested + nested, std::string(3999, '('), std::string(3999, '-'), std::string(300, '!') + "1"})
    EXPECT_THAT(mistake_in(deep), testing::HasSubstr("nested too deeply"));
  EXPECT_THAT(mistake_in(std::string(longest_expression, ' ') + "1"), testing::HasSubstr("too long"));
}

}  // namespace THIS_FILE
}  // namespace warplens::expression
