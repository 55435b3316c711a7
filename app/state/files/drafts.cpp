#include "app/state/files/drafts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/base/language.h"
#include "app/state/files/link.h"
#include "app/state/files/session.h"
#include "app/state/parts/course.h"
#include "app/state/reducers/files.h"
#include "app/state/reducers/learn.h"
#include "core/base/json/json.h"
#include "core/base/json/json_reader.h"
#include "core/base/json/json_values.h"
#include "core/lesson/play/step_progress_json.h"

namespace warplens {
namespace {

constexpr const char* drafts_marker = "warplens_drafts";
constexpr uint64_t drafts_version = 1;
constexpr size_t most_drafts = 1000;

ReportJson code_json(const CodeState& code) {
  ReportJson json;
  json["name"] = code.name;
  if (!code.path.empty()) json["path"] = code.path;
  if (!code.entry.empty()) json["entry"] = code.entry;
  if (!code.copy_of.empty()) json["copy_of"] = code.copy_of;
  json["text"] = code.text;
  return json;
}

ReportJson programs_json(const AppState& state) {
  std::map<std::string, ProgramDraft> all = state.drafts.programs;
  const ProgramSource& source = state.program.source;
  if (source.dirty()) all[source.path] = {source.text, source.saved};
  ReportJson json = ReportJson::object();
  for (const auto& [path, draft] : all) json[path] = {{"text", draft.text}, {"saved", draft.saved}};
  return json;
}

ReportJson lesson_json(const LessonDraft& draft) {
  ReportJson json;
  json["at"] = draft.at;
  json["steps"] = ReportJson::object();
  for (const auto& [id, step] : draft.steps) {
    ReportJson& one = json["steps"][id] = lesson::step_progress_json(step.progress);
    if (step.left) one["left"] = session_json(step.left->session);
  }
  return json;
}

Session read_place_in(JsonReader& reader, const JsonNode& node) { return read_session_in(reader, node, ""); }

CodeState read_code(JsonReader& reader, const JsonNode& node) {
  CodeState code;
  code.own = true;
  code.name = reader.text(reader.required(node, "name"));
  code.path = reader.text(reader.member(node, "path"));
  code.entry = reader.text(reader.member(node, "entry"));
  code.copy_of = reader.text(reader.member(node, "copy_of"));
  code.text = reader.text(reader.required(node, "text"));
  return code;
}

ProgramDraft read_program(JsonReader& reader, const JsonNode& node) {
  return {reader.text(reader.required(node, "text")), reader.text(reader.required(node, "saved"))};
}

LessonDraft read_lesson(JsonReader& reader, const JsonNode& node) {
  LessonDraft draft;
  draft.at = reader.text(reader.required(node, "at"));
  const JsonNode steps = reader.required(node, "steps");
  if (!steps || !steps.value->is_object()) return draft;
  for (const auto& [id, value] : steps.value->items()) {
    const JsonNode one{&value, steps.path + "." + id};
    LessonDraft::Step& step = draft.steps[id];
    step.progress = lesson::read_step_progress(reader, one);
    if (const JsonNode left = reader.member(one, "left"))
      step.left = std::make_shared<const LeftStep>(LeftStep{read_place_in(reader, left)});
  }
  return draft;
}

// Reads parts one by one: one that cannot be read does not take the others with it.
class Parts {
 public:
  Parts(std::string file, std::vector<std::string>& problems)
      : m_file(std::move(file)), m_problems(problems) {}

  // Calls `take` with what `read` makes of the node, if that is there and has no mistake.
  template <class Read, class Take>
  void one(const JsonNode& node, Read read, Take take) {
    if (!node) return;
    JsonReader reader{m_file};
    auto part = read(reader, node);
    if (reader.ok())
      take(std::move(part));
    else
      m_problems.push_back(reader.error().message);
  }

  template <class Read, class Take>
  void each(const Json& object, const char* name, Read read, Take take) {
    const auto list = object.find(name);
    if (list == object.end() || !list->is_structured()) return;
    size_t count = 0;
    for (const auto& item : list->items()) {
      if (++count > most_drafts) break;
      const std::string& key = item.key();
      one({&item.value(), fmt::format("{}.{}", name, key)}, read,
          [&](auto part) { take(key, std::move(part)); });
    }
  }

