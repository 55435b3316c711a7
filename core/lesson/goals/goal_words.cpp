#include "core/lesson/goals/goal_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/base/figures.h"
#include "core/lesson/goals/goal_nouns.h"
#include "core/lesson/goals/goal_tree.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

// Another run with which the answer is compared.
struct Other {
  std::string_view prefix, words;
};
constexpr Other others[] = {{"reference.", "the reference solution"}, {"start.", "the starter"}};

const Other* other_of(std::string_view name) {
  const auto found =
      std::ranges::find_if(others, [&](const Other& other) { return name.starts_with(other.prefix); });
  return found == std::end(others) ? nullptr : &*found;
}

std::optional<double> value_in(const GoalTree& tree, const Facts& facts) {
  const Result<std::optional<double>> value = value_of(tree.text, facts);
  return value && *value && std::isfinite(**value) ? *value : std::nullopt;
}

std::string number_words(double value) {
  if (value >= 0 && value == std::floor(value) && value < 1e15)
    return thousands(static_cast<uint64_t>(value));
  return number_text(value);
}

// ---- formulas

struct Words {
  std::string text;
  int rank = 3;  // how tightly it binds: 0 words, 1 a sum, 2 a product, 3 a single item
};
using MaybeWords = std::optional<Words>;

MaybeWords formula(const GoalTree& tree);

MaybeWords name_words(const std::string& name) {
  if (const Other* other = other_of(name)) {
    const GoalNoun* noun = goal_noun(std::string_view(name).substr(other->prefix.size()));
    if (noun == nullptr) return std::nullopt;
    return Words{fmt::format("{} of {}", noun->plural, other->words)};
  }
  if (const GoalNoun* noun = goal_noun(name)) return Words{std::string(noun->plural)};
  // A number of the kernel: the task uses this name for it.
  if (name.find('.') == std::string::npos) return Words{name};
  return std::nullopt;
}

MaybeWords function_words(const GoalTree& tree) {
  const char* how = tree.name == "ceil" ? "rounded up" : tree.name == "floor" ? "rounded down" : nullptr;
  if (how == nullptr || tree.parts.size() != 1) return std::nullopt;
  const MaybeWords inner = formula(tree.parts[0]);
  if (!inner) return std::nullopt;
  return Words{fmt::format("{}{} {}", inner->text, inner->rank == 3 ? "" : ",", how), 0};
}

MaybeWords formula(const GoalTree& tree) {
  using Kind = GoalTree::Kind;
  if (tree.kind == Kind::number) return Words{number_words(tree.value)};
  if (tree.kind == Kind::name) return name_words(tree.name);
  if (tree.kind == Kind::call) return function_words(tree);
  const MaybeWords left = formula(tree.parts[0]), right = formula(tree.parts[1]);
  if (!left || !right) return std::nullopt;
  const bool sum = tree.name == "+" || tree.name == "-";
  const int rank = sum ? 1 : 2;
  const char* sign = tree.name == "+" ? "+" : tree.name == "-" ? "−" : tree.name == "*" ? "×" : "÷";
  // On the right, a − (b − c) and a ÷ (b × c) keep their brackets too.
  const bool keeps = tree.name == "-" || tree.name == "/";
  const auto in_brackets = [](const Words& words, bool needed) {
    return needed ? "(" + words.text + ")" : words.text;
  };
  return Words{fmt::format("{} {} {}", in_brackets(*left, left->rank < rank), sign,
                           in_brackets(*right, right->rank < rank || (keeps && right->rank == rank))),
               rank};
}

// ---- the words for a limit

// "1.1 times as many as the reference solution", if the same is counted in another run.
std::optional<std::string> as_many_as(const GoalTree& tree, const std::string& counted) {
  const bool times = tree.kind == GoalTree::Kind::binary && tree.name == "*";
  const GoalTree& last = times ? tree.parts[1] : tree;
  if (last.kind != GoalTree::Kind::name) return std::nullopt;
  const Other* other = other_of(last.name);
  if (other == nullptr || last.name.substr(other->prefix.size()) != counted) return std::nullopt;
  if (!times) return fmt::format("as many as {}", other->words);
  const MaybeWords factor = formula(tree.parts[0]);
  if (!factor) return std::nullopt;
  return fmt::format("{} times as many as {}", factor->rank == 3 ? factor->text : "(" + factor->text + ")",
                     other->words);
}

// "2 for each warp", "1 for each warp and 1 for each block".
std::optional<std::string> for_each(const GoalTree& tree) {
  using Kind = GoalTree::Kind;
  if (tree.kind == Kind::binary && tree.name == "+") {
    const auto left = for_each(tree.parts[0]), right = for_each(tree.parts[1]);
    if (!left || !right) return std::nullopt;
    return *left + " and " + *right;
  }
  const bool times = tree.kind == Kind::binary && tree.name == "*";
  const GoalTree& last = times ? tree.parts[1] : tree;
  const GoalNoun* noun = last.kind == Kind::name ? goal_noun(last.name) : nullptr;
  if (noun == nullptr || noun->singular.empty()) return std::nullopt;
  const MaybeWords factor = times ? formula(tree.parts[0]) : MaybeWords(Words{"1"});
  if (!factor) return std::nullopt;
  return fmt::format("{} for each {}", factor->text, noun->singular);
}

