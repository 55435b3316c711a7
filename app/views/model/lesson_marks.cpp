#include "app/views/model/lesson_marks.h"

#include "app/state/parts/lesson.h"
#include "core/lesson/play/answers.h"

namespace warplens {
std::vector<PlotMark> lesson_marks(const AppState& state, std::string_view plot) {
  std::vector<PlotMark> marks;
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr) return marks;
  for (size_t i = 0; i < step->questions.size(); ++i) {
    const lesson::Question& question = step->questions[i];
    if (question.kind != lesson::QuestionKind::marker || question.plot != plot) continue;
    const lesson::QuestionProgress& own = current_answers(state)->questions[i];
    const auto* answer = std::get_if<lesson::NumberAnswer>(&own.answer);
    const bool shown = own.mark == lesson::AnswerMark::shown;
    if (answer != nullptr && !shown)
      marks.push_back({answer->value,
                       (question.predict ? "your guess: " : "your answer: ") +
                           lesson::with_unit(answer->value, question.unit.text),
                       true});
    if (own.truth) marks.push_back({*own.truth, "the truth: " + own.truth_words, false});
  }
  return marks;
}

std::vector<ClickMark> click_marks(const AppState& state) {
  std::vector<ClickMark> marks;
  const lesson::StepProgress* answers = current_answers(state);
  for (const lesson::QuestionProgress& own :
       answers != nullptr ? answers->questions : std::vector<lesson::QuestionProgress>{}) {
    if (const auto* clicks = std::get_if<lesson::ClickAnswer>(&own.answer))
      for (const lesson::Target& target : clicks->clicked) marks.push_back({target, false});
    if (own.off && own.mark == lesson::AnswerMark::wrong) marks.push_back({*own.off, true});
  }
  return marks;
}

std::optional<View> view_of_plot(std::string_view plot) {
  if (plot == "sizes" || plot == "blocks") return View::timing;
  if (plot.starts_with("occupancy")) return View::occupancy;
  return std::nullopt;
}

std::optional<size_t> marker_question(const AppState& state, View view) {
  const lesson::LessonStep* step = current_step(state);
  const std::optional<size_t> open = open_question(state);
  if (step == nullptr || !open) return std::nullopt;
  const lesson::Question& question = step->questions[*open];
  const bool here = question.kind == lesson::QuestionKind::marker && view_of_plot(question.plot) == view;
  return here ? open : std::nullopt;
}

}  // namespace warplens