 private:
  std::string m_file;
  std::vector<std::string>& m_problems;
};

CoursePlace read_place(JsonReader& reader, const JsonNode& node) {
  return {reader.text(reader.member(node, "lesson")), reader.text(reader.member(node, "step")),
          reader.text(reader.member(node, "challenge"))};
}

// The number of the step from 1; 0 if the lesson has none of this id.
size_t number_of_step(const CourseLesson& lesson, const std::string& id) {
  const auto at = std::ranges::find(lesson.steps, id);
  return at == lesson.steps.end() ? 0 : static_cast<size_t>(at - lesson.steps.begin()) + 1;
}

}  // namespace

std::string OfferedPlace::words() const {
  for (const CourseLesson& lesson : course_lessons(spoken())) {
    if (lesson.name != place.lesson) continue;
    const size_t step = number_of_step(lesson, place.step);
    return step == 0 ? fmt::format("lesson {}", lesson.number)
                     : fmt::format("lesson {}, step {}", lesson.number, step);
  }
  for (const CourseChallenge& challenge : course_challenges(spoken()))
    if (challenge.name == place.challenge)
      return fmt::format("challenge {}, {}", challenge.number, challenge.title);
  return session.own() ? session.code_name : std::string();
}

std::string drafts_text(const AppState& state, bool ended_well) {
  ReportJson json;
  json[drafts_marker] = drafts_version;
  json["ended_well"] = ended_well;
  const CoursePlace place = place_of(state);
  json["place"] = {{"lesson", place.lesson}, {"step", place.step}, {"challenge", place.challenge}};
  Session session = session_of(state);
  session.text_percent = 0;  // a setting of its own
  json["session"] = session_json(session);
  json["codes"] = ReportJson::array();
  const bool of_lesson = state.lesson.is_open();
  for (const auto& [key, code] : state.drafts.codes)
    if (of_lesson || key != key_of(state.code)) json["codes"].push_back(code_json(code));
  if (!of_lesson && state.code.is_draft()) json["codes"].push_back(code_json(state.code));
  json["earlier"] = ReportJson(state.drafts.earlier);
  json["programs"] = programs_json(state);
  json["lessons"] = ReportJson::object();
  for (const auto& [key, lesson] : state.drafts.lessons) json["lessons"][key] = lesson_json(lesson);
  if (of_lesson)
    json["lessons"][detail::key_of_lesson(*state.lesson.open)] = lesson_json(detail::draft_of_lesson(state));
  return json_values::indented(json);
}

Result<ReadDrafts> parse_drafts(std::string_view text, const std::string& name) {
  const Result<Json> document = parse_json(text, name);
  if (!document) return document.error();
  JsonReader reader{name};
  const JsonNode root{&*document, ""};
  reader.expect_version(root, drafts_marker, drafts_version);
  if (!reader.ok()) return reader.error();
  ReadDrafts read;
  OfferedPlace& offer = read.offer;
  Parts parts{name, read.problems};
  parts.one(
      reader.member(root, "ended_well"), [](JsonReader& r, const JsonNode& n) { return r.boolean(n, true); },
      [&](bool ended) { offer.ended_well = ended; });
  parts.one(reader.member(root, "place"), read_place,
            [&](CoursePlace place) { offer.place = std::move(place); });
  parts.one(reader.member(root, "session"), read_place_in,
            [&](Session session) { offer.session = std::move(session); });
  parts.each(*document, "codes", read_code, [&](const std::string&, CodeState code) {
    std::string key = key_of(code);
    offer.drafts.codes[std::move(key)] = std::move(code);
  });
  parts.each(
      *document, "earlier", [](JsonReader& r, const JsonNode& n) { return r.text(n); },
      [&](const std::string& key, std::string code) { offer.drafts.earlier[key] = std::move(code); });
  parts.each(*document, "programs", read_program, [&](const std::string& path, ProgramDraft draft) {
    offer.drafts.programs[path] = std::move(draft);
  });
  parts.each(*document, "lessons", read_lesson, [&](const std::string& key, LessonDraft lesson) {
    offer.drafts.lessons[key] = std::move(lesson);
  });
  return read;
}

void add_drafts(DraftsState& drafts, const DraftsState& newer) {
  for (const auto& [key, code] : drafts.codes)
    if (const auto other = newer.codes.find(key);
        other != newer.codes.end() && other->second.text != code.text)
      drafts.earlier[key] = code.text;
  for (const auto& [key, text] : newer.earlier) drafts.earlier.insert_or_assign(key, text);
  for (const auto& [key, code] : newer.codes) drafts.codes.insert_or_assign(key, code);
  for (const auto& [path, draft] : newer.programs) drafts.programs.insert_or_assign(path, draft);
  for (const auto& [key, lesson] : newer.lessons) drafts.lessons.insert_or_assign(key, lesson);
}

namespace detail {
namespace {

void continue_at(AppState& state, const OfferedPlace& offer) {
  if (!offer.place.lesson.empty())
    return apply(state, OpenLesson{offer.place.lesson, step_of(offer.place.lesson, offer.place.step), true});
  if (offer.place.challenge.empty())
    return apply(state, SessionLoaded{std::make_shared<const Session>(offer.session), ""});
  apply(state, OpenChallenge{offer.place.challenge});
  if (!state.challenge.is_open()) return;
  // The launch that was chosen, as soon as the code is compiled.
  state.files.opening_session = std::make_shared<const Session>(offer.session);
  if (const auto view = tab_from(offer.session.view)) state.frame.view = *view;
}

}  // namespace

void apply(AppState& state, const OfferPlace& action) {
  const OfferedPlace& offer = *action.offer;
  if (!offer.in_other_window) add_drafts(state.drafts, offer.drafts);
  const bool has_place = !offer.words().empty();
  if (!has_place && !offer.in_other_window) return;
  state.drafts.offered = action.offer;
  if (offer.in_other_window) state.frame.dialog = Dialog::other_window;
}

void apply(AppState& state, const Continue& action) {
  const auto offer = std::exchange(state.drafts.offered, nullptr);
  if (state.frame.dialog == Dialog::other_window) state.frame.dialog = Dialog::none;
  if (!offer || !action.on) return;
  if (offer->in_other_window) add_drafts(state.drafts, offer->drafts);
  state.frame.welcome = false;
  if (!offer->words().empty()) continue_at(state, *offer);
}

}  // namespace detail
}  // namespace warplens
