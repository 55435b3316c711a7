// Plays a lesson, as pure logic: what step it is, what was answered, what is done, hidden and allowed. The
// window and the check of lessons (play.h) keep one and tell it what is shown, as facts (facts.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/answers.h"
#include "core/lesson/facts.h"
#include "core/lesson/lesson.h"

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
  Answer answer;  // as far as it is given; of a click question what was found
  AnswerMark mark = AnswerMark::open;
  std::string words;                // what is said to the answer; may be empty
  bool told = false;                // the truth of a prediction, or of what was revealed, is known
  std::optional<double> truth;      // of a number that is told
  bool guess_right = false;         // of a prediction that is told
  std::string truth_words;          // "157 blocks"; empty as long as it is not known
  bool counted = false;             // a prediction is part of the score; Reset does not take it back
  std::array<uint32_t, 4> votes{};  // of the class, A to D
  std::optional<Target> off;        // the last click, if it was wrong
  uint32_t wanted = 0;              // how many clicks are looked for; 0: not known yet
  bool settled() const { return mark != AnswerMark::open && mark != AnswerMark::wrong; }
};

struct StepProgress {
  std::vector<QuestionProgress> questions;
  size_t hints = 0;                  // that are shown
  uint32_t tries = 0;                // wrong answers
  bool revealed = false;             // by the teacher (R)
  bool changed = false;              // what `reveal` names is shown
  bool done = false;                 // stays once it was
  std::vector<std::string> missing;  // what the conditions that do not hold say
};

struct Player {
  std::shared_ptr<const Lesson> lesson;  // null: none is open
  size_t at = 0;
  size_t question = 0;  // that keys and clicks answer first
  std::vector<StepProgress> steps;

  const LessonStep& step() const { return lesson->steps[at]; }
  const StepProgress& progress() const { return steps[at]; }
  StepProgress& progress() { return steps[at]; }
  bool last() const { return at + 1 == steps.size(); }
};

// At the first step. The lesson must have one.
Player start_lesson(std::shared_ptr<const Lesson> lesson);
// The same place in a lesson that was read again. Steps with the same id and as many questions keep their
// progress, all but the one that is shown: it begins anew.
Player carried_over(const Player& before, std::shared_ptr<const Lesson> lesson);

// What the step shows: after its questions with the changes of `reveal`.
Show wanted_show(const Player& player);
// Facts with those of the player: answers and tries.
Facts with_answers(const Player& player, Facts facts);

// The first question that is not settled, of this kind if one is named; `Player::question` comes first.
std::optional<size_t> open_question(const Player& player, std::optional<QuestionKind> kind = std::nullopt);

// Sets what give_answer() gives. False if the question is settled, or there is none.
bool set_answer(Player& player, size_t question, const Answer& answer);

// These four return true if the window shall now show what `reveal` names. An error is a mistake of the
// lesson; it also stands in the question's words. `result` must be of what is set now, and facts of an older
// run left unknown; an answer that the run decides is open until then.

// A prediction is taken whatever it is; another answer is judged.
Result<bool> give_answer(Player& player, size_t question, const Facts& facts, const RunResult* result);
// One more click on what a click question asks for. What was found stays; a wrong click counts as a try.
Result<bool> give_click(Player& player, const Target& clicked, const Facts& facts, const RunResult* result);
// The teacher's R: what is not answered is filled in from the solution, and nothing counts as done.
bool reveal_step(Player& player);

struct Looked {
  bool done_now = false;        // the step became done by this
  std::vector<size_t> counted;  // predictions whose truth came out by this: each once
};
// Call when the window shows wanted_show(), whenever the facts have changed: finds out how predictions came
// out, and whether the step is done.
Result<Looked> look_again(Player& player, const Facts& facts, const RunResult* result);

void go_to(Player& player, size_t step);
// Back to what the step declares: answers, tries and hints are forgotten.
void reset_step(Player& player);
// False if there are no more.
bool show_hint(Player& player);
// A vote of the class for A to D, counted up or down.
void vote(Player& player, size_t question, uint32_t letter, int by);

// Names of expressions and things that read "?" now.
std::span<const std::string> hidden_now(const Player& player);
// Whether `name` is the group or one of it: "counters.warp_instructions" of "counters".
bool belongs_to(std::string_view name, std::string_view group);
bool is_hidden(const Player& player, std::string_view name);
// Whether a prediction is still open: how the run ended, and what was wrong with it, would give it away.
bool outcome_is_hidden(const Player& player);

// Whether the student may change this now: a number of the kernel, "block", "code", …. The range is empty for
// all that the kernel allows. Null if it is fixed.
const Change* may_change(const Player& player, std::string_view name);

}  // namespace warplens::lesson
