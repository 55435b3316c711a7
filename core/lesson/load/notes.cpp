#include "core/lesson/load/notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/lesson/play/answers.h"
#include "core/markdown/markdown.h"

namespace warplens::lesson {

std::vector<std::string> right_answers(const LessonStep& step, const Facts& solved) {
  std::vector<std::string> all;
  for (size_t i = 0; i < std::min(step.questions.size(), step.solution.answers.size()); ++i) {
    const Question& question = step.questions[i];
    const Result<Answer> answer = answer_in(step.solution.answers[i].text, question);
    if (!answer) continue;
    std::string text = text_of(*answer, question);
    if (question.kind == QuestionKind::choice && !question.right.text.empty())
      text += ": " + markdown::plain_text(markdown::read_line(filled_in(
                         question.choices[size_t(question.right.text[0] - 'A')].text.text, solved)));
    if (question.predict)
      if (const auto verdict = judge_answer(question, *answer, solved, nullptr);
          verdict && !verdict->truth_text.empty() && question.kind != QuestionKind::choice)
        text = verdict->truth_text;
    all.push_back(filled_in(text, solved));
  }
  return all;
}

StepText text_of_step(Stage& stage, const Lesson& lesson, size_t number, const std::stop_token& stop) {
  const LessonStep& step = lesson.steps[number];
  const auto staged = stage.set(step.show, stop);
  const Facts facts = staged ? (*staged)->facts : Facts{};
  return {number, filled_in(step.title.text, facts), filled_in(step.text.text, facts)};
}

std::string notes_of_step(Stage& stage, const Lesson& lesson, size_t number, const std::stop_token& stop) {
  const LessonStep& step = lesson.steps[number];
  const auto solved =
      stage.set(with_changes(with_changes(step.show, step.solution.changes), step.reveal), stop);
  const Facts facts = solved ? (*solved)->facts : Facts{};
  std::string text = fmt::format("{}. {}\n", number + 1, step.title.text);
  for (const std::string& answer : right_answers(step, facts)) text += "→ " + answer + "\n";
  return text + (step.notes.empty() ? "(no notes)" : filled_in(step.notes.text, facts)) + "\n";
}

}  // namespace warplens::lesson
