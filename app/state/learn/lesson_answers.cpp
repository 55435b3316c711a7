// Answers to the questions of a step, and whether the step is done: what core's player says of them is shown
// and kept.
#include <algorithm>
#include <utility>

#include "app/state/learn/lesson_facts.h"
#include "app/state/reducers/learn.h"

namespace warplens {
namespace {

const lesson::Facts& facts_now(const AppState& state) {
  static const lesson::Facts none;
  return state.lesson.facts ? *state.lesson.facts : none;
}

void remake_facts(AppState& state) {
  state.lesson.facts = std::make_shared<const lesson::Facts>(facts_of(state));
}

// The sign that an answer was right, wrong, or not given.
struct Marks {
  uint32_t tries = 0;
  lesson::AnswerMark mark = lesson::AnswerMark::open;
};

Marks marks_now(const AppState& state, size_t question) {
  const lesson::StepProgress& step = state.lesson.player.progress();
  return {step.tries,
          question < step.questions.size() ? step.questions[question].mark : lesson::AnswerMark::open};
}

void note_given(AppState& state, size_t question, const Marks& before) {
  const Marks now = marks_now(state, question);
  const bool wrong = now.tries > before.tries;
  const bool right = now.mark == lesson::AnswerMark::right && before.mark != lesson::AnswerMark::right;
  if (!wrong && !right) return;
  const lesson::QuestionProgress& own = state.lesson.player.progress().questions[question];
  const lesson::Answer answer = own.off ? lesson::Answer(lesson::ClickAnswer{{*own.off}}) : own.answer;
  note_answer(state.progress, state.lesson.open->folder.name, current_step(state)->id, question, right,
              right ? "" : lesson::text_of(answer, current_step(state)->questions[question]));
}

void note_guess(AppState& state, size_t question) {
  const lesson::QuestionProgress& own = state.lesson.player.progress().questions[question];
  note_answer(state.progress, state.lesson.open->folder.name, current_step(state)->id, question,
              own.guess_right,
              own.guess_right ? "" : lesson::text_of(own.answer, current_step(state)->questions[question]));
  const auto* number = std::get_if<lesson::NumberAnswer>(&own.answer);
  note_prediction(state.progress, own.guess_right, number && own.truth ? number->value : 0,
                  own.truth.value_or(0));
}

// A place in one array is the same place of another one of the same shape: a picture of an input is pointed
// at as one of the result.
lesson::Target in_array(const AppState& state, lesson::Target target, const std::string& array) {
  if (target.kind != lesson::Target::Kind::element || array.empty() || !state.runs.result) return target;
  const auto& buffers = state.runs.result->request->buffers;
  const auto clicked = std::ranges::find(buffers, target.array, &BufferSpec::name),
             asked = std::ranges::find(buffers, array, &BufferSpec::name);
  if (clicked == buffers.end() || asked == buffers.end()) return target;
  const bool same = clicked->width == asked->width && clicked->height == asked->height &&
                    clicked->channels == asked->channels;
  if (same) target.array = array;
  return target;
}

void note_done(AppState& state) {
  auto& done = state.progress.lessons[state.lesson.open->folder.name];
  if (done.insert(current_step(state)->id).second) ++state.progress.revision;
}

// The question's words already name the lesson's mistake, so an error needs nothing more here.
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
  for (const size_t question : looked->counted) note_guess(state, question);
  if (!looked->done_now) return;
  note_done(state);
  remake_facts(state);
}

namespace detail {

void apply(AppState& state, const SetAnswer& action) {
  if (state.lesson.is_open()) lesson::set_answer(state.lesson.player, action.question, action.answer);
}

void apply(AppState& state, const TypeAnswer& action) {
  if (!state.lesson.is_open()) return;
  auto& questions = state.lesson.player.progress().questions;
  if (action.question < questions.size() && !questions[action.question].settled())
    questions[action.question].typed = action.texts;
}

void apply(AppState& state, const GiveAnswer& action) {
  if (!state.lesson.is_open()) return;
  const Marks before = marks_now(state, action.question);
  const Result<bool> reveals =
      lesson::give_answer(state.lesson.player, action.question, facts_now(state), run_of_now(state).get());
  note_given(state, action.question, before);
  show_if_revealed(state, reveals);
}

void apply(AppState& state, const ClickAnswer& action) {
  const auto question = open_question(state, lesson::QuestionKind::click);
  if (!question) return;
  const Marks before = marks_now(state, *question);
  const Result<bool> reveals =
      lesson::give_click(state.lesson.player, action.target, facts_now(state), run_of_now(state).get());
  note_given(state, *question, before);
  show_if_revealed(state, reveals);
}

void answer_by_click(AppState& state, const Pick& pick) {
  const auto index = open_question(state, lesson::QuestionKind::click);
  if (!index) return;
  const lesson::Question& question = current_step(state)->questions[*index];
  if (const auto target = target_of(state, pick, question.what))
    apply(state, warplens::ClickAnswer{in_array(state, *target, question.array)});
}

void answer_by_lane(AppState& state, uint32_t lane) {
  lesson::Target target;
  target.kind = lesson::Target::Kind::lane;
  target.index = lane;
  apply(state, warplens::ClickAnswer{target});
}

}  // namespace detail
}  // namespace warplens
