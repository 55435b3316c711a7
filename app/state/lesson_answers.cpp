// Answers to the questions of a step, and whether the step is done.
#include <algorithm>
#include <utility>

#include "app/state/lesson_facts.h"
#include "app/state/reducers.h"
#include "core/lesson/answers.h"

namespace warplens {
namespace {

using lesson::Question;
using lesson::QuestionKind;
using lesson::Verdict;

const lesson::Facts& facts_now(const AppState& state) {
  static const lesson::Facts none;
  return state.lesson.facts ? *state.lesson.facts : none;
}

void remake_facts(AppState& state) {
  state.lesson.facts = std::make_shared<const lesson::Facts>(facts_of(state));
}

Verdict judged(const AppState& state, const Question& question, const lesson::Answer& answer) {
  const auto verdict = lesson::judge_answer(question, answer, facts_now(state), run_of_now(state).get());
  if (verdict) return *verdict;
  Verdict none;
  none.known = false;
  none.because = verdict.error().message;
  return none;
}

bool all_settled(const LessonStepState& answers) {
  return std::ranges::all_of(answers.questions, &QuestionState::settled);
}

// All predictions are made: what `reveal` names is shown, and the run tells their truths.
void reveal_if_settled(AppState& state) {
  LessonStepState& answers = state.lesson.steps[state.lesson.step];
  const lesson::LessonStep& step = *current_step(state);
  if (answers.questions.empty() || !all_settled(answers) || !step.has_reveal) return;
  if (!std::exchange(answers.changed, true)) detail::show_changes(state, step.reveal);
}

// Goes on with the next open question.
void settle(AppState& state, QuestionState& own, AnswerMark mark, const Verdict& verdict) {
  own.mark = mark;
  own.words.clear();
  own.off.reset();
  if (mark != AnswerMark::guessed) own.truth_words = verdict.truth_text;
  if (const auto next = open_question(state)) state.lesson.question = *next;
  reveal_if_settled(state);
}

void refuse(AppState& state, QuestionState& own, const Verdict& verdict) {
  own.mark = AnswerMark::wrong;
  own.words = verdict.because.empty() ? "Not yet. Look again." : verdict.because;
  ++state.lesson.steps[state.lesson.step].tries;
}

// The truth of a prediction, as soon as the run that decides is there. It counts once.
void tell_truth(AppState& state, const Question& question, QuestionState& own) {
  const Verdict verdict = judged(state, question, own.answer);
  if (!verdict.known) return;
  own.truth = verdict.truth;
  own.truth_words = verdict.truth_text;
  own.guess_right = verdict.right;
  own.words = verdict.right ? std::string() : verdict.because;
  if (own.mark != AnswerMark::guessed || std::exchange(own.counted, true)) return;
  const auto* number = std::get_if<lesson::NumberAnswer>(&own.answer);
  note_prediction(state.progress, verdict.right, number && verdict.truth ? number->value : 0,
                  verdict.truth.value_or(0));
}

bool conditions_hold(const AppState& state, const lesson::LessonStep& step,
                     std::vector<std::string>& missing) {
  missing.clear();
  bool all = true;
  for (const lesson::Condition& condition : step.done) {
    const Result<bool> holds = lesson::holds(condition.expression.text, facts_now(state));
    if (holds && *holds) continue;
    all = false;
    const std::string words =
        holds ? lesson::filled_in(condition.otherwise.text, facts_now(state)) : holds.error().message;
    if (!words.empty()) missing.push_back(words);
  }
  return all;
}

void note_done(AppState& state, const lesson::LessonStep& step) {
  auto& done = state.progress.lessons[state.lesson.open->folder.name];
  if (done.insert(step.id).second) ++state.progress.revision;
}

bool is_same(const lesson::Target& a, const lesson::Target& b) {
  return a.kind == b.kind && a.block == b.block && a.thread == b.thread && a.index == b.index;
}

}  // namespace

std::optional<double> answer_number(const lesson::Answer& answer) {
  if (const auto* number = std::get_if<lesson::NumberAnswer>(&answer)) return number->value;
  if (const auto* choice = std::get_if<lesson::ChoiceAnswer>(&answer)) return choice->letter + 1.0;
  if (const auto* clicks = std::get_if<lesson::ClickAnswer>(&answer)) return double(clicks->clicked.size());
  return std::nullopt;
}

std::string filled_text(const AppState& state, const std::string& text) {
  const lesson::LessonStep* step = current_step(state);
  std::vector<std::string> hidden;
  if (step != nullptr && step->show.hide)
    for (const std::string& name : *step->show.hide)
      if (is_hidden(state, name)) hidden.push_back(name);
  return lesson::filled_in(text, facts_now(state), hidden);
}

void judge_step(AppState& state) {
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr) {
    state.lesson.facts.reset();
    return;
  }
  remake_facts(state);
  LessonStepState& answers = state.lesson.steps[state.lesson.step];
  if (state.lesson.phase != ShowPhase::step) return;
  if (all_settled(answers))
    for (size_t i = 0; i < step->questions.size(); ++i) {
      QuestionState& own = answers.questions[i];
      if (own.mark == AnswerMark::guessed || own.mark == AnswerMark::shown)
        tell_truth(state, step->questions[i], own);
    }
  const bool hold = conditions_hold(state, *step, answers.missing);
  const bool answered = std::ranges::all_of(answers.questions, [](const QuestionState& own) {
    return own.mark == AnswerMark::right || own.mark == AnswerMark::guessed;
  });
  if (answers.done || !hold || !answered) return;
  answers.done = true;
  note_done(state, *step);
  remake_facts(state);
}

