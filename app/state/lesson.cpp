// The lesson that is open: going from step to step, hints, what the teacher reveals.
#include "app/state/lesson.h"

#include <algorithm>

#include "app/state/reducers.h"
#include "app/state/session.h"

namespace warplens {

const lesson::LessonStep* current_step(const AppState& state) {
  const LessonState& own = state.lesson;
  if (!own.open || own.step >= own.open->lesson.steps.size()) return nullptr;
  return &own.open->lesson.steps[own.step];
}

const LessonStepState* current_answers(const AppState& state) {
  return current_step(state) ? &state.lesson.steps[state.lesson.step] : nullptr;
}

std::optional<size_t> open_question(const AppState& state, std::optional<lesson::QuestionKind> kind) {
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr) return std::nullopt;
  const auto fits = [&](size_t i) {
    return !state.lesson.steps[state.lesson.step].questions[i].settled() &&
           (!kind || step->questions[i].kind == *kind);
  };
  if (state.lesson.question < step->questions.size() && fits(state.lesson.question))
    return state.lesson.question;
  for (size_t i = 0; i < step->questions.size(); ++i)
    if (fits(i)) return i;
  return std::nullopt;
}

namespace detail {
namespace {

bool has_error(const std::vector<Diagnostic>& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::error; });
}

LessonStepState fresh_answers(const lesson::LessonStep& step) {
  LessonStepState answers;
  answers.questions.resize(step.questions.size());
  return answers;
}

size_t first_open_step(const AppState& state, const LoadedLesson& loaded) {
  const auto done = state.progress.lessons.find(loaded.folder.name);
  if (done == state.progress.lessons.end()) return 0;
  const auto& steps = loaded.lesson.steps;
  for (size_t i = 0; i < steps.size(); ++i)
    if (!done->second.contains(steps[i].id)) return i;
  return 0;  // all of them: once more
}

void enter_step(AppState& state, size_t step) {
  LessonState& own = state.lesson;
  own.step = std::min(step, own.open->lesson.steps.size() - 1);
  own.question = 0;
  ++own.entered;
  state.frame.dialog = Dialog::none;
  state.frame.welcome = state.frame.bottom_open = false;
  show_step(state);
}

// A lesson that was saved while it is open stays at its step, by the step's id. A step whose questions are as
// many as before keeps its answers.
void take_again(AppState& state, const std::shared_ptr<const LoadedLesson>& loaded) {
  const std::string id = current_step(state) ? current_step(state)->id : "";
  std::vector<LessonStepState> answers;
  size_t at = std::min(state.lesson.step, loaded->lesson.steps.size() - 1);
  for (size_t i = 0; i < loaded->lesson.steps.size(); ++i) {
    const lesson::LessonStep& step = loaded->lesson.steps[i];
    if (step.id == id) at = i;
    answers.push_back(fresh_answers(step));
    const auto& old = state.lesson.open->lesson.steps;
    const auto same = std::ranges::find(old, step.id, &lesson::LessonStep::id);
    if (same == old.end() || same->questions.size() != step.questions.size() || step.id == id) continue;
    answers.back() = state.lesson.steps[static_cast<size_t>(same - old.begin())];
    answers.back().left.reset();  // the step may show something else now
  }
  state.lesson.open = loaded;
  state.lesson.steps = std::move(answers);
  enter_step(state, at);
}

void open_lesson(AppState& state, const std::shared_ptr<const LoadedLesson>& loaded, size_t step) {
  apply(state, CloseChallenge{});
  if (!state.lesson.is_open()) state.lesson.before = std::make_shared<const Session>(session_of(state));
  const std::shared_ptr<const Session> before = state.lesson.before;
  const uint64_t entered = state.lesson.entered;
  state.lesson = {};
  state.lesson.before = before;
  state.lesson.entered = entered;
  state.lesson.open = loaded;
  state.lesson.mistakes = loaded->diagnostics;
  for (const lesson::LessonStep& one : loaded->lesson.steps) state.lesson.steps.push_back(fresh_answers(one));
  state.predict.phase = PredictPhase::idle;
  enter_step(state, step == SIZE_MAX ? first_open_step(state, *loaded) : step);
}

}  // namespace

