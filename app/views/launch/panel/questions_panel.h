// The questions of a step in the window, with what was answered.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/widgets/panel.h"

namespace warplens {

struct QuestionsState {
  uint64_t entered = 0;                            // LessonState::entered of what follows
  std::map<size_t, std::string> mistakes;          // of what was written for a click, by question
  std::map<size_t, std::vector<uint32_t>> orders;  // of the items, while they are moved
  std::optional<size_t> open;                      // the question that was open in the last frame
  std::optional<size_t> next;          // the question that opened in this frame, or was answered wrongly
  uint32_t tries = 0;                  // StepProgress::tries in the last frame
  std::map<size_t, size_t> box;        // of a formula, that the next tile goes into
  std::map<size_t, std::string> said;  // the feedback for an answer, as last drawn
  double opened_s = 0;                 // when the open question appeared
};

// Once a frame, before the questions are drawn: one comes after the other.
void follow_questions(const AppState& state, QuestionsState& own);
void draw_answered_questions(const AppState& state, QuestionsState& own, Actions& actions);
void draw_open_question(const AppState& state, QuestionsState& own, Actions& actions);

// Number keys: choose one of A to D, or count a vote of the class.
void use_letter_keys(const AppState& state, Actions& actions);

}  // namespace warplens
