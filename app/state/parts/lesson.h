// The lesson that is open: core plays it (core/lesson/play/player.h); here is what the window adds. What it
// shows is the rest of the state, which a step sets like a session.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/parts/drafts.h"
#include "core/lesson/play/player.h"

namespace warplens {

struct Session;

struct LoadedLesson {
  lesson::Folder folder;
  lesson::Lesson lesson;
  std::vector<Diagnostic> diagnostics;
};

// The setup of a run A before the step begins: first A runs, then the step.
enum class ShowPhase : uint8_t { step, baseline, compiling };

struct LessonState {
  std::shared_ptr<const LoadedLesson> open;  // null if none is
  lesson::Player player;                     // the step, what was answered, what is done
  // The student's settings in a step when it was left, by the step's place.
  std::map<size_t, std::shared_ptr<const LeftStep>> left;
  // For a step that continues from the state before it ("keep"): that state, which Reset restores.
  std::map<size_t, std::shared_ptr<const LeftStep>> found;
  // Mistakes of the file as it was last read. If there are errors, `open` is what was read before, if
  // anything.
  std::vector<Diagnostic> mistakes;
  std::string broken;  // name of the folder that could not be opened, while none is open
  ShowPhase phase = ShowPhase::step;
  bool runs_a = false;         // the run A is still to come
  bool placed = false;         // the Step view stands where the step says
  std::string own_text;        // of the code or program as the step gave it
  bool runs_programs = false;  // the student has run one, so that the next may be run when it is revealed
  std::optional<LessonDraft::Step> before_reset;  // what Reset took away from the step that is shown
  // Code that the student left and that does not compile. It is restored once the step's own text shows its
  // kernel.
  std::string broken_text;
  std::vector<Diagnostic> broken_because;
  std::shared_ptr<const Session> before;  // what was there before the lesson was opened, which comes back
  uint64_t runs_before = 0;               // runs that there were when the step began
  bool notes = false;                     // the teacher's notes are shown
  bool votes = false;                     // number keys count votes instead of choosing
  bool shows_votes = false;               // of a question that is open: the class would follow them
  uint64_t entered = 0;  // counts steps that were entered, so that the strip begins at its top
  double noted_s = 0;    // window's clock, up to which the time in the lesson is noted
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
const lesson::StepProgress* current_answers(const AppState& state);
// The first question that is not settled. Empty if there is none, or if a kind is named and it is of another.
std::optional<size_t> open_question(const AppState& state,
                                    std::optional<lesson::QuestionKind> kind = std::nullopt);

// Whether the class sees how many chose what: once its question is answered, or when the teacher shows it.
bool sees_votes(const AppState& state, const lesson::QuestionProgress& question);

// Whether the last Reset of the open step or challenge can be taken back.
bool can_undo_reset(const AppState& state);

// Whether this figure reads "?": an expression of docs/lessons.md, or formula, result, inspector, code. Of a
// group ("counters") it asks whether all of it is hidden.
bool is_hidden(const AppState& state, std::string_view name);
// Whether anything of the group ("occupancy") is.
bool any_hidden(const AppState& state, std::string_view group);

// Why a window for students, or one whose answers are locked, does not allow this action; else empty.
std::string why_not_for_students(const AppState& state, const Action& action);
// The same, or why the step of the open lesson does not allow it.
std::string why_not_allowed(const AppState& state, const Action& action);
// The range in which the step lets this be changed. Null if it is fixed.
const lesson::Change* allowed_change(const AppState& state, std::string_view name);

// The text with {{expressions}} replaced by their values, "?" where one is hidden or not known.
std::string filled_text(const AppState& state, const std::string& text);

// Warnings about speed that the step does not want are left out.
void quieten(const AppState& state, std::vector<Problem>& problems);

// Updates the facts: whether the step is done, and the truths of predictions. update() calls it after each
// change.
void judge_step(AppState& state);

}  // namespace warplens
