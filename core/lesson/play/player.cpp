#include "core/lesson/play/player.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::lesson {
namespace {

bool all_settled(const StepProgress& progress) {
  return std::ranges::all_of(progress.questions, &QuestionProgress::settled);
}

std::optional<double> as_number(const Answer& answer) {
  if (const auto* number = std::get_if<NumberAnswer>(&answer)) return number->value;
  if (const auto* choice = std::get_if<ChoiceAnswer>(&answer)) return choice->letter + 1.0;
  if (const auto* clicks = std::get_if<ClickAnswer>(&answer)) return double(clicks->clicked.size());
  return std::nullopt;
}

StepProgress fresh(const LessonStep& step) {
  StepProgress progress;
  progress.questions.resize(step.questions.size());
  return progress;
}

// For a mistake in the lesson, `because` says what is wrong.
Result<Verdict> verdict_on(const Player& player, const Question& question, const Answer& answer,
                           QuestionProgress& own, const Facts& facts, const RunResult* result) {
  Result<Verdict> verdict = judge_answer(question, answer, with_answers(player, facts), result);
  if (!verdict) own.words = verdict.error().message;
  return verdict;
}

// When all questions are answered, the changes of `reveal` are shown, and the run gives the truths.
bool reveal_if_settled(Player& player) {
  StepProgress& progress = player.progress();
  if (progress.questions.empty() || !all_settled(progress) || !player.step().has_reveal) return false;
  return !std::exchange(progress.changed, true);
}

// Continues with the next open question.
bool settle(Player& player, QuestionProgress& own, AnswerMark mark, const Verdict& verdict) {
  own.mark = mark;
  own.words.clear();
  own.typed.clear();
  own.off.reset();
  if (mark != AnswerMark::guessed) own.truth_words = verdict.truth_text;
  if (const auto next = open_question(player)) player.question = *next;
  return reveal_if_settled(player);
}

bool refuse(Player& player, QuestionProgress& own, const Verdict& verdict) {
  own.mark = AnswerMark::wrong;
  own.words = verdict.because.empty() ? "Not yet. Look again." : verdict.because;
  ++player.progress().tries;
  return false;
}

bool wait_for_run(QuestionProgress& own, const Verdict& verdict) {
  own.words =
      verdict.because.empty() ? "The run is not finished yet. Try again in a moment." : verdict.because;
  return false;
}

// Sets the truth as soon as the run that decides exists. It does not change afterwards, and counts once.
Result<void> tell_truth(Player& player, size_t question, const Facts& facts, const RunResult* result,
                        Looked& looked) {
  QuestionProgress& own = player.progress().questions[question];
  if (own.told || (own.mark != AnswerMark::guessed && own.mark != AnswerMark::shown)) return {};
  const Result<Verdict> verdict =
      verdict_on(player, player.step().questions[question], own.answer, own, facts, result);
  if (!verdict) return verdict.error();
  if (!verdict->known) return {};
  own.told = true;
  own.truth = verdict->truth;
  own.truth_words = verdict->truth_text;
  own.guess_right = verdict->right;
  own.words = verdict->right ? std::string() : verdict->because;
  if (own.mark == AnswerMark::guessed && !std::exchange(own.counted, true))
    looked.counted.push_back(question);
  return {};
}

Result<bool> conditions_hold(Player& player, const Facts& facts) {
  std::vector<std::string>& missing = player.progress().missing;
  missing.clear();
  if (player.step().done.empty()) return true;
  const Facts with = with_answers(player, facts);
  bool all = true;
  for (const Condition& condition : player.step().done) {
    const Result<std::optional<double>> value = value_of(condition.expression.text, with);
    if (!value) {
      missing.push_back(value.error().message);
      return value.error();
    }
    const bool held = *value && **value != 0;
    all = all && held;
    // Why it is not known yet stands above it, as "Run the program."
    const bool is_said = !*value && !missing.empty();
    if (held || is_said || condition.otherwise.empty()) continue;
    missing.push_back(filled_in(condition.otherwise.text, with));
  }
  return all;
}

}  // namespace

