// Answers to the questions of a step, and whether the step is done: what core's player says of them is shown
// and kept.
#include <utility>

#include "app/state/lesson_facts.h"
#include "app/state/reducers.h"

namespace warplens {
namespace {

const lesson::Facts& facts_now(const AppState& state) {
  static const lesson::Facts none;
  return state.lesson.facts ? *state.lesson.facts : none;
}

void remake_facts(AppState& state) {
  state.lesson.facts = std::make_shared<const lesson::Facts>(facts_of(state));
}

void note_guess(AppState& state, const lesson::QuestionProgress& own) {
  const auto* number = std::get_if<lesson::NumberAnswer>(&own.answer);
  note_prediction(state.progress, own.guess_right, number && own.truth ? number->value : 0,
                  own.truth.value_or(0));
}

void note_done(AppState& state) {
  auto& done = state.progress.lessons[state.lesson.open->folder.name];
  if (done.insert(current_step(state)->id).second) ++state.progress.revision;
}

// What is wrong with the lesson stands in the question's words, so an error needs nothing more here.
void show_if_revealed(AppState& state, const Result<bool>& reveals) {
  if (reveals && *reveals) detail::show_changes(state, current_step(state)->reveal);
}

}  // namespace

std::string filled_text(const AppState& state, const std::string& text) {
  const lesson::LessonStep* step = current_step(state);
  std::vector<std::string> hidden;
  if (step != nullptr && step->show.hide)
    for (const std::string& name : *step->show.hide)
      if (is_hidden(state, name)) hidden.push_back(name);
  return lesson::filled_in(text, facts_now(state), hidden);
}

void judge_step(AppState& state) {
  if (!state.lesson.is_open()) {
    state.lesson.facts.reset();
    return;
  }
  remake_facts(state);
  // Not while another state is on the way: its launch, or the place of the Step view, would be taken for that
  // of the step.
  if (state.lesson.phase != ShowPhase::step || state.code.wanted != 0 || !state.lesson.placed) return;
  lesson::Player& player = state.lesson.player;
  const auto looked = lesson::look_again(player, facts_now(state), run_of_now(state).get());
  if (!looked) return;
  for (const size_t question : looked->counted) note_guess(state, player.progress().questions[question]);
  if (!looked->done_now) return;
  note_done(state);
  remake_facts(state);
}

namespace detail {

void apply(AppState& state, const SetAnswer& action) {
  if (state.lesson.is_open()) lesson::set_answer(state.lesson.player, action.question, action.answer);
}

void apply(AppState& state, const GiveAnswer& action) {
  if (!state.lesson.is_open()) return;
  show_if_revealed(state, lesson::give_answer(state.lesson.player, action.question, facts_now(state),
                                              run_of_now(state).get()));
}

void apply(AppState& state, const ClickAnswer& action) {
  if (!state.lesson.is_open()) return;
  show_if_revealed(state, lesson::give_click(state.lesson.player, action.target, facts_now(state),
                                             run_of_now(state).get()));
}

void answer_by_click(AppState& state, const Pick& pick) {
  const auto index = open_question(state, lesson::QuestionKind::click);
  if (!index) return;
  if (const auto target = target_of(state, pick, current_step(state)->questions[*index].what))
    apply(state, warplens::ClickAnswer{*target});
}

void answer_by_lane(AppState& state, uint32_t lane) {
  lesson::Target target;
  target.kind = lesson::Target::Kind::lane;
  target.index = lane;
  apply(state, warplens::ClickAnswer{target});
}

}  // namespace detail
}  // namespace warplens
