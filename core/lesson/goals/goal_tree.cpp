#include "core/lesson/goals/goal_tree.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/base/text.h"
#include "core/lesson/format/markdown.h"

namespace warplens::lesson {
namespace {

using Tree = std::optional<GoalTree>;
using Kind = GoalTree::Kind;

constexpr size_t longest_condition = 1000;
constexpr int deepest_bracket = 20;

// Each level gets operands that bind more tightly from the next one.
class GoalReader {
 public:
  explicit GoalReader(std::string_view text) : m_text(text) {}

  Tree whole() {
    Tree tree = level(0);
    blanks();
    return m_at == m_text.size() ? tree : std::nullopt;
  }

 private:
  struct Level {
    Kind kind;
    std::vector<std::string_view> signs;  // the longer ones first
  };
  static const std::vector<Level>& levels() {
    static const std::vector<Level> all = {{Kind::both, {"&&"}},
                                           {Kind::comparison, {"<=", ">=", "==", "!=", "<", ">"}},
                                           {Kind::binary, {"+", "-"}},
                                           {Kind::binary, {"*", "/"}}};
    return all;
  }

  void blanks() {
    while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\t'))
      ++m_at;
  }

  bool take(std::string_view sign) {
    blanks();
    if (!m_text.substr(m_at).starts_with(sign)) return false;
    m_at += sign.size();
    return true;
  }

  std::string since(size_t begin) const { return std::string(trimmed(m_text.substr(begin, m_at - begin))); }

  Tree level(size_t number) {
    if (number == levels().size()) return single();
    const Level& own = levels()[number];
    const size_t begin = m_at;
    Tree tree = level(number + 1);
    while (tree) {
      const auto sign = std::ranges::find_if(own.signs, [&](std::string_view one) { return take(one); });
      if (sign == own.signs.end()) break;
      Tree right = level(number + 1);
      if (!right) return std::nullopt;
      // a < b < c is not allowed.
      if (own.kind == Kind::comparison && tree->kind == Kind::comparison) return std::nullopt;
      GoalTree made{own.kind, std::string(*sign), 0, {}, since(begin)};
      made.parts.push_back(std::move(*tree));
      made.parts.push_back(std::move(*right));
      tree = std::move(made);
    }
    return tree;
  }

  Tree single() {
    blanks();
    if (m_at == m_text.size()) return std::nullopt;
    const char first = m_text[m_at];
    if (is_digit(first) || first == '.') return number();
    if (begins_name(first)) return name();
    return first == '(' ? in_brackets() : std::nullopt;
  }

  Tree in_brackets() {
    if (++m_depth > deepest_bracket) return std::nullopt;
    const size_t begin = m_at++;
    Tree tree = level(0);
    if (!tree || !take(")")) return std::nullopt;
    --m_depth;
    tree->text = since(begin);
    return tree;
  }

  Tree number() {
    const size_t begin = m_at;
    while (m_at < m_text.size() && (is_digit(m_text[m_at]) || m_text[m_at] == '.')) ++m_at;
    if (m_at < m_text.size() && begins_name(m_text[m_at])) return std::nullopt;  // 1e6, 0x10
    const std::string digits = since(begin);
    if (std::ranges::count(digits, '.') > 1 || digits == ".") return std::nullopt;
    return GoalTree{Kind::number, {}, std::strtod(digits.c_str(), nullptr), {}, digits};
  }

  Tree name() {
    const size_t begin = m_at;
    while (m_at < m_text.size() &&
           (begins_name(m_text[m_at]) || is_digit(m_text[m_at]) || m_text[m_at] == '.'))
      ++m_at;
    GoalTree made{Kind::name, since(begin), 0, {}, since(begin)};
    if (!take("(")) return made;
    if (++m_depth > deepest_bracket) return std::nullopt;
    made.kind = Kind::call;
    do {
      Tree argument = level(0);
      if (!argument) return std::nullopt;
      made.parts.push_back(std::move(*argument));
    } while (take(","));
    if (!take(")")) return std::nullopt;
    --m_depth;
    made.text = since(begin);
    return made;
  }

  std::string_view m_text;
  size_t m_at = 0;
  int m_depth = 0;
};

}  // namespace

std::optional<GoalTree> goal_tree(std::string_view condition) {
  if (condition.size() > longest_condition) return std::nullopt;
  return GoalReader(condition).whole();
}

}  // namespace warplens::lesson