Player start_lesson(std::shared_ptr<const Lesson> lesson) {
  Player player;
  for (const LessonStep& step : lesson->steps) player.steps.push_back(fresh(step));
  player.lesson = std::move(lesson);
  return player;
}

Player carried_over(const Player& before, std::shared_ptr<const Lesson> lesson) {
  Player player = start_lesson(std::move(lesson));
  player.at = std::min(before.at, player.steps.size() - 1);
  for (size_t i = 0; i < player.steps.size(); ++i)
    for (size_t k = 0; k < before.steps.size(); ++k) {
      if (player.lesson->steps[i].id != before.lesson->steps[k].id) continue;
      if (k == before.at)
        player.at = i;
      else if (player.steps[i].questions.size() == before.steps[k].questions.size())
        player.steps[i] = before.steps[k];
    }
  return player;
}

Show wanted_show(const Player& player) {
  const LessonStep& step = player.step();
  const bool changed = player.progress().changed && step.has_reveal;
  return changed ? with_changes(step.show, step.reveal) : step.show;
}

Facts with_answers(const Player& player, Facts facts) {
  const std::vector<QuestionProgress>& questions = player.progress().questions;
  for (size_t i = 0; i < max_questions; ++i)
    facts.set(i == 0 ? "answer" : fmt::format("answer.{}", i + 1),
              i < questions.size() ? as_number(questions[i].answer) : std::nullopt);
  facts.set("tries", player.progress().tries);
  return facts;
}

std::optional<size_t> open_question(const Player& player, std::optional<QuestionKind> kind) {
  const std::vector<QuestionProgress>& questions = player.progress().questions;
  const auto fits = [&](size_t i) {
    return !questions[i].settled() && (!kind || player.step().questions[i].kind == *kind);
  };
  if (player.question < questions.size() && fits(player.question)) return player.question;
  for (size_t i = 0; i < questions.size(); ++i)
    if (fits(i)) return i;
  return std::nullopt;
}

bool set_answer(Player& player, size_t question, const Answer& answer) {
  if (question >= player.progress().questions.size()) return false;
  QuestionProgress& own = player.progress().questions[question];
  if (own.settled()) return false;
  player.question = question;
  own.answer = answer;
  own.mark = AnswerMark::open;
  own.words.clear();
  return true;
}

Result<bool> give_answer(Player& player, size_t question, const Facts& facts, const RunResult* result) {
  if (question >= player.progress().questions.size()) return bad_input("The step has no such question.");
  const Question& asked = player.step().questions[question];
  QuestionProgress& own = player.progress().questions[question];
  if (own.settled() || std::holds_alternative<std::monostate>(own.answer)) return false;
  if (asked.predict) return settle(player, own, AnswerMark::guessed, {});
  const Result<Verdict> verdict = verdict_on(player, asked, own.answer, own, facts, result);
  if (!verdict) return verdict.error();
  if (!verdict->known) return wait_for_run(own, *verdict);
  return verdict->right ? settle(player, own, AnswerMark::right, *verdict) : refuse(player, own, *verdict);
}

Result<bool> give_click(Player& player, const Target& clicked, const Facts& facts, const RunResult* result) {
  const auto index = open_question(player, QuestionKind::click);
  if (!index) return false;
  const Question& asked = player.step().questions[*index];
  if (asked.what != clicked.kind) return false;
  QuestionProgress& own = player.progress().questions[*index];
  const auto* before = std::get_if<ClickAnswer>(&own.answer);
  ClickAnswer found = before != nullptr ? *before : ClickAnswer{};
  // Compares places, whatever array name the click has.
  const auto same = [&](const Target& one) {
    return one.block == clicked.block && one.thread == clicked.thread && one.index == clicked.index;
  };
  if (std::ranges::any_of(found.clicked, same)) return false;
  found.clicked.push_back(clicked);
  const Result<Verdict> verdict = verdict_on(player, asked, found, own, facts, result);
  if (!verdict) return verdict.error();
  player.question = *index;
  own.wanted = verdict->wanted;
  if (asked.predict) {
    own.answer = found;
    const bool enough = found.clicked.size() >= std::max(1u, verdict->wanted);
    return enough && settle(player, own, AnswerMark::guessed, {});
  }
  if (!verdict->known) return wait_for_run(own, *verdict);
  const auto last = static_cast<uint32_t>(found.clicked.size() - 1);
  if (std::ranges::find(verdict->wrong_parts, last) != verdict->wrong_parts.end()) {
    own.off = clicked;
    return refuse(player, own, *verdict);
  }
  own.answer = std::move(found);
  own.mark = AnswerMark::open;
  own.words.clear();
  own.off.reset();
  return verdict->right && settle(player, own, AnswerMark::right, *verdict);
}

