#include "core/lesson/play/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/lesson/play/question_judges.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {

std::string click_form(Target::Kind kind) {
  using Kind = Target::Kind;
  switch (kind) {
    case Kind::thread:
      return "thread (x, y, z) of block (x, y, z)";
    case Kind::block:
      return "block (x, y, z)";
    case Kind::warp:
      return "warp w of block (x, y, z)";
    case Kind::element:
      return "element i";
    case Kind::line:
      return "line n";
    case Kind::nothing:
      return "";
    case Kind::lane:
      return "lane n";
    case Kind::bank:
      return "bank n";
  }
  return "";
}

namespace {

Error not_understood(std::string_view text, std::string_view how) {
  return bad_input(fmt::format("the answer \"{}\" is not understood: write {}", text.substr(0, 60), how));
}

Result<Answer> clicks_in(std::string_view text, const Question& question) {
  ClickAnswer answer;
  for (const std::string_view part : parts_of(text, ';')) {
    if (part.empty()) continue;
    const std::optional<Target> target = target_in(part);
    if (!target || target->kind != question.what)
      return not_understood(part, "it like this, with numbers: " + click_form(question.what));
    answer.clicked.push_back(*target);
  }
  return Answer(answer);
}

Result<Answer> order_in(std::string_view text, const Question& question) {
  OrderAnswer answer;
  for (const std::string_view part : parts_of(text, ',')) {
    const std::optional<uint64_t> number = whole_number_in(part, question.items.size());
    const bool known = number && *number > 0;
    if (!known || std::ranges::find(answer.items, *number - 1) != answer.items.end())
      return not_understood(text, "the items' numbers in the file from first to last place, as in 2, 1, 3");
    answer.items.push_back(static_cast<uint32_t>(*number - 1));
  }
  if (answer.items.size() != question.items.size())
    return not_understood(text, fmt::format("all {} items", question.items.size()));
  return Answer(answer);
}

Result<Answer> boxes_in(std::string_view text, const Question& question) {
  FormulaAnswer answer;
  for (const std::string_view part : parts_of(text, ';')) answer.boxes.emplace_back(part);
  const auto boxes = std::ranges::count_if(question.formula, &FormulaPart::box);
  if (answer.boxes.size() != size_t(boxes))
    return not_understood(text, fmt::format("the contents of the {} boxes, with ; between them", boxes));
  for (const std::string& box : answer.boxes)
    if (!question.tiles.empty() && std::ranges::find(question.tiles, box) == question.tiles.end())
      return not_understood(box, fmt::format("one of the tiles: {}", fmt::join(question.tiles, ", ")));
  return Answer(answer);
}

// --- numbers

Result<Verdict> judge_number(const Question& question, const NumberAnswer& answer, const Facts& facts) {
  const Result<std::optional<double>> truth = value_of(question.right.text, facts);
  if (!truth) return truth.error();
  Verdict verdict;
  verdict.known = truth->has_value();
  if (!verdict.known) return verdict;
  verdict.truth = **truth;
  verdict.truth_text = with_unit(**truth, question.unit.text);
  verdict.right = within(answer.value, **truth, question.tolerance);
  return verdict;
}

// --- choice

Verdict judge_choice(const Question& question, const ChoiceAnswer& answer, const Facts& facts) {
  Verdict verdict;
  const size_t right = question.right.text.empty() ? 0 : size_t(question.right.text[0] - 'A');
  verdict.right = answer.letter == right;
  if (right < question.choices.size())
    verdict.truth_text = question.right.text + ": " + filled_in(question.choices[right].text.text, facts);
  if (!verdict.right && answer.letter < question.choices.size())
    verdict.because = filled_in(question.choices[answer.letter].because.text, facts);
  return verdict;
}

// --- order

Result<Verdict> judge_order(const Question& question, const OrderAnswer& answer, const Facts& facts) {
  Verdict verdict;
  verdict.right = true;
  std::vector<double> values;
  for (size_t i = 0; i < question.items.size(); ++i) {
    const OrderItem& item = question.items[i];
    if (item.value.empty()) {
      values.push_back(-double(i));
      continue;
    }
    const Result<std::optional<double>> value = value_of(item.value.text, facts);
    if (!value) return value.error();
    if (!*value) verdict.known = false;
    values.push_back(value->value_or(0) * (question.largest_first ? 1 : -1));
  }
  std::vector<uint32_t> best(values.size());
  std::iota(best.begin(), best.end(), 0u);
  std::stable_sort(best.begin(), best.end(), [&](uint32_t a, uint32_t b) { return values[a] > values[b]; });
  for (uint32_t place = 0; place < answer.items.size() && place < best.size(); ++place) {
    if (values[answer.items[place]] != values[best[place]]) verdict.wrong_parts.push_back(place);
    verdict.truth_text += (place == 0 ? "" : " · ") + filled_in(question.items[best[place]].text.text, facts);
  }
  verdict.right = verdict.known && verdict.wrong_parts.empty() && answer.items.size() == values.size();
  return verdict;
}

}  // namespace

