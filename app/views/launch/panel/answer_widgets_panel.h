// The controls with which a question of each kind is answered, by mouse and by keys.
#pragma once

#include "app/views/launch/panel/questions_panel.h"
#include "core/lesson/play/answers.h"

namespace warplens {

struct AnswerInput {
  const AppState& state;
  const lesson::Question& question;
  const lesson::QuestionProgress& own;
  size_t index;
  bool takes_keyboard = false;  // its field gets the keyboard in this frame
};

void draw_number(const AnswerInput& input, QuestionsState& own, Actions& actions);
void draw_choices(const AnswerInput& input, const QuestionsState& own, Actions& actions);
void draw_clicks(const AnswerInput& input, QuestionsState& own, Actions& actions);
void draw_marker(const AnswerInput& input, Actions& actions);
void draw_order(const AnswerInput& input, QuestionsState& own, Actions& actions);
void draw_formula_boxes(const AnswerInput& input, QuestionsState& own, Actions& actions);

}  // namespace warplens
