#include "core/lesson/goals/goal_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/base/figures.h"
#include "core/expression/parse.h"
#include "core/lesson/goals/goal_nouns.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

using expression::Op;

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

// A part of a goal's tree.
struct Part {
  const expression::Tree* tree;
  uint32_t node;

  explicit Part(const expression::Tree& whole) : tree(&whole), node(whole.root()) {}
  Part(const expression::Tree& whole, uint32_t at) : tree(&whole), node(at) {}
  Op op() const { return (*tree)[node].op; }
  Part operand(uint32_t number) const { return {*tree, tree->operand(node, number)}; }
  bool is_number() const { return op() == Op::number; }
  double number() const { return (*tree)[node].value.number(); }
  // Empty for everything but a name.
  std::string_view name() const {
    return op() == Op::name ? std::string_view(tree->names()[(*tree)[node].which].text) : std::string_view();
  }
  std::string_view function() const {
    return op() == Op::call ? expression::functions()[(*tree)[node].which].name : std::string_view();
  }
};

std::optional<double> value_in(const Part& part, const Facts& facts) {
  const std::optional<double> value = value_of_part(*part.tree, part.node, facts);
  return value && std::isfinite(*value) ? value : std::nullopt;
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

MaybeWords formula(const Part& part);

MaybeWords name_words(std::string_view name) {
  if (const Other* other = other_of(name)) {
    const GoalNoun* noun = goal_noun(name.substr(other->prefix.size()));
    if (noun == nullptr) return std::nullopt;
    return Words{fmt::format("{} of {}", noun->plural, other->words)};
  }
  if (const GoalNoun* noun = goal_noun(name)) return Words{std::string(noun->plural)};
  // A number of the kernel: the task uses this name for it.
  if (name.find_first_of(".[(") == std::string::npos) return Words{std::string(name)};
  return std::nullopt;
}

MaybeWords rounded_words(const MaybeWords& inner, const char* how) {
  if (!inner) return std::nullopt;
  return Words{fmt::format("{}{} {}", inner->text, inner->rank == 3 ? "" : ",", how), 0};
}

MaybeWords arithmetic_words(const Part& part, const char* sign) {
  const MaybeWords left = formula(part.operand(0)), right = formula(part.operand(1));
  if (!left || !right) return std::nullopt;
  const int rank = part.op() == Op::add || part.op() == Op::subtract ? 1 : 2;
  // On the right, a − (b − c) and a ÷ (b × c) keep their brackets too.
  const bool keeps = part.op() != Op::add && part.op() != Op::multiply;
  const auto in_brackets = [](const Words& words, bool needed) {
    return needed ? "(" + words.text + ")" : words.text;
  };
  return Words{fmt::format("{} {} {}", in_brackets(*left, left->rank < rank), sign,
                           in_brackets(*right, right->rank < rank || (keeps && right->rank == rank))),
               rank};
}

MaybeWords formula(const Part& part) {
  switch (part.op()) {
    case Op::number:
      return Words{number_words(part.number())};
    case Op::name:
      return name_words(part.name());
    case Op::as_real:
      return formula(part.operand(0));
    case Op::add:
      return arithmetic_words(part, "+");
    case Op::subtract:
      return arithmetic_words(part, "−");
    case Op::multiply:
      return arithmetic_words(part, "×");
    case Op::divide:
      return arithmetic_words(part, "÷");
    case Op::quotient_up:
      return rounded_words(arithmetic_words(part, "÷"), "rounded up");
    default:
      break;
  }
  if (part.function() == "ceil") return rounded_words(formula(part.operand(0)), "rounded up");
  if (part.function() == "floor") return rounded_words(formula(part.operand(0)), "rounded down");
  return std::nullopt;
}

// ---- the words for a limit

// "1.1 times as many as the reference solution", if the same is counted in another run.
std::optional<std::string> as_many_as(const Part& part, const std::string& counted) {
  const bool times = part.op() == Op::multiply;
  const std::string_view last = times ? part.operand(1).name() : part.name();
  const Other* other = other_of(last);
  if (other == nullptr || last.substr(other->prefix.size()) != counted) return std::nullopt;
  if (!times) return fmt::format("as many as {}", other->words);
  const MaybeWords factor = formula(part.operand(0));
  if (!factor) return std::nullopt;
  return fmt::format("{} times as many as {}", factor->rank == 3 ? factor->text : "(" + factor->text + ")",
                     other->words);
}

// "2 for each warp", "1 for each warp and 1 for each block".
std::optional<std::string> for_each(const Part& part) {
  if (part.op() == Op::add) {
    const auto left = for_each(part.operand(0)), right = for_each(part.operand(1));
    if (!left || !right) return std::nullopt;
    return *left + " and " + *right;
  }
  const bool times = part.op() == Op::multiply;
  const GoalNoun* noun = goal_noun(times ? part.operand(1).name() : part.name());
  if (noun == nullptr || noun->singular.empty()) return std::nullopt;
  const MaybeWords factor = times ? formula(part.operand(0)) : MaybeWords(Words{"1"});
  if (!factor) return std::nullopt;
  return fmt::format("{} for each {}", factor->text, noun->singular);
}

std::optional<std::string> limit_words(const Part& limit, const std::vector<std::string>& counted) {
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
bool add_counted(const Part& part, std::vector<std::string>& counted) {
  if (part.op() == Op::add)
    return add_counted(part.operand(0), counted) && add_counted(part.operand(1), counted);
  const GoalNoun* noun = goal_noun(part.name());
  if (noun == nullptr || noun->measured) return false;
  counted.emplace_back(part.name());
  return true;
}

std::string joined(const std::vector<std::string>& counted, std::string_view between) {
  std::string words;
  for (const std::string& name : counted)
    words += (words.empty() ? "" : std::string(between)) + std::string(goal_noun(name)->plural);
  return words;
}

const char* relation_words(Op relation) {
  switch (relation) {
    case Op::less_equal:
      return "at most";
    case Op::greater_equal:
      return "at least";
    case Op::less:
      return "fewer than";
    case Op::greater:
      return "more than";
    case Op::equal:
      return "exactly";
    default:
      return "other than";
  }
}

// A count is always a whole number, so the last whole number within the limit is given.
double whole_limit(double limit, Op relation) {
  if (relation == Op::less_equal) return std::floor(limit + 1e-9);
  if (relation == Op::greater_equal) return std::ceil(limit - 1e-9);
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

std::string yours(const Part& left, const std::optional<double>& limit, const Facts& facts,
                  std::string_view unit = {}) {
  const std::optional<double> value = value_in(left, facts);
  if (!value) return {};
  return fmt::format("; yours {}{}", limit ? told_apart(*value, *limit) : number_words(*value), unit);
}

// "at most 1,024 sectors loaded from global memory (…); yours 4,096"
std::optional<std::string> counted_comparison(const Part& part, const std::vector<std::string>& counted,
                                              const Facts& facts) {
  const Part left = part.operand(0), right = part.operand(1);
  const std::optional<double> limit = value_in(right, facts);
  const auto words = limit_words(right, counted);
  if (!words) return std::nullopt;
  const std::string reached = yours(left, limit, facts);
  const bool plain = right.is_number();
  if (plain && right.number() == 0 && (part.op() == Op::equal || part.op() == Op::less_equal))
    return "no " + joined(counted, " and no ") + reached;
  const std::string what = joined(counted, " and ") + (counted.size() > 1 ? " together" : "");
  if (plain && right.number() == 0 && part.op() == Op::greater) return "some " + what + reached;
  if (!limit) return fmt::format("{}: {} {}", what, relation_words(part.op()), *words);
  return fmt::format("{} {} {}{}{}", relation_words(part.op()), number_words(whole_limit(*limit, part.op())),
                     what, plain ? std::string() : " (" + *words + ")", reached);
}

// Whether one is the other, rounded: x > floor(x).
bool is_rounded(const Part& part, std::string_view how, const Part& of) {
  return part.function() == how && of.tree->same(part.operand(0).node, of.node);
}

// "theoretical occupancy: exactly 100 %; yours 67 %"
std::optional<std::string> measured_comparison(const Part& part, const Facts& facts) {
  const Part left = part.operand(0), right = part.operand(1);
  const MaybeWords what = formula(left), limit = formula(right);
  if (!what || !limit) return std::nullopt;
  const GoalNoun* noun = goal_noun(left.name());
  const std::string_view unit = noun ? noun->unit : std::string_view();
  const std::optional<double> value = value_in(right, facts);
  const std::string reached = yours(left, value, facts, unit);
  if (part.op() == Op::greater && is_rounded(right, "floor", left))
    return fmt::format("{}: no whole number{}", what->text, reached);
  const bool plain = right.is_number();
  const std::string amount =
      !value ? limit->text
             : number_words(*value) + std::string(unit) + (plain ? "" : " (" + limit->text + ")");
  const std::string relation = part.op() == Op::less ? "less than" : relation_words(part.op());
  return fmt::format("{}: {} {}{}", what->text, relation, amount, reached);
}

std::optional<std::string> words_of(const Part& part, const Facts& facts) {
  if (part.op() == Op::both) {
    const auto left = words_of(part.operand(0), facts), right = words_of(part.operand(1), facts);
    if (!left || !right) return std::nullopt;
    return *left + "; and " + *right;
  }
  if (!is_comparison(part.op())) return std::nullopt;
  std::vector<std::string> counted;
  if (add_counted(part.operand(0), counted)) return counted_comparison(part, counted, facts);
  return measured_comparison(part, facts);
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

void add_comparisons(const Part& part, std::vector<Part>& all) {
  if (part.op() == Op::both)
    for (const uint32_t side : {0, 1}) add_comparisons(part.operand(side), all);
  if (is_comparison(part.op())) all.push_back(part);
}

// "; yours 66.7 %", or one for each comparison: "; yours 0 and 96".
std::string reached_words(const expression::Tree& tree, std::string_view words, const Facts& facts) {
  std::vector<Part> comparisons;
  add_comparisons(Part(tree), comparisons);
  std::string text;
  for (const Part& one : comparisons) {
    const std::optional<double> value = value_in(one.operand(0), facts),
                                limit = value_in(one.operand(1), facts);
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
  const Result<expression::Tree> tree = expression::parse(condition);
  const std::optional<std::string> words = tree ? words_of(Part(*tree), facts) : std::nullopt;
  return words.value_or(std::string(condition));
}

std::string goal_words(const Condition& goal, const Facts& facts) {
  if (goal.words.empty()) return goal_words(std::string_view(goal.expression.text), facts);
  const Result<expression::Tree> tree = expression::parse(goal.expression.text);
  return goal.words.text + (tree ? reached_words(*tree, goal.words.text, facts) : std::string());
}

std::optional<double> percent_beside(const expression::Tree& condition, std::string_view words) {
  const std::vector<double> percents = percents_in(words);
  std::vector<Part> comparisons;
  add_comparisons(Part(condition), comparisons);
  bool written = false;
  for (const Part& one : comparisons) {
    const Part limit = one.operand(1);
    if (!limit.is_number()) continue;
    written = true;
    if (percent_factor(limit.number(), percents) > 0) return std::nullopt;
  }
  return written && !percents.empty() ? std::optional(percents.front()) : std::nullopt;
}

std::optional<GoalSides> goal_sides(std::string_view condition, const Facts& facts) {
  const Result<expression::Tree> tree = expression::parse(condition);
  if (!tree || !is_comparison((*tree)[tree->root()].op)) return std::nullopt;
  const Part part(*tree);
  const std::optional<double> reached = value_in(part.operand(0), facts),
                              limit = value_in(part.operand(1), facts);
  if (!reached || !limit) return std::nullopt;
  return GoalSides{*reached, *limit};
}

}  // namespace warplens::lesson
