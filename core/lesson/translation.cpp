// The words of a translation (lesson.de.md) over those of the lesson.
#include <fmt/format.h>

#include <algorithm>

#include "core/lesson/read_parts.h"

namespace warplens::lesson {
namespace {

class Translator {
 public:
  Translator(Lesson& lesson, Mistakes& mistakes) : m_lesson(lesson), m_mistakes(mistakes) {}

  void put(const Lesson& translation) {
    m_lesson.language = translation.language;
    over(m_lesson.title, translation.title);
    over(m_lesson.about, translation.about);
    over(m_lesson.author, translation.author);
    for (const LessonStep& step : translation.steps) {
      const auto found = std::ranges::find(m_lesson.steps, step.id, &LessonStep::id);
      if (found == m_lesson.steps.end())
        m_mistakes.error(step.line, fmt::format("lesson.md has no step {{#{}}}", step.id));
      else
        put_step(*found, step);
    }
    for (const LessonStep& step : m_lesson.steps)
      if (std::ranges::find(translation.steps, step.id, &LessonStep::id) == translation.steps.end())
        m_mistakes.warning(0, fmt::format("the step {{#{}}} is not translated", step.id));
  }

 private:
  static void over(std::string& into, const std::string& words) {
    if (!words.empty()) into = words;
  }
  static void over(Placed& into, const Placed& words) {
    if (!words.empty()) into = words;
  }

  void put_step(LessonStep& step, const LessonStep& words) {
    over(step.title, words.title);
    over(step.text, words.text);
    over(step.then, words.then);
    over(step.notes, words.notes);
    if (words.hints.size() > step.hints.size())
      m_mistakes.error(words.line, fmt::format("there are {} hints here, lesson.md has {}",
                                               words.hints.size(), step.hints.size()));
    for (size_t i = 0; i < std::min(step.hints.size(), words.hints.size()); ++i)
      over(step.hints[i], words.hints[i]);
    if (!words.questions.empty() && words.questions.size() != step.questions.size())
      m_mistakes.error(words.line, fmt::format("there are {} questions here, lesson.md has {}",
                                               words.questions.size(), step.questions.size()));
    for (size_t i = 0; i < std::min(step.questions.size(), words.questions.size()); ++i)
      put_question(step.questions[i], words.questions[i]);
    put_conditions(step, words);
  }

  void put_question(Question& question, const Question& words) {
    over(question.text, words.text);
    over(question.unit, words.unit);
    over(question.shows, words.shows);
    over(question.otherwise, words.otherwise);
    for (size_t i = 0; i < std::min(question.choices.size(), words.choices.size()); ++i) {
      over(question.choices[i].text, words.choices[i].text);
      over(question.choices[i].because, words.choices[i].because);
    }
    if (!words.items.empty() && words.items.size() != question.items.size())
      m_mistakes.error(words.line, fmt::format("there are {} items here, lesson.md has {}",
                                               words.items.size(), question.items.size()));
    for (size_t i = 0; i < std::min(question.items.size(), words.items.size()); ++i)
      over(question.items[i].text, words.items[i].text);
  }

  void put_conditions(LessonStep& step, const LessonStep& words) {
    size_t at = 0;
    for (const Condition& condition : words.done) {
      while (at < step.done.size() && step.done[at].otherwise.empty()) ++at;
      if (!condition.expression.empty())
        m_mistakes.error(condition.expression.line,
                         "a translation has lines else SENTENCE here and no conditions");
      else if (at == step.done.size())
        m_mistakes.error(condition.otherwise.line, "lesson.md has fewer conditions with a sentence");
      else
        over(step.done[at++].otherwise, condition.otherwise);
    }
  }

  Lesson& m_lesson;
  Mistakes& m_mistakes;
};

}  // namespace

void put_translation(Lesson& lesson, const Lesson& translation, Mistakes& mistakes) {
  Translator(lesson, mistakes).put(translation);
}

}  // namespace warplens::lesson
