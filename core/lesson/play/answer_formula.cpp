// Answers to formulas with boxes: two formulas are the same if both sides have the same value for every value
// that the tiles' names could have.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "core/lesson/play/question_judges.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

// The text of the formula with these boxes, each in brackets.
std::string formula_with(const Question& question, const std::vector<std::string>* boxes) {
  std::string text;
  size_t box = 0;
  for (const FormulaPart& part : question.formula) {
    if (!part.box) {
      text += part.text;
    } else {
      text += "(" + (boxes ? (*boxes)[box] : part.text) + ")";
      ++box;
    }
  }
  return text;
}

// The sides of "x = a * b = c" that are expressions. A side that is one word is the name that the formula
// defines.
std::vector<std::string_view> sides_of(std::string_view text) {
  std::vector<std::string_view> sides;
  for (const std::string_view side : parts_of(text, '='))
    if (side.find('(') != side.npos) sides.push_back(side);
  return sides;
}

bool is_symbol(std::string_view tile) {
  return !tile.empty() && ((tile[0] >= 'a' && tile[0] <= 'z') || (tile[0] >= 'A' && tile[0] <= 'Z')) &&
         tile.find_first_of("()+-*/ ") == tile.npos;
}

bool same_for_all_values(const Question& question, std::string_view given, std::string_view right,
                         const Facts& facts, std::string& mistake) {
  std::mt19937_64 random(16);
  for (int turn = 0; turn < 16; ++turn) {
    Facts values = facts;
    for (const std::string& tile : question.tiles)
      if (is_symbol(tile)) values.set(tile, double(random() % 9973 + 2));
    const Result<std::optional<double>> a = value_of(given, values), b = value_of(right, values);
    if (!b) mistake = b.error().message;
    if (!a || !b || !*a || !*b) return false;
    if (std::abs(**a - **b) > 1e-9 * std::max(1.0, std::abs(**b))) return false;
  }
  return true;
}

Result<Verdict> judge_symbols(const Question& question, const FormulaAnswer& answer, const Facts& facts) {
  Verdict verdict;
  const std::string given = formula_with(question, &answer.boxes), right = formula_with(question, nullptr);
  const std::vector<std::string_view> given_sides = sides_of(given), right_sides = sides_of(right);
  std::string mistake;
  verdict.right = given_sides.size() == right_sides.size();
  for (size_t i = 0; verdict.right && i < right_sides.size(); ++i)
    verdict.right = same_for_all_values(question, given_sides[i], right_sides[i], facts, mistake);
  if (!mistake.empty()) return bad_input(mistake);
  return verdict;
}

Result<Verdict> judge_boxes(const Question& question, const FormulaAnswer& answer, const Facts& facts) {
  Verdict verdict;
  verdict.right = true;
  uint32_t box = 0;
  for (const FormulaPart& part : question.formula) {
    if (!part.box) continue;
    const Result<std::optional<double>> truth = value_of(part.text, facts);
    if (!truth) return truth.error();
    const std::optional<double> given = number_in(answer.boxes[box]);
    if (!*truth) verdict.known = false;
    if (!given || !*truth || !within(*given, **truth, {})) {
      verdict.right = false;
      verdict.wrong_parts.push_back(box);
    }
    ++box;
  }
  verdict.right = verdict.right && verdict.known;
  return verdict;
}

std::string right_formula(const Question& question, const Facts& facts) {
  std::string text;
  for (const FormulaPart& part : question.formula) {
    if (part.box && question.tiles.empty()) {
      const Result<std::optional<double>> value = value_of(part.text, facts);
      text += value && *value ? number_text(**value) : "?";
    } else {
      text += part.text;
    }
  }
  return text;
}

}  // namespace

Result<Verdict> judge_formula(const Question& question, const FormulaAnswer& answer, const Facts& facts) {
  const auto boxes = std::ranges::count_if(question.formula, &FormulaPart::box);
  if (answer.boxes.size() != size_t(boxes)) return Verdict{};
  Result<Verdict> verdict =
      question.tiles.empty() ? judge_boxes(question, answer, facts) : judge_symbols(question, answer, facts);
  if (verdict) verdict->truth_text = right_formula(question, facts);
  return verdict;
}

}  // namespace warplens::lesson