namespace detail {

void apply(AppState& state, const SetAnswer& action) {
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr || action.question >= step->questions.size()) return;
  QuestionState& own = state.lesson.steps[state.lesson.step].questions[action.question];
  if (own.settled()) return;
  state.lesson.question = action.question;
  own.answer = action.answer;
  own.mark = AnswerMark::open;
  own.words.clear();
}

void apply(AppState& state, const GiveAnswer& action) {
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr || action.question >= step->questions.size()) return;
  const Question& question = step->questions[action.question];
  QuestionState& own = state.lesson.steps[state.lesson.step].questions[action.question];
  if (own.settled() || std::holds_alternative<std::monostate>(own.answer)) return;
  if (question.predict) return settle(state, own, AnswerMark::guessed, {});
  const Verdict verdict = judged(state, question, own.answer);
  if (!verdict.known) {
    own.words =
        verdict.because.empty() ? "The run is not finished yet. Answer again in a moment." : verdict.because;
    return;
  }
  verdict.right ? settle(state, own, AnswerMark::right, verdict) : refuse(state, own, verdict);
}

// What was found stays marked; a wrong click counts as a try.
void apply(AppState& state, const ClickAnswer& action) {
  const auto index = open_question(state, QuestionKind::click);
  if (!index) return;
  const Question& question = current_step(state)->questions[*index];
  if (question.what != action.target.kind) return;
  QuestionState& own = state.lesson.steps[state.lesson.step].questions[*index];
  auto found = std::holds_alternative<lesson::ClickAnswer>(own.answer)
                   ? std::get<lesson::ClickAnswer>(own.answer)
                   : lesson::ClickAnswer{};
  if (std::ranges::any_of(found.clicked, [&](const auto& one) { return is_same(one, action.target); }))
    return;
  found.clicked.push_back(action.target);
  const Verdict verdict = judged(state, question, found);
  const auto last = static_cast<uint32_t>(found.clicked.size() - 1);
  const bool wrong = std::ranges::find(verdict.wrong_parts, last) != verdict.wrong_parts.end();
  state.lesson.question = *index;
  if (question.predict) {
    own.answer = found;
    own.wanted = verdict.wanted;
    if (found.clicked.size() >= std::max(1u, verdict.wanted)) settle(state, own, AnswerMark::guessed, {});
    return;
  }
  if (!verdict.known) {
    own.words =
        verdict.because.empty() ? "The run is not finished yet. Click again in a moment." : verdict.because;
    return;
  }
  own.wanted = verdict.wanted;
  if (wrong) {
    own.off = action.target;
    return refuse(state, own, verdict);
  }
  own.answer = found;
  own.mark = AnswerMark::open;
  own.words.clear();
  own.off.reset();
  if (verdict.right) settle(state, own, AnswerMark::right, verdict);
}

void answer_by_click(AppState& state, const Pick& pick) {
  const auto index = open_question(state, QuestionKind::click);
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

void reveal_answers(AppState& state) {
  const lesson::LessonStep& step = *current_step(state);
  LessonStepState& answers = state.lesson.steps[state.lesson.step];
  for (size_t i = 0; i < answers.questions.size(); ++i) {
    QuestionState& own = answers.questions[i];
    if (own.settled()) continue;
    if (i < step.solution.answers.size())
      if (const auto right = lesson::answer_in(step.solution.answers[i].text, step.questions[i]))
        own.answer = *right;
    own.mark = AnswerMark::shown;
    own.words.clear();
    own.off.reset();
  }
}

}  // namespace detail
}  // namespace warplens
