// The lesson that is open: going from step to step, hints, what the teacher reveals.
#include "app/state/parts/lesson.h"

#include <algorithm>
#include <utility>

#include "app/base/language.h"
#include "app/state/files/session.h"
#include "app/state/reducers/code.h"
#include "app/state/reducers/files.h"
#include "app/state/reducers/learn.h"
#include "app/state/reducers/program.h"
#include "app/state/reducers/runs.h"
#include "core/base/diagnostic.h"
#include "core/lesson/play/step_progress_json.h"
#include "core/lesson/read/write_show.h"

namespace warplens {

const lesson::LessonStep* current_step(const AppState& state) {
  return state.lesson.open ? &state.lesson.player.step() : nullptr;
}

const lesson::StepProgress* current_answers(const AppState& state) {
  return state.lesson.open ? &state.lesson.player.progress() : nullptr;
}

std::optional<size_t> open_question(const AppState& state, std::optional<lesson::QuestionKind> kind) {
  if (!state.lesson.open) return std::nullopt;
  // One after the other: a click or a key answers none that is not asked yet.
  const auto& questions = state.lesson.player.progress().questions;
  const auto open =
      std::ranges::find_if(questions, [](const lesson::QuestionProgress& own) { return !own.settled(); });
  if (open == questions.end()) return std::nullopt;
  const auto index = static_cast<size_t>(open - questions.begin());
  return !kind || state.lesson.player.step().questions[index].kind == *kind ? std::optional(index)
                                                                            : std::nullopt;
}

bool sees_votes(const AppState& state, const lesson::QuestionProgress& question) {
  return question.settled() || state.lesson.shows_votes;
}

bool can_undo_reset(const AppState& state) {
  if (state.challenge.is_open() && state.program.source.given)
    return state.drafts.earlier.contains(state.program.source.path);
  if (state.challenge.is_open()) return state.code.own && state.drafts.earlier.contains(key_of(state.code));
  return state.lesson.is_open() && state.lesson.before_reset.has_value() &&
         !lesson::is_begun(state.lesson.player.progress());
}

namespace detail {

void note_lesson_time(AppState& state) {
  if (!state.lesson.is_open()) return;
  const double now = state.frame.now_s, spent = now - std::exchange(state.lesson.noted_s, now);
  if (!(spent > 0)) return;
  state.progress.lesson_seconds[state.lesson.open->folder.name] += spent;
  ++state.progress.revision;
}

namespace {

// The lesson within what was loaded; it keeps the whole.
std::shared_ptr<const lesson::Lesson> lesson_of(const std::shared_ptr<const LoadedLesson>& loaded) {
  return {loaded, &loaded->lesson};
}

size_t first_open_step(const AppState& state, const LoadedLesson& loaded) {
  const auto done = state.progress.lessons.find(loaded.folder.name);
  if (done == state.progress.lessons.end()) return 0;
  const auto& steps = loaded.lesson.steps;
  for (size_t i = 0; i < steps.size(); ++i)
    if (!done->second.contains(steps[i].id)) return i;
  return 0;  // all of them: once more
}

// `onwards`: from the step before it, which is shown whole.
void enter_step(AppState& state, size_t step, bool onwards) {
  note_lesson_time(state);
  lesson::go_to(state.lesson.player, step);
  ++state.lesson.entered;
  state.lesson.shows_votes = false;
  state.frame.dialog = Dialog::none;
  state.frame.welcome = state.frame.preferences.bottom_open = false;
  show_step(state, onwards);
}

void open_lesson(AppState& state, const std::shared_ptr<const LoadedLesson>& loaded, size_t step,
                 bool continues = false) {
  apply(state, CloseChallenge{});
  keep_lesson_draft(state);  // of the lesson before
  if (!state.lesson.is_open()) state.lesson.before = std::make_shared<const Session>(session_of(state));
  const std::shared_ptr<const Session> before = state.lesson.before;
  const uint64_t entered = state.lesson.entered;
  note_lesson_time(state);  // of the lesson before
  state.lesson = {};
  state.lesson.noted_s = state.frame.now_s;
  state.lesson.before = before;
  state.lesson.entered = entered;
  state.lesson.open = loaded;
  state.lesson.mistakes = loaded->diagnostics;
  warn_of_undrawn(state, loaded->folder, loaded->lesson.language);
  state.lesson.player = lesson::start_lesson(lesson_of(loaded));
  state.predict.phase = PredictPhase::idle;
  take_lesson_draft(state);
  if (!continues) forget_votes(state.lesson.player);
  enter_step(state, step == SIZE_MAX ? first_open_step(state, *loaded) : step, false);
}

}  // namespace

// Notes the file for the author's view. The step that is to be shown: the one in which the cursor stood when
// the file was saved there, or which another editor changed. Empty for the step that is shown now.
static std::optional<size_t> note_author(AuthorState& author, const LoadedLesson& loaded) {
  const auto file = loaded.folder.files.find("lesson.md");
  if (loaded.folder.path.empty() || file == loaded.folder.files.end()) {
    author = {};
    return std::nullopt;
  }
  const bool again = author.folder == loaded.folder.path;
  uint32_t line = std::exchange(author.line, 0);
  if (again && line == 0) line = lesson::first_changed_line(author.text, file->second);
  author.folder = loaded.folder.path;
  author.text = file->second;
  ++author.serial;
  return again && author.on && line != 0 ? lesson::step_at_line(loaded.lesson, line) : std::nullopt;
}

void apply(AppState& state, const LessonLoaded& action) {
  const LoadedLesson& loaded = *action.lesson;
  const std::optional<size_t> edited = note_author(state.author, loaded);
  const bool broken = has_errors(loaded.diagnostics) || loaded.lesson.steps.empty();
  const bool again = action.again && state.lesson.is_open();
  if (broken) {
    state.lesson.mistakes = loaded.diagnostics;
    if (!state.lesson.is_open()) state.lesson.broken = loaded.folder.name;
    state.frame.dialog = Dialog::none;
    return;
  }
  if (!again) return open_lesson(state, action.lesson, SIZE_MAX);
  state.lesson.mistakes = loaded.diagnostics;
  warn_of_undrawn(state, loaded.folder, loaded.lesson.language);
  state.lesson.player = lesson::carried_over(state.lesson.player, lesson_of(action.lesson));
  state.lesson.left.clear();  // the steps may show something else now
  state.lesson.found.clear();
  state.lesson.open = action.lesson;
  enter_step(state, edited.value_or(state.lesson.player.at), false);
}

void apply(AppState& state, const OpenLesson& action) {
  for (const lesson::Folder& folder : lesson::embedded_folders("lessons")) {
    if (folder.name != action.name) continue;
    lesson::LoadedLesson read = lesson::load_lesson(folder, language_meant(state.frame.preferences.language));
    auto loaded = std::make_shared<LoadedLesson>(
        LoadedLesson{folder, std::move(read.lesson), std::move(read.diagnostics)});
    if (has_errors(loaded->diagnostics) || loaded->lesson.steps.empty())
      return apply(state, LessonLoaded{loaded, false});
    return open_lesson(state, loaded, action.step, action.continues);
  }
  apply(state.problems,
        Notify{ProblemLevel::error, "No such lesson",
               "There is no lesson \"" + action.name + "\" in this program. The Learn menu has all.",
               NoticeKind::opening});
}

void apply(AppState& state, const SetLanguage& action) {
  state.frame.preferences.language = action.code;
  if (state.challenge.is_open()) {  // the student's answer stays
    const lesson::Folder& of = state.challenge.open->folder;
    lesson::LoadedChallenge words = lesson::load_challenge(of, language_meant(action.code));
    state.challenge.open = std::make_shared<const LoadedChallenge>(
        LoadedChallenge{of, std::move(words.challenge), std::move(words.diagnostics)});
  }
  if (!state.lesson.is_open()) return;
  const lesson::Folder& folder = state.lesson.open->folder;
  lesson::LoadedLesson read = lesson::load_lesson(folder, language_meant(action.code));
  apply(state, LessonLoaded{std::make_shared<const LoadedLesson>(
                                LoadedLesson{folder, std::move(read.lesson), std::move(read.diagnostics)}),
                            true});
}

// The state from before the lesson is restored.
void apply(AppState& state, const CloseLesson&) {
  const auto before = state.lesson.before;
  const bool was_open = state.lesson.is_open();
  if (was_open) take_program_away(state);
  keep_lesson_draft(state);
  note_lesson_time(state);
  state.lesson = {};
  if (!was_open) return;
  state.runs.baseline.reset();
  state.setup.order = 0;
  if (before) apply(state, SessionLoaded{before, ""});
  state.undo.done.clear();
}

void apply(AppState& state, const GoToStep& action) {
  if (!state.lesson.is_open() || action.step >= state.lesson.player.steps.size()) return;
  const bool onwards = action.step == state.lesson.player.at + 1 && is_shown_whole(state);
  keep_left_step(state);
  state.lesson.before_reset.reset();
  enter_step(state, action.step, onwards);
}

// Its text becomes the one with which it began; Undo reset brings the other back.
static void reset_program(AppState& state) {
  ProgramSource& source = state.program.source;
  if (!source.given) return;
  if (source.dirty()) state.drafts.earlier[source.path] = source.text;
  source.text = source.saved;
  ++source.serial;
}

static void undo_reset_of_program(AppState& state) {
  ProgramSource& source = state.program.source;
  const auto earlier = state.drafts.earlier.find(source.path);
  if (!source.given || earlier == state.drafts.earlier.end()) return;
  std::swap(source.text, earlier->second);
  ++source.serial;
}

void apply(AppState& state, const ResetStep&) {
  reset_program(state);
  if (state.challenge.is_open() && state.program.source.given) return show_challenge(state);
  if (state.challenge.is_open()) {  // the starter once more
    if (state.code.is_draft()) state.drafts.earlier[key_of(state.code)] = state.code.text;
    if (state.code.own && state.code.path.empty()) state.code.given = state.code.text;
    state.drafts.codes.erase(state.challenge.open->folder.name + ".cu");
    return show_challenge(state);
  }
  if (!state.lesson.is_open()) return;
  state.lesson.before_reset = {state.lesson.player.progress(),
                               state.lesson.phase == ShowPhase::step ? left_as_it_is(state) : nullptr};
  lesson::reset_step(state.lesson.player);
  const size_t at = state.lesson.player.at;
  state.lesson.left.erase(at);
  if (const auto found = state.lesson.found.find(at); found != state.lesson.found.end())
    state.lesson.left[at] = found->second;
  enter_step(state, at, false);
}

// The other way round as well: what Reset gave can be had again.
void apply(AppState& state, const UndoReset&) {
  if (state.challenge.is_open() && state.program.source.given) return undo_reset_of_program(state);
  if (state.challenge.is_open()) {
    const auto earlier = state.drafts.earlier.find(key_of(state.code));
    if (earlier == state.drafts.earlier.end() || !state.code.own) return;
    std::swap(state.code.text, earlier->second);
    ++state.code.text_serial;
    return compile_again(state);
  }
  if (!state.lesson.is_open() || !state.lesson.before_reset) return;
  const LessonDraft::Step before = *std::exchange(state.lesson.before_reset, std::nullopt);
  const size_t at = state.lesson.player.at;
  state.lesson.player.progress() = before.progress;
  if (before.left) state.lesson.left[at] = before.left;
  enter_step(state, at, false);
  undo_reset_of_program(state);
}

void apply(AppState& state, const ShowHint&) {
  if (state.challenge.is_open()) {
    size_t& shown = state.challenge.hints;
    shown = std::min(shown + 1, state.challenge.open->challenge.hints.size());
  }
  if (state.lesson.is_open()) lesson::show_hint(state.lesson.player);
}

void apply(AppState& state, const RevealStep&) {
  if (state.lesson.is_open() && lesson::reveal_step(state.lesson.player))
    show_changes(state, current_step(state)->reveal);
}

void apply(LessonState& lesson, const ShowNotes& action) { lesson.notes = action.on; }

void apply(LessonState& lesson, const CountVotes& action) {
  lesson.votes = action.on;
  if (action.on) lesson.shows_votes = false;
}

void apply(LessonState& lesson, const ShowVotes& action) { lesson.shows_votes = action.on; }

void apply(LessonState& lesson, const Vote& action) {
  if (lesson.is_open()) lesson::vote(lesson.player, action.question, action.letter, action.by);
}

void apply(LessonState& lesson, const ChooseQuestion& action) { lesson.player.question = action.question; }

void apply(AppState& state, const ForgetMe&) {
  const uint64_t revision = state.progress.revision;
  state.progress = {};
  state.progress.revision = revision + 1;
  state.drafts.lessons.clear();
  std::erase_if(state.drafts.programs, [](const auto& draft) { return !draft.first.starts_with('/'); });
  state.effects.add(effect::ForgetProgress{});
}

void apply(AppState& state, const ForgetAll&) {
  apply(state, ForgetMe{});
  state.files.recent.clear();
  state.effects.add(effect::ForgetAll{});
}

}  // namespace detail
}  // namespace warplens
