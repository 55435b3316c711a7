// Plays a lesson, as pure logic: the current step, the answers, what is done, hidden and allowed. The window
// and the check of lessons (play.h) own one and pass it facts about what is shown (facts.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/format/lesson.h"
#include "core/lesson/goals/facts.h"
#include "core/lesson/play/answers.h"

namespace warplens::lesson {

enum class AnswerMark : uint8_t {
  open,     // not answered yet, or changed since then
  wrong,    // answered, and it may be tried again
  right,    // answered rightly
  guessed,  // a prediction; its truth is shown as soon as the run knows it
  shown     // the teacher revealed it
};

// One question of a step.
struct QuestionProgress {
  Answer answer;                   // as far as it is given; for a click question, the clicks found
  std::vector<std::string> typed;  // what stands in its fields, while it is open
  AnswerMark mark = AnswerMark::open;
  std::string words;                // the feedback for the answer; may be empty
  bool told = false;                // the truth of a prediction, or of a revealed question, is known
  std::optional<double> truth;      // of a number, once `told`
  bool guess_right = false;         // of a prediction, once `told`
  std::string truth_words;          // "157 blocks"; empty until it is known
  bool counted = false;             // a prediction is part of the score; Reset does not undo that
  std::array<uint32_t, 4> votes{};  // of the class, A to D
  std::optional<Target> off;        // the last click, if it was wrong
  uint32_t wanted = 0;              // how many clicks are needed; 0 if not known yet
  bool settled() const { return mark != AnswerMark::open && mark != AnswerMark::wrong; }
};

struct StepProgress {
  std::vector<QuestionProgress> questions;
  size_t hints = 0;                  // number of hints shown
  uint32_t tries = 0;                // wrong answers
  bool revealed = false;             // by the teacher (R)
  bool changed = false;              // what `reveal` names is shown
  bool done = false;                 // stays true once set
  std::vector<std::string> missing;  // messages of the conditions that do not hold
};

struct Player {
  std::shared_ptr<const Lesson> lesson;  // null if no lesson is open
  size_t at = 0;
  size_t question = 0;  // the one that keys and clicks answer first
  std::vector<StepProgress> steps;

  const LessonStep& step() const { return lesson->steps[at]; }
  const StepProgress& progress() const { return steps[at]; }
  StepProgress& progress() { return steps[at]; }
  bool last() const { return at + 1 == steps.size(); }
};

// Starts at the first step. The lesson must have one.
Player start_lesson(std::shared_ptr<const Lesson> lesson);
// The same position in a lesson that was read again. Steps with the same id and the same number of questions
// keep their progress, except the current one, which starts again.
Player carried_over(const Player& before, std::shared_ptr<const Lesson> lesson);

// What the step shows. After its questions are answered, this includes the changes of `reveal`.
Show wanted_show(const Player& player);
// Facts with those of the player: answers and tries.
Facts with_answers(const Player& player, Facts facts);

// The first open question, of this kind if one is given; `Player::question` is checked first.
std::optional<size_t> open_question(const Player& player, std::optional<QuestionKind> kind = std::nullopt);

// Sets the answer that give_answer() submits. False if the question is settled, or there is none.
bool set_answer(Player& player, size_t question, const Answer& answer);

// These four return true if the window must now show the changes of `reveal`. An error is a mistake of the
// lesson; it is also in the question's words. `result` must be that of the current setup, and facts of an
// older run must be unknown. An answer that the run decides is open until then.

// A prediction is always accepted; other answers are judged.
Result<bool> give_answer(Player& player, size_t question, const Facts& facts, const RunResult* result);
// Adds a click to a click question. Found clicks stay; a wrong click counts as a try.
Result<bool> give_click(Player& player, const Target& clicked, const Facts& facts, const RunResult* result);
// The teacher's R key: open questions are filled in from the solution, and nothing counts as done.
bool reveal_step(Player& player);

struct Looked {
  bool done_now = false;        // the step became done in this call
  std::vector<size_t> counted;  // predictions whose truth became known in this call: each once
};
// Call it when the window shows wanted_show(), and whenever the facts have changed. It resolves predictions
// and determines whether the step is done.
Result<Looked> look_again(Player& player, const Facts& facts, const RunResult* result);

void go_to(Player& player, size_t step);
// Resets to what the step declares: answers, tries and hints are cleared.
void reset_step(Player& player);
// False if there are no more.
bool show_hint(Player& player);
// A vote of the class for A to D, counted up or down.
void vote(Player& player, size_t question, uint32_t letter, int by);

// Names of expressions and things that are shown as "?" now.
std::span<const std::string> hidden_now(const Player& player);
// Whether `name` is the group or a member of it: "counters.warp_instructions" of "counters".
bool belongs_to(std::string_view name, std::string_view group);
bool is_hidden(const Player& player, std::string_view name);
// Whether a prediction is still open, so that the outcome of the run must not be shown.
bool outcome_is_hidden(const Player& player);

// Whether the student may change this now: a number of the kernel, "block", "code", …. The range is empty if
// all values that the kernel allows are. Null if it is fixed.
const Change* may_change(const Player& player, std::string_view name);

}  // namespace warplens::lesson
