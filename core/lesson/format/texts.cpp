#include "core/lesson/format/texts.h"

#include <fmt/format.h>

#include "core/base/hash.h"

namespace warplens::lesson {
namespace {

void add(TextPart& part, std::string name, Placed& text) {
  part.texts.push_back({std::move(name), &text.text, &text.line});
}

void add_question(TextPart& part, size_t number, Question& question) {
  const auto named = [&](std::string_view what) { return fmt::format("question {}: {}", number, what); };
  add(part, named("text"), question.text);
  for (size_t i = 0; i < question.choices.size(); ++i) {
    add(part, named(std::string(1, char('A' + i))), question.choices[i].text);
    add(part, named(fmt::format("if {}", char('A' + i))), question.choices[i].because);
  }
  add(part, named("unit"), question.unit);
  add(part, named("shows"), question.shows);
  for (size_t i = 0; i < question.items.size(); ++i)
    add(part, named(fmt::format("item {}", i + 1)), question.items[i].text);
  add(part, named("else"), question.otherwise);
}

TextPart part_of(LessonStep& step) {
  TextPart part{step.id, fmt::format("the step {{#{}}}", step.id), step.mark, step.line, {}};
  add(part, "the title", step.title);
  add(part, "the text", step.text);
  for (size_t i = 0; i < step.questions.size(); ++i) add_question(part, i + 1, step.questions[i]);
  size_t sentences = 0;
  for (Condition& condition : step.done)
    if (!condition.otherwise.empty())
      add(part, fmt::format("sentence {} of ```done", ++sentences), condition.otherwise);
  for (size_t i = 0; i < step.hints.size(); ++i) add(part, fmt::format("hint {}", i + 1), step.hints[i]);
  add(part, "### Then", step.then);
  add(part, "### Notes", step.notes);
  return part;
}

void add_goals(TextPart& part, std::string_view key, std::vector<Condition>& goals) {
  for (size_t i = 0; i < goals.size(); ++i) {
    add(part, fmt::format("as of {} {}", key, i + 1), goals[i].words);
    add(part, fmt::format("else of {} {}", key, i + 1), goals[i].otherwise);
  }
}

// Replaces each run of line breaks and blanks by one blank.
std::string evened(std::string_view text) {
  std::string even;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank)
      even += c;
    else if (!even.empty() && even.back() != ' ')
      even += ' ';
  }
  return even;
}

}  // namespace

std::vector<TextPart> texts_of(Lesson& lesson) {
  std::vector<TextPart> parts;
  TextPart& head = parts.emplace_back(TextPart{"head", "the head", lesson.mark.text, lesson.mark.line, {}});
  head.texts = {{"title", &lesson.title}, {"about", &lesson.about}, {"author", &lesson.author}};
  for (LessonStep& step : lesson.steps) parts.push_back(part_of(step));
  return parts;
}

std::vector<TextPart> texts_of(Challenge& challenge) {
  std::vector<TextPart> parts;
  const auto begin = [&](const std::string& id, const std::string& title) -> TextPart& {
    const auto mark = challenge.marks.find(id);
    const bool marked = mark != challenge.marks.end();
    return parts.emplace_back(
        TextPart{id, title, marked ? mark->second.text : "", marked ? mark->second.line : 0, {}});
  };
  TextPart& head = begin("head", "the head and the sentences of goal and stars");
  head.texts = {{"title", &challenge.title}, {"about", &challenge.about}, {"author", &challenge.author}};
  add_goals(head, "goal", challenge.goal);
  add_goals(head, "two", challenge.two);
  add_goals(head, "three", challenge.three);
  add(begin("task", "## Task"), "## Task", challenge.task);
  for (size_t i = 0; i < challenge.hints.size(); ++i)
    add(begin(fmt::format("hint_{}", i + 1), fmt::format("hint {}", i + 1)), fmt::format("hint {}", i + 1),
        challenge.hints[i]);
  if (!challenge.then.empty()) add(begin("then", "### Then"), "### Then", challenge.then);
  if (!challenge.notes.empty()) add(begin("notes", "### Notes"), "### Notes", challenge.notes);
  return parts;
}

std::string mark_of(const TextPart& part) {
  uint64_t hash = hash_of("");
  for (const Text& text : part.texts) {
    if (text.text->empty() || text.name == "author") continue;
    hash = hash_of(text.name, hash);
    hash = hash_of("\n", hash);
    hash = hash_of(evened(*text.text), hash);
    hash = hash_of("\n", hash);
  }
  return fmt::format("{:04x}", (hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) & 0xffff);
}

}  // namespace warplens::lesson