bool reveal_step(Player& player) {
  const LessonStep& step = player.step();
  StepProgress& progress = player.progress();
  progress.revealed = true;
  for (size_t i = 0; i < progress.questions.size(); ++i) {
    QuestionProgress& own = progress.questions[i];
    if (own.settled()) continue;
    if (i < step.solution.answers.size())
      if (const auto right = answer_in(step.solution.answers[i].text, step.questions[i])) own.answer = *right;
    own.mark = AnswerMark::shown;
    own.words.clear();
    own.typed.clear();
    own.off.reset();
  }
  return step.has_reveal && !std::exchange(progress.changed, true);
}

Result<Looked> look_again(Player& player, const Facts& facts, const RunResult* result) {
  StepProgress& progress = player.progress();
  Looked looked;
  if (all_settled(progress))
    for (size_t i = 0; i < progress.questions.size(); ++i)
      if (const Result<void> told = tell_truth(player, i, facts, result, looked); !told) return told.error();
  const Result<bool> held = conditions_hold(player, facts);
  if (!held) return held.error();
  const bool answered = std::ranges::all_of(progress.questions, [](const QuestionProgress& own) {
    return own.mark == AnswerMark::right || (own.mark == AnswerMark::guessed && own.told);
  });
  looked.done_now = *held && answered && !progress.done;
  progress.done = progress.done || looked.done_now;
  return looked;
}

void go_to(Player& player, size_t step) {
  player.at = std::min(step, player.steps.size() - 1);
  player.question = 0;
}

void reset_step(Player& player) {
  StepProgress before = std::exchange(player.progress(), fresh(player.step()));
  for (size_t i = 0; i < before.questions.size(); ++i)
    player.progress().questions[i].counted = before.questions[i].counted;
  player.question = 0;
}

bool show_hint(Player& player) {
  if (player.progress().hints >= player.step().hints.size()) return false;
  ++player.progress().hints;
  return true;
}

void vote(Player& player, size_t question, uint32_t letter, int by) {
  if (letter >= 4 || question >= player.progress().questions.size()) return;
  uint32_t& votes = player.progress().questions[question].votes[letter];
  votes = static_cast<uint32_t>(std::clamp(int64_t{votes} + by, int64_t{0}, int64_t{9999}));
}

std::span<const std::string> hidden_now(const Player& player) {
  const StepProgress& progress = player.progress();
  const bool answered = !progress.questions.empty() && all_settled(progress);
  if (progress.revealed || progress.done || answered || !player.step().show.hide) return {};
  return *player.step().show.hide;
}

bool belongs_to(std::string_view name, std::string_view group) {
  return name == group || (name.starts_with(group) && name[group.size()] == '.');
}

bool is_hidden(const Player& player, std::string_view name) {
  return std::ranges::any_of(hidden_now(player),
                             [&](const std::string& hidden) { return belongs_to(name, hidden); });
}

bool outcome_is_hidden(const Player& player) {
  for (const char* name : {"fault", "faults", "status"})
    if (is_hidden(player, name)) return true;
  for (size_t i = 0; i < player.progress().questions.size(); ++i)
    if (player.step().questions[i].predict && !player.progress().questions[i].settled())
      return !player.progress().revealed;
  return false;
}

const Change* may_change(const Player& player, std::string_view name) {
  const std::optional<std::vector<Change>>& changes = player.step().show.change;
  if (!changes) return nullptr;
  const auto found = std::ranges::find(*changes, name, &Change::name);
  return found == changes->end() ? nullptr : &*found;
}

}  // namespace warplens::lesson