std::string unit_for(double value, std::string_view unit) {
  const size_t bar = unit.find('|');
  if (bar == unit.npos) return std::string(unit);
  return std::string(trimmed(std::abs(value) == 1 ? unit.substr(0, bar) : unit.substr(bar + 1)));
}

std::string with_unit(double value, std::string_view unit) {
  return number_text(value) + (unit.empty() ? "" : " " + unit_for(value, unit));
}

bool within(double guess, double truth, const Tolerance& tolerance) {
  const double off = std::abs(guess - truth);
  switch (tolerance.kind) {
    case Tolerance::Kind::exact:
      return off <= 1e-9 * std::abs(truth);
    case Tolerance::Kind::absolute:
      return off <= tolerance.value * (1 + 1e-12);
    case Tolerance::Kind::percent:
      return off <= std::abs(truth) * tolerance.value / 100 * (1 + 1e-12);
    case Tolerance::Kind::factor:
      break;
  }
  if (guess == truth) return true;
  return guess * truth > 0 && std::max(guess / truth, truth / guess) <= tolerance.value * (1 + 1e-12);
}

Result<Answer> answer_in(std::string_view text, const Question& question) {
  text = trimmed(text);
  switch (question.kind) {
    case QuestionKind::number:
    case QuestionKind::marker: {
      const std::optional<double> number = number_in(text);
      if (!number) return not_understood(text, "a number, as in 157");
      return Answer(NumberAnswer{*number});
    }
    case QuestionKind::choice: {
      const bool letter =
          text.size() == 1 && text[0] >= 'A' && size_t(text[0] - 'A') < question.choices.size();
      if (!letter) return not_understood(text, "the letter of an answer");
      return Answer(ChoiceAnswer{uint32_t(text[0] - 'A')});
    }
    case QuestionKind::click:
      return clicks_in(text, question);
    case QuestionKind::order:
      return order_in(text, question);
    case QuestionKind::formula:
      return boxes_in(text, question);
  }
  return Answer();
}

std::string text_of(const Answer& answer, const Question& question) {
  std::string text;
  const auto add = [&](std::string_view part, std::string_view between) {
    if (!text.empty()) text += between;
    text += part;
  };
  if (const auto* number = std::get_if<NumberAnswer>(&answer))
    text = with_unit(number->value, question.unit.text);
  if (const auto* choice = std::get_if<ChoiceAnswer>(&answer)) text = char('A' + choice->letter);
  if (const auto* clicks = std::get_if<ClickAnswer>(&answer))
    for (const Target& target : clicks->clicked) add(text_of(target), "; ");
  if (const auto* order = std::get_if<OrderAnswer>(&answer))
    for (const uint32_t item : order->items) add(question.items.at(item).text.text, " · ");
  if (const auto* formula = std::get_if<FormulaAnswer>(&answer)) {
    size_t box = 0;
    for (const FormulaPart& part : question.formula)
      text += part.box ? (box < formula->boxes.size() ? formula->boxes[box++] : "?") : part.text;
  }
  return text;
}

Result<Verdict> judge_answer(const Question& question, const Answer& answer, const Facts& facts,
                             const RunResult* result) {
  Result<Verdict> verdict = Verdict{};
  if (const auto* number = std::get_if<NumberAnswer>(&answer))
    verdict = judge_number(question, *number, facts);
  else if (const auto* choice = std::get_if<ChoiceAnswer>(&answer))
    verdict = judge_choice(question, *choice, facts);
  else if (const auto* clicks = std::get_if<ClickAnswer>(&answer))
    verdict = judge_clicks(question, *clicks, facts, result);
  else if (const auto* order = std::get_if<OrderAnswer>(&answer))
    verdict = judge_order(question, *order, facts);
  else if (const auto* formula = std::get_if<FormulaAnswer>(&answer))
    verdict = judge_formula(question, *formula, facts);
  if (verdict && !verdict->right && verdict->because.empty() && verdict->known)
    verdict->because = filled_in(question.otherwise.text, facts);
  return verdict;
}

std::vector<uint32_t> offered_order(const Question& question, uint64_t seed) {
  std::vector<uint32_t> order(question.items.size());
  std::iota(order.begin(), order.end(), 0u);
  std::mt19937_64 random(seed + question.line);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  if (order.size() > 1 && std::ranges::is_sorted(order)) std::swap(order[0], order[1]);
  return order;
}

Result<std::optional<std::pair<double, double>>> scale_of(const Question& question, const Facts& facts) {
  using Scale = std::optional<std::pair<double, double>>;
  const Result<std::optional<double>> from = value_of(question.from.text, facts),
                                      to = value_of(question.to.text, facts);
  if (!from) return from.error();
  if (!to) return to.error();
  if (!*from || !*to || **from >= **to) return Scale();
  return Scale(std::pair{**from, **to});
}

}  // namespace warplens::lesson
