// Plays a lesson, as pure logic: what step it is, what was answered, what is done, what the window shall
// show. The window gives what it shows as facts (facts.h) and gets back values; a test does the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/answers.h"
#include "core/lesson/facts.h"
#include "core/lesson/lesson.h"

namespace warplens::lesson {

// One question of a step.
struct QuestionProgress {
  Answer given;                    // std::monostate: nothing yet
  std::optional<Verdict> verdict;  // of `given`; of a prediction once the truth is known
  uint32_t tries = 0;              // wrong answers; of a prediction none
  bool answered = false;           // rightly; a prediction: at all
};

struct StepProgress {
  std::vector<QuestionProgress> questions;
  uint32_t hints = 0;        // that were shown
  bool done = false;         // stays once it was
  bool shown = false;        // the teacher has revealed it, with R
  std::optional<Show> left;  // what the window showed when the student went on; Back brings it back
};

struct Player {
  std::shared_ptr<const Lesson> lesson;
  size_t at = 0;
  std::vector<StepProgress> steps;

  const LessonStep& step() const { return lesson->steps[at]; }
  const StepProgress& progress() const { return steps[at]; }
  bool last() const { return at + 1 == steps.size(); }
};

// At the first step. The lesson must have one.
Player start_lesson(std::shared_ptr<const Lesson> lesson);
// The same place in a lesson that was read again: steps with the same id keep their progress.
Player carried_over(const Player& before, std::shared_ptr<const Lesson> lesson);

// What the window shall be set to. Changes with the step, and when the last question of a step with a reveal
// is answered.
Show wanted_show(const Player& player);

struct Heard {
  Verdict verdict;
  bool all_answered = false;  // of the step
};
// Gives an answer. A wrong one can be given again; a prediction counts at once and cannot be taken back. An
// error is a mistake of the lesson.
Result<Heard> give_answer(Player& player, size_t question, const Answer& answer, const Facts& facts,
                          const RunResult* result);
// Call when the window shows wanted_show(), whenever the facts have changed: finds out whether the step is
// done, and how predictions came out. `result` must be of what is set now; facts of an older run are to be
// left unknown.
Result<void> look_again(Player& player, const Facts& facts, const RunResult* result);

// Facts with those of the player: answers and tries.
Facts with_answers(const Player& player, Facts facts);

// Why Next does nothing yet: a sentence, or empty if the step is done.
std::string still_missing(const Player& player, const Facts& facts);
// Goes on if the step is done; `left` is what the window shows. False if it stays.
bool go_next(Player& player, const Show& left);
bool go_back(Player& player, const Show& left);
// To any step, for a teacher.
void go_to(Player& player, size_t step, const Show& left);
// Back to what the step declares; answers that were not right are forgotten.
void reset_step(Player& player);
// False if there are no more.
bool show_hint(Player& player);
// The teacher's R: answers and hidden values are shown.
void reveal_step(Player& player);

// Names of expressions and things that read "?" now.
std::vector<std::string> hidden_now(const Player& player);
bool is_hidden(const Player& player, std::string_view name);

// Whether the student may change this now: a number of the kernel, "block", "code", …. The range is empty for
// all that the kernel allows.
const Change* may_change(const Player& player, std::string_view name);
// What `now` has changed that the step does not allow, in words; empty if nothing. Such a student gets Reset.
std::string wandered_off(const Player& player, const Show& now);

// How good predictions were: guesses within their tolerance, and the median of how far numbers were off.
struct Calibration {
  uint32_t predictions = 0, right = 0;
  std::optional<double> median_off;  // as a share of the truth
};
Calibration calibration_of(const Player& player);

// Votes of a class for A to D, by number keys.
struct Tally {
  uint32_t votes[4] = {};
  uint32_t total() const { return votes[0] + votes[1] + votes[2] + votes[3]; }
};

}  // namespace warplens::lesson
