#include "app/state/parts/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/json/json.h"
#include "core/base/json/json_reader.h"
#include "core/base/json/json_values.h"
#include "core/base/text.h"

namespace warplens {
namespace {

constexpr const char* progress_marker = "warplens_progress";
constexpr uint64_t progress_version = 1;
constexpr uint64_t most_counted = uint64_t{1} << 40;

void read_lessons(JsonReader& reader, const JsonNode& node, ProgressState& progress) {
  if (!node) return;
  if (!node.value->is_object()) return reader.fail(node, "must be an object of lists");
  for (const auto& [name, value] : node.value->items()) {
    const JsonNode list{&value, node.path + "." + name};
    for (size_t i = 0; i < reader.array_size(list); ++i)
      progress.lessons[name].insert(reader.text(reader.element(list, i)));
  }
}

double seconds_in(JsonReader& reader, const JsonNode& node) {
  const double seconds = node ? reader.real(node) : 0;
  if (seconds >= 0 && std::isfinite(seconds)) return seconds;
  reader.fail(node, "needs seconds of 0 or more");
  return 0;
}

std::map<std::string, uint64_t> counts_in(JsonReader& reader, const JsonNode& node) {
  std::map<std::string, uint64_t> counts;
  if (!node) return counts;
  if (!node.value->is_object()) {
    reader.fail(node, "must be an object of numbers");
    return counts;
  }
  for (const auto& [name, value] : node.value->items())
    counts[name] = reader.unsigned_integer({&value, node.path + "." + name}, most_counted);
  return counts;
}

void read_answers(JsonReader& reader, const JsonNode& node, ProgressState& progress) {
  if (!node) return;
  if (!node.value->is_object()) return reader.fail(node, "must be an object of objects");
  for (const auto& [lesson, questions] : node.value->items()) {
    if (!questions.is_object())
      return reader.fail({&questions, node.path + "." + lesson}, "must be an object");
    for (const auto& [question, value] : questions.items()) {
      const JsonNode one{&value, fmt::format("{}.{}.{}", node.path, lesson, question)};
      AnswerTally& tally = progress.answers[lesson][question];
      tally.right = reader.unsigned_integer(reader.member(one, "right"), most_counted);
      tally.wrong = reader.unsigned_integer(reader.member(one, "wrong"), most_counted);
      tally.wrongly = counts_in(reader, reader.member(one, "wrongly"));
    }
  }
}

void read_challenges(JsonReader& reader, const JsonNode& node, ProgressState& progress) {
  if (!node) return;
  if (!node.value->is_object()) return reader.fail(node, "must be an object of objects");
  for (const auto& [name, value] : node.value->items()) {
    const JsonNode one{&value, node.path + "." + name};
    ChallengeProgress& kept = progress.challenges[name];
    kept.stars = static_cast<uint32_t>(reader.unsigned_integer(reader.member(one, "stars"), 3));
    kept.tries = reader.unsigned_integer(reader.member(one, "tries"), most_counted);
    kept.seconds = seconds_in(reader, reader.member(one, "seconds"));
    kept.rejected = counts_in(reader, reader.member(one, "rejected"));
  }
}

}  // namespace

void note_answer(ProgressState& progress, const std::string& lesson, const std::string& step, size_t question,
                 bool right, std::string_view text) {
  AnswerTally& tally = progress.answers[lesson][fmt::format("{}/{}", step, question + 1)];
  ++(right ? tally.right : tally.wrong);
  ++progress.revision;
  if (right || text.empty()) return;
  const std::string answer(head_of(text, most_wrong_bytes));
  if (tally.wrongly.size() < most_wrong_answers || tally.wrongly.contains(answer)) ++tally.wrongly[answer];
}

void note_prediction(ProgressState& progress, bool right, double guess, double truth) {
  ++progress.predictions;
  progress.right += right ? 1 : 0;
  ++progress.revision;
  const double ratio = guess / truth;
  if (!(ratio > 0) || !std::isfinite(ratio)) return;
  ++progress.numbers;
  progress.doublings += std::abs(std::log2(ratio));
}

std::string calibration_text(const ProgressState& progress) {
  if (progress.predictions == 0) return "";
  std::string words = fmt::format("{} of {} prediction{} right", progress.right, progress.predictions,
                                  progress.predictions == 1 ? "" : "s");
  if (progress.numbers == 0) return words;
  const double factor = std::exp2(progress.doublings / double(progress.numbers));
  if (factor < 1.005) return words;
  return words + (factor < 1000 ? fmt::format(" · numbers usually off by a factor of {:.3g}", factor)
                                : std::string(" · numbers usually off by a factor of more than 1,000"));
}

ReportJson progress_json(const ProgressState& progress) {
  ReportJson json;
  json[progress_marker] = progress_version;
  json["lessons"] = ReportJson::object();
  for (const auto& [name, steps] : progress.lessons) json["lessons"][name] = steps;
  json["challenges"] = ReportJson::object();
  for (const auto& [name, kept] : progress.challenges)
    json["challenges"][name] = {
        {"stars", kept.stars}, {"tries", kept.tries}, {"seconds", kept.seconds}, {"rejected", kept.rejected}};
  json["lesson_seconds"] = progress.lesson_seconds;
  json["answers"] = ReportJson::object();
  for (const auto& [lesson, questions] : progress.answers)
    for (const auto& [question, tally] : questions)
      json["answers"][lesson][question] = {
          {"right", tally.right}, {"wrong", tally.wrong}, {"wrongly", tally.wrongly}};
  json["predictions"] = {{"made", progress.predictions},
                         {"right", progress.right},
                         {"numbers", progress.numbers},
                         {"doublings", progress.doublings}};
  return json;
}

std::string progress_text(const ProgressState& progress) {
  return json_values::indented(progress_json(progress));
}

Result<ProgressState> parse_progress(std::string_view text, const std::string& name) {
  const Result<Json> document = parse_json(text, name);
  if (!document) return document.error();
  JsonReader reader{name};
  const JsonNode root{&*document, ""};
  reader.expect_version(root, progress_marker, progress_version);
  ProgressState progress;
  read_lessons(reader, reader.member(root, "lessons"), progress);
  read_challenges(reader, reader.member(root, "challenges"), progress);
  read_answers(reader, reader.member(root, "answers"), progress);
  if (const JsonNode seconds = reader.member(root, "lesson_seconds")) {
    if (!seconds.value->is_object())
      reader.fail(seconds, "must be an object of numbers");
    else
      for (const auto& [lesson, spent] : seconds.value->items())
        progress.lesson_seconds[lesson] = seconds_in(reader, {&spent, seconds.path + "." + lesson});
  }
  if (const JsonNode made = reader.member(root, "predictions")) {
    progress.predictions = reader.unsigned_integer(reader.member(made, "made"), most_counted);
    progress.right = reader.unsigned_integer(reader.member(made, "right"), progress.predictions);
    progress.numbers = reader.unsigned_integer(reader.member(made, "numbers"), most_counted);
    if (const JsonNode doublings = reader.member(made, "doublings"))
      progress.doublings = reader.real(doublings);
    if (!std::isfinite(progress.doublings) || progress.doublings < 0)
      reader.fail(made, "needs doublings of 0 or more");
  }
  if (!reader.ok()) return reader.error();
  return progress;
}

}  // namespace warplens
