#include "core/lesson/play/step_progress_json.h"
#include "core/base/json/json_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace warplens::lesson {
namespace {

// The names in the file, in the order of the enumerators.
constexpr std::array<std::string_view, 5> mark_names{"open", "wrong", "right", "guessed", "shown"};
constexpr std::array<std::string_view, 8> target_names{"nothing", "thread", "block",   "warp",
                                                       "lane",    "bank",   "element", "line"};
constexpr size_t most_items = 1000;

template <class Enum, size_t N>
Enum named(JsonReader& reader, const JsonNode& node, const std::array<std::string_view, N>& names) {
  const std::string name = reader.text(node);
  const auto at = std::ranges::find(names, name);
  if (at != names.end()) return static_cast<Enum>(at - names.begin());
  if (reader.ok()) reader.fail(node, fmt::format("\"{}\" is not a name that is known here", name));
  return Enum{};
}

template <class Enum, size_t N>
std::string name_of(Enum value, const std::array<std::string_view, N>& names) {
  return std::string(names[static_cast<size_t>(value)]);
}

// JSON has no infinity; the reader takes these words for it.
ReportJson number_json(double number) {
  if (std::isfinite(number)) return number;
  return std::isnan(number) ? "nan" : number < 0 ? "-inf" : "inf";
}

ReportJson target_json(const Target& target) {
  ReportJson json;
  json["kind"] = name_of(target.kind, target_names);
  if (target.block != Dim3{0, 0, 0}) json["block"] = json_values::triple(target.block);
  if (target.thread != Dim3{0, 0, 0}) json["thread"] = json_values::triple(target.thread);
  if (!target.array.empty()) json["array"] = target.array;
  if (target.index != 0) json["index"] = target.index;
  return json;
}

Target read_target(JsonReader& reader, const JsonNode& node) {
  Target target;
  target.kind = named<Target::Kind>(reader, reader.required(node, "kind"), target_names);
  if (const JsonNode block = reader.member(node, "block")) target.block = reader.dim3(block);
  if (const JsonNode thread = reader.member(node, "thread")) target.thread = reader.dim3(thread);
  target.array = reader.text(reader.member(node, "array"));
  target.index = reader.unsigned_integer(reader.member(node, "index"), UINT64_MAX);
  return target;
}

// Calls `read` for each element of a list of at most 1,000.
template <class Read>
auto read_list(JsonReader& reader, const JsonNode& node, Read read) {
  std::vector<decltype(read(node))> list;
  const size_t size = reader.array_size(node);
  if (size > most_items) reader.fail(node, fmt::format("must have at most {} elements", most_items));
  for (size_t i = 0; i < size && reader.ok(); ++i) list.push_back(read(reader.element(node, i)));
  return list;
}

uint32_t read_count(JsonReader& reader, const JsonNode& node) {
  return static_cast<uint32_t>(reader.unsigned_integer(node, UINT32_MAX));
}

// An object with one member, which says the kind; null if nothing was answered.
ReportJson answer_json(const Answer& answer) {
  ReportJson json;
  if (const auto* number = std::get_if<NumberAnswer>(&answer)) json["number"] = number_json(number->value);
  if (const auto* choice = std::get_if<ChoiceAnswer>(&answer)) json["choice"] = choice->letter;
  if (const auto* order = std::get_if<OrderAnswer>(&answer)) json["order"] = order->items;
  if (const auto* formula = std::get_if<FormulaAnswer>(&answer)) json["boxes"] = formula->boxes;
  if (const auto* click = std::get_if<ClickAnswer>(&answer)) {
    json["clicks"] = ReportJson::array();
    for (const Target& target : click->clicked) json["clicks"].push_back(target_json(target));
  }
  return json;
}

Answer read_answer(JsonReader& reader, const JsonNode& node) {
  if (const JsonNode number = reader.member(node, "number")) return NumberAnswer{reader.real(number)};
  if (const JsonNode choice = reader.member(node, "choice")) return ChoiceAnswer{read_count(reader, choice)};
  if (const JsonNode order = reader.member(node, "order"))
    return OrderAnswer{read_list(reader, order, [&](const JsonNode& n) { return read_count(reader, n); })};
  if (const JsonNode boxes = reader.member(node, "boxes"))
    return FormulaAnswer{read_list(reader, boxes, [&](const JsonNode& n) { return reader.text(n); })};
  if (const JsonNode clicks = reader.member(node, "clicks"))
    return ClickAnswer{read_list(reader, clicks, [&](const JsonNode& n) { return read_target(reader, n); })};
  return {};
}

bool is_typed(const QuestionProgress& question) {
  return !std::ranges::all_of(question.typed, &std::string::empty);
}

ReportJson question_json(const QuestionProgress& question) {
  ReportJson json;
  json["mark"] = name_of(question.mark, mark_names);
  if (question.answer.index() != 0) json["answer"] = answer_json(question.answer);
  if (is_typed(question)) json["typed"] = question.typed;
  if (!question.words.empty()) json["words"] = question.words;
  if (question.told) json["told"] = true;
  if (question.truth) json["truth"] = number_json(*question.truth);
  if (question.guess_right) json["guess_right"] = true;
  if (!question.truth_words.empty()) json["truth_words"] = question.truth_words;
  if (question.counted) json["counted"] = true;
  if (std::ranges::any_of(question.votes, [](uint32_t n) { return n != 0; })) json["votes"] = question.votes;
  if (question.off) json["off"] = target_json(*question.off);
  if (question.wanted != 0) json["wanted"] = question.wanted;
  return json;
}

QuestionProgress read_question(JsonReader& reader, const JsonNode& node) {
  QuestionProgress question;
  question.mark = named<AnswerMark>(reader, reader.required(node, "mark"), mark_names);
  if (const JsonNode answer = reader.member(node, "answer")) question.answer = read_answer(reader, answer);
  question.typed =
      read_list(reader, reader.member(node, "typed"), [&](const JsonNode& n) { return reader.text(n); });
  question.words = reader.text(reader.member(node, "words"));
  question.told = reader.boolean(reader.member(node, "told"), false);
  if (const JsonNode truth = reader.member(node, "truth")) question.truth = reader.real(truth);
  question.guess_right = reader.boolean(reader.member(node, "guess_right"), false);
  question.truth_words = reader.text(reader.member(node, "truth_words"));
  question.counted = reader.boolean(reader.member(node, "counted"), false);
  const auto votes = read_list(reader, reader.member(node, "votes"),
                               [&](const JsonNode& n) { return read_count(reader, n); });
  std::copy_n(votes.begin(), std::min(votes.size(), question.votes.size()), question.votes.begin());
  if (const JsonNode off = reader.member(node, "off")) question.off = read_target(reader, off);
  question.wanted = read_count(reader, reader.member(node, "wanted"));
  return question;
}

bool is_touched(const QuestionProgress& question) {
  return question.mark != AnswerMark::open || question.answer.index() != 0 || is_typed(question) ||
         std::ranges::any_of(question.votes, [](uint32_t n) { return n != 0; });
}

}  // namespace

