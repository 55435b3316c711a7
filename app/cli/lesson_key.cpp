#include "app/cli/lesson_key.h"

#include <algorithm>

#include "core/lesson/answers.h"

namespace warplens {

std::string plain_words(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`' ||
        (text[i] == '*' && (i == 0 || text[i - 1] != ' ' || i + 1 == text.size() || text[i + 1] != ' ')))
      continue;
    if (text.substr(i).starts_with("![")) {
      const size_t end = text.find(')', i);
      if (end == text.npos) break;
      i = end;
      continue;
    }
    plain += text[i];
  }
  return plain;
}

std::vector<std::string> right_answers(const lesson::LessonStep& step, const lesson::Facts& solved) {
  std::vector<std::string> all;
  for (size_t i = 0; i < std::min(step.questions.size(), step.solution.answers.size()); ++i) {
    const lesson::Question& question = step.questions[i];
    const Result<lesson::Answer> answer = lesson::answer_in(step.solution.answers[i].text, question);
    if (!answer) continue;
    std::string text = lesson::text_of(*answer, question);
    if (question.kind == lesson::QuestionKind::choice && !question.right.text.empty())
      text += ": " + plain_words(question.choices[size_t(question.right.text[0] - 'A')].text.text);
    if (question.predict)
      if (const auto verdict = lesson::judge_answer(question, *answer, solved, nullptr);
          verdict && !verdict->truth_text.empty() && question.kind != lesson::QuestionKind::choice)
        text = verdict->truth_text;
    all.push_back(std::move(text));
  }
  return all;
}

}  // namespace warplens
