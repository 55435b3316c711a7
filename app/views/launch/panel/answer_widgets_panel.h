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

void draw_number(const AnswerInput& input, Actions& actions);
void draw_choices(const AnswerInput& input, const QuestionsState& own, Actions& actions);
void draw_clicks(const AnswerInput& input, QuestionsState& own, Actions& actions);
void draw_marker(const AnswerInput& input, Actions& actions);
void draw_order(const AnswerInput& input, QuestionsState& own, Actions& actions);
void draw_formula_boxes(const AnswerInput& input, QuestionsState& own, Actions& actions);

// ---- what they have in common

// Whether keys without Ctrl or Alt are for the question: no field, dialog or popup has them.
bool keys_are_free(const AppState& state);
// True in the frame in which Enter was pressed in the field. The first one of a question gets the keyboard.
bool text_field(const char* id, std::string& text, float width, const AnswerInput& input,
                const char* hint = "", bool first = true);
// What stands in the fields of a question, and that it is so now.
std::vector<std::string> typed_texts(const AnswerInput& input, size_t fields);
void keep_typed(const AnswerInput& input, std::vector<std::string> texts, Actions& actions);
void give(size_t question, lesson::Answer answer, Actions& actions);
const char* give_label(const lesson::Question& question);

}  // namespace warplens
