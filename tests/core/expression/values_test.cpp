// Every expression of the repository has the value that it had before there was one evaluator for all.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "core/expression/evaluate.h"
#include "core/expression/parse.h"
#include "core/expression/print.h"
#include "tests/paths.h"

namespace warplens::expression {
namespace THIS_FILE {

struct Row {
  std::string text, names, value;
};

std::vector<Row> rows() {
  std::ifstream file(test_files::source_dir() / "tests/core/expression/data/values.tsv");
  std::vector<Row> all;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream cells(line);
    Row row;
    std::getline(cells, row.text, '\t');
    std::getline(cells, row.names, '\t');
    std::getline(cells, row.value, '\t');
    all.push_back(row);
  }
  return all;
}

std::map<std::string, Value> names_of(const std::string& text) {
  std::map<std::string, Value> names;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const size_t equals = word.rfind('=');
    const Result<Tree> value = parse(word.substr(equals + 1));
    if (value && value->names().empty()) names[word.substr(0, equals)] = evaluate(*value, {});
  }
  return names;
}

Value value_of(const Tree& tree, const std::map<std::string, Value>& names) {
  std::vector<Value> values;
  for (const Tree::Name& name : tree.names()) {
    const auto at = names.find(name.text);
    values.push_back(at == names.end() ? Value{} : at->second);
  }
  return evaluate(tree, values);
}

TEST(ExpressionValues, AreThoseOfTheEvaluatorsBefore) {
  const std::vector<Row> all = rows();
  EXPECT_GT(all.size(), 1400u);
  for (const Row& row : all) {
    SCOPED_TRACE(row.text + "   " + row.names);
    const Result<Tree> tree = parse(row.text);
    ASSERT_TRUE(tree) << tree.error().message;
    const std::map<std::string, Value> names = names_of(row.names);
    const Value value = value_of(*tree, names);
    if (row.value == "none") {
      EXPECT_FALSE(value.is_known());
      continue;
    }
    EXPECT_TRUE(value.is_known());
    EXPECT_EQ(value.number(), std::strtod(row.value.c_str(), nullptr));
    const Result<Tree> again = parse(print(*tree));
    ASSERT_TRUE(again) << print(*tree);
    EXPECT_EQ(value_of(*again, names), value) << print(*tree);
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::expression
