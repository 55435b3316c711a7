// The lesson that is open: its steps, what the student answered, and what the step allows and hides
// (docs/lessons.md). What the window shows is the rest of the state, which a step sets like a session.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/lesson.h"

namespace warplens {

struct Session;
namespace lesson {
struct Facts;
}

struct LoadedLesson {
  lesson::Folder folder;
  lesson::Lesson lesson;
  std::vector<Diagnostic> diagnostics;
};

enum class AnswerMark : uint8_t {
  open,     // not answered yet, or changed since then
  wrong,    // answered, and it may be tried again
  right,    // answered rightly
  guessed,  // a prediction; its truth is shown as soon as the run knows it
  shown     // the teacher revealed it
};

struct QuestionState {
  lesson::Answer answer;  // as far as it is given; of a click question what was found
  AnswerMark mark = AnswerMark::open;
  std::string words;                  // what is said to the answer; may be empty
  std::optional<double> truth;        // of a prediction or a revealed number
  bool guess_right = false;           // of a prediction whose truth is known
  std::string truth_words;            // "157 blocks"; empty as long as it is not known
  bool counted = false;               // a prediction is part of the score
  std::array<uint32_t, 4> votes{};    // of the class, A to D
  std::optional<lesson::Target> off;  // the last click, if it was wrong
  uint32_t wanted = 0;                // how many clicks are looked for; 0: not known yet
  bool settled() const { return mark != AnswerMark::open && mark != AnswerMark::wrong; }
};

struct LeftStep;

struct LessonStepState {
  std::vector<QuestionState> questions;
  size_t hints = 0;       // that are shown
  uint32_t tries = 0;     // wrong answers
  bool revealed = false;  // by the teacher (R)
  bool changed = false;   // what `reveal` names is shown
  bool done = false;
  std::vector<std::string> missing;      // what the conditions that do not hold say
  std::shared_ptr<const LeftStep> left;  // what the student had set when the step was left; null if nothing
};

// What is shown of a run A before the step begins: first A runs, then the step.
enum class ShowPhase : uint8_t { step, baseline, compiling };

struct LessonState {
  std::shared_ptr<const LoadedLesson> open;  // null if none is
  size_t step = 0;
  std::vector<LessonStepState> steps;
  // Mistakes of the file as it was last read. If there are errors, `open` is what was read before, if
  // anything.
  std::vector<Diagnostic> mistakes;
  std::string broken;  // name of the folder that could not be opened, while none is open
  ShowPhase phase = ShowPhase::step;
  bool runs_a = false;                    // the run A is still to come
  bool placed = false;                    // the Step view stands where the step says
  std::string own_text;                   // of the code as the step gave it
  std::shared_ptr<const Session> before;  // what was there before the lesson was opened, which comes back
  uint64_t runs_before = 0;               // runs that there were when the step began
  bool notes = false;                     // the teacher's notes are shown
  bool votes = false;                     // number keys count votes instead of choosing
  size_t question = 0;                    // that number keys and clicks answer
  uint64_t entered = 0;  // counts steps that were entered, so that the strip begins at its top
  uint64_t told = 0;     // counts refusals of changes, so that the strip says why
  std::string refusal;   // "The block is fixed in this step."
  std::shared_ptr<const lesson::Facts> facts;  // what conditions and texts speak of, as it is now

  bool is_open() const { return open != nullptr; }
};

struct AppState;
struct Problem;
class Action;

// The step that is shown; null if no lesson is open.
const lesson::LessonStep* current_step(const AppState& state);
const LessonStepState* current_answers(const AppState& state);
// The first question that is not settled, of this kind if one is named. Empty if there is none.
std::optional<size_t> open_question(const AppState& state,
                                    std::optional<lesson::QuestionKind> kind = std::nullopt);

// Whether this figure reads "?": an expression of docs/lessons.md, or formula, result, inspector, code. Of a
// group ("counters") it asks whether all of it is hidden.
bool is_hidden(const AppState& state, std::string_view name);
// Whether anything of the group ("occupancy") is.
bool any_hidden(const AppState& state, std::string_view group);

// Why a step does not allow this action; empty if it does, or if no lesson is open.
std::string why_not_allowed(const AppState& state, const Action& action);
// The range in which the step lets this be changed. Null if it is fixed.
const lesson::Change* allowed_change(const AppState& state, std::string_view name);

// The text with {{expressions}} replaced by their values, "?" where one is hidden or not known.
std::string filled_text(const AppState& state, const std::string& text);

// Warnings about speed that the step does not want are left out.
void quieten(const AppState& state, std::vector<Problem>& problems);

// What `answer` is in a condition: the number, the letter from 1, how many clicks. Empty for other answers.
std::optional<double> answer_number(const lesson::Answer& answer);

// What is true now: whether the step is done, and the truths of predictions. update() calls it after each
// change.
void judge_step(AppState& state);

}  // namespace warplens
