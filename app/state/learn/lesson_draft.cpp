// What was answered, typed and set in a lesson, as a draft: it is kept when the lesson is left, and comes
// back when it is opened again.
#include <algorithm>
#include <utility>

#include "app/state/files/session.h"
#include "app/state/reducers/learn.h"
#include "core/lesson/play/step_progress_json.h"

namespace warplens::detail {

// A folder of the user's own by its path: another lesson of the program may have its name.
std::string key_of_lesson(const LoadedLesson& loaded) {
  return loaded.folder.path.empty() ? loaded.folder.name : loaded.folder.path;
}

namespace {

bool is_whole_lesson_done(const AppState& state, const LoadedLesson& loaded) {
  const auto done = state.progress.lessons.find(loaded.folder.name);
  return done != state.progress.lessons.end() &&
         std::ranges::all_of(loaded.lesson.steps,
                             [&](const lesson::LessonStep& step) { return done->second.contains(step.id); });
}

}  // namespace

std::shared_ptr<const LeftStep> left_as_it_is(const AppState& state) {
  return std::make_shared<const LeftStep>(LeftStep{session_of(state), state.setup.launch.image});
}

LessonDraft draft_of_lesson(const AppState& state) {
  LessonDraft draft;
  const LessonState& own = state.lesson;
  const lesson::Player& player = own.player;
  draft.at = player.step().id;
  for (size_t i = 0; i < player.steps.size(); ++i) {
    LessonDraft::Step step{player.steps[i], nullptr};
    if (const auto left = own.left.find(i); left != own.left.end()) step.left = left->second;
    if (i == player.at && own.phase == ShowPhase::step) step.left = left_as_it_is(state);
    if (step.left || lesson::is_begun(step.progress))
      draft.steps[player.lesson->steps[i].id] = std::move(step);
  }
  return draft;
}

void keep_lesson_draft(AppState& state) {
  if (!state.lesson.is_open()) return;
  const std::string key = key_of_lesson(*state.lesson.open);
  if (is_whole_lesson_done(state, *state.lesson.open))
    state.drafts.lessons.erase(key);
  else
    state.drafts.lessons[key] = draft_of_lesson(state);
  // The code on the screen is in the draft: it is no kernel of the user's own.
  if (state.code.own && state.code.path.empty()) state.code.given = state.code.text;
}

void take_lesson_draft(AppState& state) {
  const auto found = state.drafts.lessons.find(key_of_lesson(*state.lesson.open));
  if (found == state.drafts.lessons.end()) return;
  const LessonDraft draft = std::move(found->second);
  state.drafts.lessons.erase(found);
  lesson::Player& player = state.lesson.player;
  for (size_t i = 0; i < player.steps.size(); ++i) {
    const auto step = draft.steps.find(player.lesson->steps[i].id);
    if (step == draft.steps.end()) continue;
    // A newer version of the lesson may ask something else.
    if (step->second.progress.questions.size() != player.steps[i].questions.size()) continue;
    player.steps[i] = step->second.progress;
    if (step->second.left) state.lesson.left[i] = step->second.left;
  }
}

void forget_votes(lesson::Player& player) {
  for (lesson::StepProgress& step : player.steps)
    for (lesson::QuestionProgress& question : step.questions) question.votes = {};
}

}  // namespace warplens::detail
