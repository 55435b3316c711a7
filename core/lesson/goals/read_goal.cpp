// A goal of a challenge with its words: "CONDITION as WORDS else SENTENCE".
#include <fmt/format.h>

#include "core/expression/parse.h"
#include "core/lesson/goals/goal_words.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

constexpr size_t longest_words = 200;

// The words are followed by the value of the answer, so there must be a comparison.
bool is_said_by_its_sides(const expression::Tree& tree, uint32_t part) {
  using expression::Op;
  if (tree[part].op == Op::both)
    return is_said_by_its_sides(tree, tree.operand(part, 0)) &&
           is_said_by_its_sides(tree, tree.operand(part, 1));
  return tree[part].op >= Op::equal && tree[part].op <= Op::greater_equal;
}

}  // namespace

void check_goal_words(const Condition& goal, Mistakes& mistakes) {
  const auto& [words, line] = goal.words;
  if (words.empty()) return mistakes.error(line, "after \"as\", write the goal's words");
  if (words.size() > longest_words)
    return mistakes.error(line, fmt::format("the words of a goal have at most {} bytes", longest_words));
  if (words.find("yours") != words.npos)
    mistakes.error(line, "\"; yours …\" is added after the words of a goal by the judge: leave it out");
  const Result<expression::Tree> tree = expression::parse(goal.expression.text);
  if (!tree || !is_said_by_its_sides(*tree, tree->root()))
    return mistakes.error(line,
                          "words of its own need a goal of comparisons, with && between them: the judge adds "
                          "the answer's value after the words");
  if (const std::optional<double> limit = percent_beside(*tree, words))
    mistakes.warning(line, fmt::format("the words say {} %, which is not the limit of the condition",
                                       number_text(*limit)));
}

Condition goal_of(const Placed& line, Mistakes& mistakes) {
  Condition goal = condition_of(line);
  const std::string_view text = goal.expression.text;
  // The blanks around "as" belong to the line: at its end there is none.
  const size_t as = text.ends_with(" as") ? text.size() - 3 : text.find(" as ");
  if (as == text.npos) return goal;
  goal.words = {std::string(trimmed(text.substr(as + 3))), line.line};
  goal.expression.text = std::string(trimmed(text.substr(0, as)));
  check_goal_words(goal, mistakes);
  return goal;
}

Condition translated_goal(const Placed& line, Mistakes& mistakes) {
  Condition goal = condition_of(line);
  std::string& text = goal.expression.text;
  if (text == "as" || text.starts_with("as ")) {
    goal.words = {std::string(trimmed(std::string_view(text).substr(2))), line.line};
    if (goal.words.empty()) mistakes.error(line.line, "after \"as\", write the goal's words");
    text.clear();
  }
  if (!text.empty())
    mistakes.error(
        line.line,
        "a translation has no conditions: write else and a sentence, or as and the goal's words, as "
        "in two: else SENTENCE");
  text.clear();
  return goal;
}

}  // namespace warplens::lesson