std::optional<std::string> limit_words(const GoalTree& limit, const std::vector<std::string>& counted) {
  if (counted.size() == 1)
    if (auto words = as_many_as(limit, counted[0])) return words;
  const bool counters = std::ranges::all_of(counted, [](const std::string& name) {
    return name.starts_with("counters.") || name.starts_with("reads.");
  });
  if (counters && !counted.empty())
    if (auto words = for_each(limit)) return words;
  const MaybeWords words = formula(limit);
  return words ? std::optional(words->text) : std::nullopt;
}

// ---- a comparison

// The counts that are added on the left; empty if it is not a sum of counts.
bool add_counted(const GoalTree& tree, std::vector<std::string>& counted) {
  if (tree.kind == GoalTree::Kind::binary && tree.name == "+")
    return add_counted(tree.parts[0], counted) && add_counted(tree.parts[1], counted);
  const GoalNoun* noun = tree.kind == GoalTree::Kind::name ? goal_noun(tree.name) : nullptr;
  if (noun == nullptr || noun->measured) return false;
  counted.push_back(tree.name);
  return true;
}

std::string joined(const std::vector<std::string>& counted, std::string_view between) {
  std::string words;
  for (const std::string& name : counted)
    words += (words.empty() ? "" : std::string(between)) + std::string(goal_noun(name)->plural);
  return words;
}

const char* relation_words(const std::string& relation) {
  if (relation == "<=") return "at most";
  if (relation == ">=") return "at least";
  if (relation == "<") return "fewer than";
  if (relation == ">") return "more than";
  if (relation == "==") return "exactly";
  return "other than";
}

// A count is always a whole number, so the last whole number within the limit is given.
double whole_limit(double limit, const std::string& relation) {
  if (relation == "<=") return std::floor(limit + 1e-9);
  if (relation == ">=") return std::ceil(limit - 1e-9);
  return limit;
}

// With enough digits to distinguish the two: "0.5201" is more than 0.52.
std::string told_apart(double value, double from) {
  if (value == std::floor(value) || value == from || number_text(value) != number_text(from))
    return number_words(value);
  for (int digits = 5; digits < 17; ++digits) {
    std::string words = digits_text(value, digits);
    if (words != digits_text(from, digits)) return words;
  }
  return fmt::format("{:.17g}", value);
}

std::string yours(const GoalTree& left, const std::optional<double>& limit, const Facts& facts,
                  std::string_view unit = {}) {
  const std::optional<double> value = value_in(left, facts);
  if (!value) return {};
  return fmt::format("; yours {}{}", limit ? told_apart(*value, *limit) : number_words(*value), unit);
}

// "at most 1,024 sectors loaded from global memory (…); yours 4,096"
std::optional<std::string> counted_comparison(const GoalTree& tree, const std::vector<std::string>& counted,
                                              const Facts& facts) {
  const GoalTree &left = tree.parts[0], &right = tree.parts[1];
  const std::optional<double> limit = value_in(right, facts);
  const auto words = limit_words(right, counted);
  if (!words) return std::nullopt;
  const std::string reached = yours(left, limit, facts);
  const bool plain = right.kind == GoalTree::Kind::number;
  if (plain && right.value == 0 && (tree.name == "==" || tree.name == "<="))
    return "no " + joined(counted, " and no ") + reached;
  const std::string what = joined(counted, " and ") + (counted.size() > 1 ? " together" : "");
  if (plain && right.value == 0 && tree.name == ">") return "some " + what + reached;
  if (!limit) return fmt::format("{}: {} {}", what, relation_words(tree.name), *words);
  return fmt::format("{} {} {}{}{}", relation_words(tree.name), number_words(whole_limit(*limit, tree.name)),
                     what, plain ? std::string() : " (" + *words + ")", reached);
}

// Whether one is the other, rounded: x > floor(x).
bool is_rounded(const GoalTree& tree, std::string_view how, const GoalTree& of) {
  return tree.kind == GoalTree::Kind::call && tree.name == how && tree.parts[0].text == of.text;
}

// "theoretical occupancy: exactly 100 %; yours 67 %"
std::optional<std::string> measured_comparison(const GoalTree& tree, const Facts& facts) {
  const GoalTree &left = tree.parts[0], &right = tree.parts[1];
  const MaybeWords what = formula(left), limit = formula(right);
  if (!what || !limit) return std::nullopt;
  const GoalNoun* noun = left.kind == GoalTree::Kind::name ? goal_noun(left.name) : nullptr;
  const std::string_view unit = noun ? noun->unit : std::string_view();
  const std::optional<double> value = value_in(right, facts);
  const std::string reached = yours(left, value, facts, unit);
  if (tree.name == ">" && is_rounded(right, "floor", left))
    return fmt::format("{}: no whole number{}", what->text, reached);
  const bool plain = right.kind == GoalTree::Kind::number;
  const std::string amount =
      !value ? limit->text
             : number_words(*value) + std::string(unit) + (plain ? "" : " (" + limit->text + ")");
  const std::string relation = tree.name == "<" ? "less than" : relation_words(tree.name);
  return fmt::format("{}: {} {}{}", what->text, relation, amount, reached);
}