bool is_begun(const StepProgress& progress) {
  return progress.hints != 0 || progress.tries != 0 || progress.revealed || progress.changed ||
         progress.done || std::ranges::any_of(progress.questions, is_touched);
}

ReportJson step_progress_json(const StepProgress& progress) {
  ReportJson json;
  json["questions"] = ReportJson::array();
  for (const QuestionProgress& question : progress.questions)
    json["questions"].push_back(question_json(question));
  if (progress.hints != 0) json["hints"] = progress.hints;
  if (progress.tries != 0) json["tries"] = progress.tries;
  if (progress.revealed) json["revealed"] = true;
  if (progress.changed) json["changed"] = true;
  if (progress.done) json["done"] = true;
  return json;
}

StepProgress read_step_progress(JsonReader& reader, const JsonNode& node) {
  StepProgress progress;
  progress.questions = read_list(reader, reader.member(node, "questions"),
                                 [&](const JsonNode& n) { return read_question(reader, n); });
  progress.hints = static_cast<size_t>(reader.unsigned_integer(reader.member(node, "hints"), max_hints));
  progress.tries = read_count(reader, reader.member(node, "tries"));
  progress.revealed = reader.boolean(reader.member(node, "revealed"), false);
  progress.changed = reader.boolean(reader.member(node, "changed"), false);
  progress.done = reader.boolean(reader.member(node, "done"), false);
  return progress;
}

}  // namespace warplens::lesson
