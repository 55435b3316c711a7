#include "core/lesson/judge/judge_report.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/base/json/json_reader.h"
#include "core/launch/fields.h"
#include "core/lesson/read/read_cases.h"

namespace warplens::lesson {
namespace {

ReportJson place_json(const std::optional<Dim3>& place) {
  return place ? ReportJson{place->x, place->y, place->z} : ReportJson(nullptr);
}

ReportJson case_json(const JudgedCase& at) {
  return {{"values", at.at.values},
          {"block", place_json(at.at.block)},
          {"grid", place_json(at.at.grid)},
          {"order", at.order},
          {"data_seed", at.data_seed}};
}

ReportJson wrong_json(const WrongElement& wrong) {
  return {{"array", wrong.array},
          {"index", wrong.index},
          {"got", fmt::format("{:.9g}", wrong.got)},
          {"want", fmt::format("{:.9g}", wrong.want)},
          {"block", place_json(wrong.block)},
          {"thread", place_json(wrong.thread)}};
}

ReportJson counters_of(const std::optional<Counters>& counters) {
  if (!counters) return nullptr;
  ReportJson json = ReportJson::object();
  each_field(*counters, [&]<class T>(std::string_view name, const T& value) {
    if constexpr (std::is_same_v<T, uint64_t>) json[std::string(name)] = value;
  });
  return json;
}

std::optional<Dim3> place_in(JsonReader& reader, const JsonNode& node) {
  if (!node || node.value->is_null()) return std::nullopt;
  return reader.dim3(node);
}

void read_failed(JsonReader& reader, const JsonNode& node, Judged& judged) {
  if (!node || !node.value->is_object()) return;
  JudgedCase at;
  const JsonNode values = reader.member(node, "values");
  if (values && values.value->is_object())
    for (const auto& [name, value] : values.value->items())
      if (value.is_number()) at.at.values[name] = value.get<double>();
  at.at.block = place_in(reader, reader.member(node, "block"));
  at.at.grid = place_in(reader, reader.member(node, "grid"));
  at.order = reader.unsigned_integer(reader.member(node, "order"), UINT64_MAX);
  at.data_seed = reader.unsigned_integer(reader.member(node, "data_seed"), UINT64_MAX);
  judged.failed = at;
}

// A place that may be (0, 0, 0).
std::optional<Dim3> index_in(JsonReader& reader, const JsonNode& node) {
  if (!node || !node.value->is_array() || reader.array_size(node) != 3) return std::nullopt;
  const auto at = [&](size_t i) {
    return uint32_t(reader.unsigned_integer(reader.element(node, i), UINT32_MAX));
  };
  return Dim3{at(0), at(1), at(2)};
}

void read_wrong(JsonReader& reader, const JsonNode& node, Judged& judged) {
  if (!node || !node.value->is_object()) return;
  WrongElement wrong;
  wrong.array = reader.text(reader.member(node, "array"));
  wrong.index = reader.unsigned_integer(reader.member(node, "index"), UINT64_MAX);
  wrong.got = std::strtod(reader.text(reader.member(node, "got")).c_str(), nullptr);
  wrong.want = std::strtod(reader.text(reader.member(node, "want")).c_str(), nullptr);
  wrong.block = index_in(reader, reader.member(node, "block"));
  wrong.thread = index_in(reader, reader.member(node, "thread"));
  judged.wrong = wrong;
}

std::optional<Counters> counters_in(JsonReader& reader, const JsonNode& node) {
  if (!node || !node.value->is_object()) return std::nullopt;
  Counters counters;
  each_field(counters, [&]<class T>(std::string_view name, T& value) {
    if constexpr (std::is_same_v<T, uint64_t>)
      if (const JsonNode field = reader.member(node, std::string(name).c_str()))
        value = reader.unsigned_integer(field, UINT64_MAX);
  });
  return counters;
}

void read_diagnostics(JsonReader& reader, const JsonNode& node, const std::string& file, Judged& judged) {
  for (size_t i = 0; i < std::min<size_t>(reader.array_size(node), 100); ++i) {
    const JsonNode one = reader.element(node, i);
    Diagnostic diagnostic;
    diagnostic.severity =
        reader.boolean(reader.member(one, "error"), true) ? Severity::error : Severity::warning;
    diagnostic.file = file;
    diagnostic.line = uint32_t(reader.unsigned_integer(reader.member(one, "line"), UINT32_MAX));
    diagnostic.message = reader.text(reader.member(one, "message"));
    judged.diagnostics.push_back(std::move(diagnostic));
  }
}

std::optional<double> number_of(JsonReader& reader, const JsonNode& root, const char* name) {
  const JsonNode node = reader.member(root, name);
  return node && node.value->is_number() ? std::optional(node.value->get<double>()) : std::nullopt;
}

void read_goals(JsonReader& reader, const JsonNode& node, Judged& judged) {
  for (size_t i = 0; i < std::min<size_t>(reader.array_size(node), 100); ++i) {
    const JsonNode goal = reader.element(node, i);
    GoalResult result;
    result.stars = uint32_t(reader.unsigned_integer(reader.member(goal, "stars"), 3));
    result.expression = reader.text(reader.member(goal, "condition"));
    result.words = reader.text(reader.member(goal, "words"));
    result.otherwise = reader.text(reader.member(goal, "else"));
    result.holds = reader.boolean(reader.member(goal, "holds"), false);
    const std::optional<double> reached = number_of(reader, goal, "reached"),
                                limit = number_of(reader, goal, "limit");
    if (reached && limit) result.sides = GoalSides{*reached, *limit};
    judged.goals.push_back(std::move(result));
  }
}

}  // namespace

std::string stars_text(uint32_t stars) {
  std::string text;
  for (uint32_t i = 0; i < 3; ++i) text += i < stars ? "★" : "☆";
  return text;
}

std::optional<Reason> reason_from(std::string_view name) {
  for (int i = 0; i <= int(Reason::no_compiler); ++i)
    if (name == to_string(Reason(i))) return Reason(i);
  return std::nullopt;
}

ReportJson judged_json(const Judged& judged, const Challenge& challenge, const std::string& file) {
  ReportJson goals = ReportJson::array(), diagnostics = ReportJson::array();
  for (const GoalResult& goal : judged.goals)
    goals.push_back({{"stars", goal.stars},
                     {"condition", goal.expression},
                     {"words", goal.words},
                     {"reached", goal.sides ? ReportJson(goal.sides->reached) : ReportJson(nullptr)},
                     {"limit", goal.sides ? ReportJson(goal.sides->limit) : ReportJson(nullptr)},
                     {"holds", goal.holds},
                     {"else", goal.otherwise}});
  for (const Diagnostic& d : judged.diagnostics)
    diagnostics.push_back(
        {{"line", d.line}, {"message", d.message}, {"error", d.severity == Severity::error}});
  return {{"schema", 1},
          {"challenge", challenge.name},
          {"file", file},
          {"right", judged.right()},
          {"stars", judged.stars},
          {"reason", judged.right() ? ReportJson(nullptr) : ReportJson(to_string(judged.reason))},
          {"kind", judged.kind},
          {"message", judged.message},
          {"line", judged.line},
          {"case", judged.failed ? case_json(*judged.failed) : ReportJson(nullptr)},
          {"wrong", judged.wrong ? wrong_json(*judged.wrong) : ReportJson(nullptr)},
          {"goals", std::move(goals)},
          {"counters", counters_of(judged.counters)},
          {"reference_counters", counters_of(judged.reference)},
          {"diagnostics", std::move(diagnostics)},
          {"cases", judged.cases},
          {"runs", judged.runs},
          {"compile_ms", judged.compile_ms},
          {"run_ms", judged.run_ms}};
}

std::string goal_text(const GoalResult& goal) {
  std::string stars;
  for (uint32_t i = 0; i < goal.stars; ++i) stars += "★";
  return fmt::format("  {} {}: {}{}\n", goal.holds ? "reached" : "missed ", stars, goal.words,
                     goal.holds || goal.otherwise.empty() ? "" : ". " + goal.otherwise);
}

Result<Judged> judged_from_json(std::string_view text) {
  const Result<Json> document = parse_json(text, "the judge's answer");
  if (!document) return document.error();
  JsonReader reader("the judge's answer");
  const JsonNode root{&*document, ""};
  if (!document->is_object()) return bad_input("The judge's answer is no object.");
  Judged judged;
  const JsonNode reason = reader.member(root, "reason");
  if (reason && reason.value->is_string())
    judged.reason = reason_from(reader.text(reason)).value_or(Reason::unreadable);
  judged.kind = reader.text(reader.member(root, "kind"));
  judged.message = reader.text(reader.member(root, "message"));
  judged.stars = uint32_t(reader.unsigned_integer(reader.member(root, "stars"), 3));
  judged.line = uint32_t(reader.unsigned_integer(reader.member(root, "line"), UINT32_MAX));
  judged.cases = uint32_t(reader.unsigned_integer(reader.member(root, "cases"), UINT32_MAX));
  judged.runs = uint32_t(reader.unsigned_integer(reader.member(root, "runs"), UINT32_MAX));
  judged.compile_ms = number_of(reader, root, "compile_ms").value_or(0);
  judged.run_ms = number_of(reader, root, "run_ms").value_or(0);
  read_failed(reader, reader.member(root, "case"), judged);
  read_wrong(reader, reader.member(root, "wrong"), judged);
  read_goals(reader, reader.member(root, "goals"), judged);
  judged.counters = counters_in(reader, reader.member(root, "counters"));
  judged.reference = counters_in(reader, reader.member(root, "reference_counters"));
  read_diagnostics(reader, reader.member(root, "diagnostics"), reader.text(reader.member(root, "file")),
                   judged);
  if (!reader.ok()) return reader.error();
  return judged;
}

std::string judged_text(const Judged& judged, const Challenge& challenge, const std::string& file) {
  std::string text = fmt::format("{}: {}\n", challenge.title, file);
  if (judged.reason == Reason::no_compiler)
    return text + fmt::format("not judged: this machine cannot tell\n  {}\n", judged.message);
  if (judged.right()) {
    text +=
        fmt::format("{}  right in {} cases, {} runs\n", stars_text(judged.stars), judged.cases, judged.runs);
  } else {
    text += fmt::format("{}  not right: {}{}\n", stars_text(0), to_string(judged.reason),
                        judged.kind.empty() ? "" : " (" + judged.kind + ")");
    text += "  " + judged.message + "\n";
  }
  for (const GoalResult& goal : judged.goals) text += goal_text(goal);
  text +=
      fmt::format("Compiled in {:.0f} ms, run in {:.0f} ms  [measured]\n", judged.compile_ms, judged.run_ms);
  return text;
}

}  // namespace warplens::lesson
