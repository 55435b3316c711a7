#include "app/worker/class_follower.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/base/json/json_reader.h"
#include "core/base/system/embedded.h"
#include "core/base/text.h"
#include "core/system/places.h"
#include "core/system/process.h"

namespace warplens {

namespace {

constexpr uint64_t most_students = 1'000'000;

std::vector<ClassAnswer> answers_in(JsonReader& reader, const JsonNode& tally) {
  std::vector<ClassAnswer> answers;
  for (size_t i = 0; i < reader.array_size(tally); ++i) {
    const JsonNode one = reader.element(tally, i);
    const JsonNode correct = reader.member(one, "correct");
    answers.push_back({reader.text(reader.required(one, "answer")),
                       correct && correct.value->is_boolean() && correct.value->get<bool>(),
                       uint32_t(reader.unsigned_integer(reader.required(one, "count"), most_students))});
  }
  return answers;
}

void read_room(JsonReader& reader, const JsonNode& room, ClassNews& news) {
  news.reveal = reader.boolean(reader.member(room, "reveal"), false);
  const JsonNode to = reader.member(room, "to");
  if (!to || to.value->is_null()) return;
  if (const JsonNode lesson = reader.member(to, "lesson")) news.lesson = reader.text(lesson);
  if (const JsonNode step = reader.member(to, "step")) news.step = reader.text(step);
}

// What the follower says last, if the script ended.
std::string why_ended(const ProcessEnd& end) {
  const std::string_view said = trimmed(end.err);
  return said.empty() ? fmt::format("Python ended with status {}.", end.status)
                      : std::string(said.substr(said.rfind('\n') + 1));
}

}  // namespace

Result<ClassTold> parse_class_told(std::string_view line) {
  const char* name = "what the class's server tells";
  const Result<Json> document = parse_json(line, name);
  if (!document) return document.error();
  JsonReader reader(name);
  const JsonNode root{&*document, ""};
  ClassTold told;
  if (const JsonNode problem = reader.member(root, "problem")) {
    told.problem = reader.text(problem);
  } else {
    ClassNews news;
    news.name = reader.text(reader.required(root, "name"));
    news.students = uint32_t(reader.unsigned_integer(reader.required(root, "students"), most_students));
    read_room(reader, reader.required(root, "room"), news);
    const JsonNode tallies = reader.required(root, "tallies");
    if (tallies && tallies.value->is_object())
      for (const auto& [question, tally] : tallies.value->items())
        news.answers[question] = answers_in(reader, {&tally, "tallies." + question});
    told.news = std::make_shared<const ClassNews>(std::move(news));
  }
  if (!reader.ok()) return reader.error();
  return told;
}

ClassFollower::ClassFollower(std::function<void()> on_event)
    : m_box(
          {.outdates = [](const Action&, const Action&) { return true; }},
          [](const std::string& link, const auto& worker) -> std::optional<Action> {
            HeardProgram script;
            script.words = {chosen_python(), "-I", "-c", std::string(find_embedded("class/follow.py"))};
            script.variables = {{"WARPLENS_CLASS", link}};
            std::string last;  // what went wrong
            const auto line = [&](std::string_view text) {
              const Result<ClassTold> told = parse_class_told(text);
              last = told ? told->problem : told.error().message;
              worker.report(told ? *told : ClassTold{nullptr, last});
            };
            const Result<ProcessEnd> end = run_told(script, line, worker.stop);
            if (!end)
              return ClassTold{nullptr, "Python 3, with which a class is followed, is not on this machine."};
            if (end->stopped) return std::nullopt;
            return ClassTold{nullptr, last.empty() ? why_ended(*end) : last};
          },
          std::move(on_event)) {}

}  // namespace warplens