std::optional<std::string> words_of_tree(const GoalTree& tree, const Facts& facts) {
  if (tree.kind == GoalTree::Kind::both) {
    const auto left = words_of_tree(tree.parts[0], facts), right = words_of_tree(tree.parts[1], facts);
    if (!left || !right) return std::nullopt;
    return *left + "; and " + *right;
  }
  if (tree.kind != GoalTree::Kind::comparison) return std::nullopt;
  std::vector<std::string> counted;
  if (add_counted(tree.parts[0], counted)) return counted_comparison(tree, counted, facts);
  return measured_comparison(tree, facts);
}

// ---- the goal's own words

// The numbers that are followed by %: "at most 52 % of the warps".
std::vector<double> percents_in(std::string_view words) {
  std::vector<double> all;
  for (size_t at = words.find('%'); at != words.npos; at = words.find('%', at + 1)) {
    size_t end = at;
    while (end > 0 && words[end - 1] == ' ') --end;
    size_t begin = end;
    while (begin > 0 && std::string_view("0123456789.").find(words[begin - 1]) != std::string_view::npos)
      --begin;
    if (const std::optional<double> number = number_in(words.substr(begin, end - begin)))
      all.push_back(*number);
  }
  return all;
}

// The factor between the value and the percentage in the words: 100 for "52 %" of 0.52, 1 for "52 %" of 52, 0
// if the words have no percentage.
double percent_factor(double limit, const std::vector<double>& percents) {
  for (const double factor : {1.0, 100.0})
    if (std::ranges::any_of(percents, [&](double percent) {
          return std::abs(percent - factor * limit) <= 1e-9 * std::abs(percent);
        }))
      return factor;
  return 0;
}

void add_comparisons(const GoalTree& tree, std::vector<const GoalTree*>& all) {
  if (tree.kind == GoalTree::Kind::both)
    for (const GoalTree& part : tree.parts) add_comparisons(part, all);
  if (tree.kind == GoalTree::Kind::comparison) all.push_back(&tree);
}

// "; yours 66.7 %", or one for each comparison: "; yours 0 and 96".
std::string reached_words(const GoalTree& tree, std::string_view words, const Facts& facts) {
  std::vector<const GoalTree*> comparisons;
  add_comparisons(tree, comparisons);
  std::string text;
  for (const GoalTree* one : comparisons) {
    const std::optional<double> value = value_in(one->parts[0], facts),
                                limit = value_in(one->parts[1], facts);
    if (!value) return {};
    const double factor = limit ? percent_factor(*limit, percents_in(words)) : 0;
    const double shown = factor > 0 ? *value * factor : *value;
    text +=
        fmt::format("{}{}{}", text.empty() ? "; yours " : " and ",
                    limit ? told_apart(shown, factor > 0 ? *limit * factor : *limit) : number_words(shown),
                    factor > 0 ? " %" : "");
  }
  return text;
}

}  // namespace

std::string goal_words(std::string_view condition, const Facts& facts) {
  const std::optional<GoalTree> tree = goal_tree(condition);
  const std::optional<std::string> words = tree ? words_of_tree(*tree, facts) : std::nullopt;
  return words.value_or(std::string(condition));
}

std::string goal_words(const Condition& goal, const Facts& facts) {
  if (goal.words.empty()) return goal_words(std::string_view(goal.expression.text), facts);
  const std::optional<GoalTree> tree = goal_tree(goal.expression.text);
  return goal.words.text + (tree ? reached_words(*tree, goal.words.text, facts) : std::string());
}

std::optional<double> percent_beside(const GoalTree& condition, std::string_view words) {
  const std::vector<double> percents = percents_in(words);
  std::vector<const GoalTree*> comparisons;
  add_comparisons(condition, comparisons);
  bool written = false;
  for (const GoalTree* one : comparisons) {
    const GoalTree& limit = one->parts[1];
    if (limit.kind != GoalTree::Kind::number) continue;
    written = true;
    if (percent_factor(limit.value, percents) > 0) return std::nullopt;
  }
  return written && !percents.empty() ? std::optional(percents.front()) : std::nullopt;
}

std::optional<GoalSides> goal_sides(std::string_view condition, const Facts& facts) {
  const std::optional<GoalTree> tree = goal_tree(condition);
  if (!tree || tree->kind != GoalTree::Kind::comparison) return std::nullopt;
  const std::optional<double> reached = value_in(tree->parts[0], facts),
                              limit = value_in(tree->parts[1], facts);
  if (!reached || !limit) return std::nullopt;
  return GoalSides{*reached, *limit};
}

}  // namespace warplens::lesson