void apply(AppState& state, const LessonLoaded& action) {
  const LoadedLesson& loaded = *action.lesson;
  const bool broken = has_error(loaded.diagnostics) || loaded.lesson.steps.empty();
  const bool again = action.again && state.lesson.is_open();
  if (broken) {
    state.lesson.mistakes = loaded.diagnostics;
    if (!state.lesson.is_open()) state.lesson.broken = loaded.folder.name;
    state.frame.dialog = Dialog::none;
    return;
  }
  if (!again) return open_lesson(state, action.lesson, SIZE_MAX);
  state.lesson.mistakes = loaded.diagnostics;
  take_again(state, action.lesson);
}

void apply(AppState& state, const OpenLesson& action) {
  for (const lesson::Folder& folder : lesson::embedded_folders("lessons")) {
    if (folder.name != action.name) continue;
    lesson::ReadLesson read = lesson::read_lesson(folder);
    auto loaded = std::make_shared<LoadedLesson>(
        LoadedLesson{folder, std::move(read.lesson), std::move(read.diagnostics)});
    if (has_error(loaded->diagnostics) || loaded->lesson.steps.empty())
      return apply(state, LessonLoaded{loaded, false});
    return open_lesson(state, loaded, action.step);
  }
  apply(state.problems,
        Notify{ProblemLevel::error, "No such lesson",
               "There is no lesson \"" + action.name + "\" in this program. The Learn menu has all."});
}

// What was there before the lesson comes back.
void apply(AppState& state, const CloseLesson&) {
  const auto before = state.lesson.before;
  const bool was_open = state.lesson.is_open();
  state.lesson = {};
  state.frame.blank = state.frame.blank && state.frame.present;
  if (!was_open) return;
  state.runs.baseline.reset();
  state.setup.order = 0;
  if (before) apply(state, SessionLoaded{before, ""});
  state.undo.done.clear();
}

void apply(AppState& state, const GoToStep& action) {
  if (!state.lesson.is_open() || action.step >= state.lesson.steps.size()) return;
  keep_left_step(state);
  enter_step(state, action.step);
}

void apply(AppState& state, const ResetStep&) {
  if (state.challenge.is_open()) {  // the starter once more
    if (state.code.own && state.code.path.empty()) state.code.saved = state.code.text;
    state.setup.left_texts.erase(state.challenge.open->folder.name + ".cu");
    return show_challenge(state);
  }
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr) return;
  state.lesson.steps[state.lesson.step] = fresh_answers(*step);
  enter_step(state, state.lesson.step);
}

void apply(AppState& state, const ShowHint&) {
  if (state.challenge.is_open()) {
    size_t& shown = state.challenge.hints;
    shown = std::min(shown + 1, state.challenge.open->challenge.hints.size());
  }
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr) return;
  size_t& hints = state.lesson.steps[state.lesson.step].hints;
  hints = std::min(hints + 1, step->hints.size());
}

void apply(AppState& state, const RevealStep&) {
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr) return;
  LessonStepState& answers = state.lesson.steps[state.lesson.step];
  answers.revealed = true;
  reveal_answers(state);
  if (step->has_reveal && !std::exchange(answers.changed, true)) show_changes(state, step->reveal);
}

void apply(LessonState& lesson, const ShowNotes& action) { lesson.notes = action.on; }

void apply(LessonState& lesson, const CountVotes& action) { lesson.votes = action.on; }

void apply(LessonState& lesson, const Vote& action) {
  if (lesson.step >= lesson.steps.size() || action.letter >= 4) return;
  auto& questions = lesson.steps[lesson.step].questions;
  if (action.question >= questions.size()) return;
  uint32_t& votes = questions[action.question].votes[action.letter];
  votes = static_cast<uint32_t>(std::clamp(int64_t{votes} + action.by, int64_t{0}, int64_t{9999}));
}

void apply(LessonState& lesson, const ChooseQuestion& action) { lesson.question = action.question; }

void apply(AppState& state, const ForgetMe&) {
  const uint64_t revision = state.progress.revision;
  state.progress = {};
  state.progress.revision = revision + 1;
  state.wishes.forget_progress = true;
}

}  // namespace detail
}  // namespace warplens
