#include "core/lesson/player.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens::lesson {
namespace {

bool all_answered(const StepProgress& progress) {
  return std::ranges::all_of(progress.questions, &QuestionProgress::answered);
}

// A prediction is judged on the run after the reveal.
bool truth_is_out(const Player& player) { return all_answered(player.progress()) || player.progress().shown; }

Result<Verdict> verdict_on(const Player& player, size_t question, const Answer& answer, const Facts& facts,
                           const RunResult* result) {
  const Facts with = with_answers(player, facts);
  return judge_answer(player.step().questions[question], answer, with, result);
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

Result<bool> conditions_hold(const Player& player, const Facts& facts) {
  for (const Condition& condition : player.step().done) {
    const Result<bool> held = holds(condition.expression.text, facts);
    if (!held || !*held) return held;
  }
  return true;
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
  for (size_t i = 0; i < player.steps.size(); ++i)
    for (size_t k = 0; k < before.steps.size(); ++k) {
      if (player.lesson->steps[i].id != before.lesson->steps[k].id) continue;
      if (player.steps[i].questions.size() == before.steps[k].questions.size())
        player.steps[i] = before.steps[k];
      player.steps[i].left.reset();  // the step may show something else now
      if (k == before.at) player.at = i;
    }
  return player;
}

Show wanted_show(const Player& player) {
  const LessonStep& step = player.step();
  const StepProgress& progress = player.progress();
  if (progress.left) return *progress.left;
  Show show = step.show;
  if (step.own.keep && player.at > 0 && player.steps[player.at - 1].left)
    show = inherited(*player.steps[player.at - 1].left, step.own);
  if (step.has_reveal && truth_is_out(player)) show = with_changes(std::move(show), step.reveal);
  return show;
}

Facts with_answers(const Player& player, Facts facts) {
  uint32_t tries = 0;
  for (size_t i = 0; i < max_questions; ++i) {
    const std::string name = i == 0 ? "answer" : fmt::format("answer.{}", i + 1);
    const bool there = i < player.progress().questions.size();
    facts.set(name, there ? as_number(player.progress().questions[i].given) : std::nullopt);
    if (there) tries += player.progress().questions[i].tries;
  }
  facts.set("tries", tries);
  return facts;
}

namespace {
Result<void> look(Player& player, const Facts& facts, const RunResult* result, bool revealed);
}

Result<Heard> give_answer(Player& player, size_t question, const Answer& answer, const Facts& facts,
                          const RunResult* result) {
  StepProgress& progress = player.steps[player.at];
  if (question >= progress.questions.size()) return bad_input("The step has no such question.");
  QuestionProgress& own = progress.questions[question];
  const Question& asked = player.step().questions[question];
  Heard heard;
  if (asked.predict) {
    if (!own.answered) own.given = answer;
    own.answered = true;
  } else {
    Result<Verdict> verdict = verdict_on(player, question, answer, facts, result);
    if (!verdict) return verdict.error();
    if (verdict->known) {
      own.given = answer;
      own.verdict = *verdict;
      if (!verdict->right) ++own.tries;
      own.answered = verdict->right;
    }
    heard.verdict = std::move(*verdict);
  }
  if (const Result<void> looked = look(player, facts, result, false); !looked) return looked.error();
  if (asked.predict && own.verdict) heard.verdict = *own.verdict;
  if (asked.predict && !own.verdict) heard.verdict.known = false;
  heard.all_answered = all_answered(progress);
  return heard;
}

namespace {

// `revealed`: the facts are of what the step shows after its questions.
Result<void> look(Player& player, const Facts& facts, const RunResult* result, bool revealed) {
  StepProgress& progress = player.steps[player.at];
  const bool decided = truth_is_out(player) && (revealed || !player.step().has_reveal);
  for (size_t i = 0; i < progress.questions.size(); ++i) {
    QuestionProgress& own = progress.questions[i];
    if (!player.step().questions[i].predict || !own.answered || own.verdict || !decided) continue;
    Result<Verdict> verdict = verdict_on(player, i, own.given, facts, result);
    if (!verdict) return verdict.error();
    if (verdict->known) own.verdict = std::move(*verdict);
  }
  if (progress.done || !all_answered(progress)) return {};
  const bool open =
      std::ranges::any_of(progress.questions, [](const QuestionProgress& q) { return !q.verdict; });
  if (open) return {};
  const Result<bool> held = conditions_hold(player, with_answers(player, facts));
  if (!held) return held.error();
  progress.done = *held;
  return {};
}

}  // namespace

Result<void> look_again(Player& player, const Facts& facts, const RunResult* result) {
  return look(player, facts, result, true);
}

std::string still_missing(const Player& player, const Facts& facts) {
  const StepProgress& progress = player.progress();
  if (progress.done) return {};
  for (size_t i = 0; i < progress.questions.size(); ++i) {
    const QuestionProgress& own = progress.questions[i];
    if (own.answered) continue;
    if (own.verdict && !own.verdict->because.empty()) return own.verdict->because;
    return own.tries > 0 ? "That is not it yet." : "Answer the question first.";
  }
  const Facts with = with_answers(player, facts);
  for (const Condition& condition : player.step().done) {
    const Result<bool> held = holds(condition.expression.text, with);
    if (held && *held) continue;
    if (!condition.otherwise.empty()) return filled_in(condition.otherwise.text, with);
    return "Something is left to do in this step.";
  }
  return "The run is not finished yet.";
}

bool go_next(Player& player, const Show& left) {
  if (!player.progress().done || player.last()) return false;
  go_to(player, player.at + 1, left);
  return true;
}

bool go_back(Player& player, const Show& left) {
  if (player.at == 0) return false;
  go_to(player, player.at - 1, left);
  return true;
}

void go_to(Player& player, size_t step, const Show& left) {
  if (step >= player.steps.size()) return;
  player.steps[player.at].left = left;
  player.at = step;
}

void reset_step(Player& player) {
  StepProgress& progress = player.steps[player.at];
  progress.left.reset();
  progress.shown = false;
  for (size_t i = 0; i < progress.questions.size(); ++i) {
    QuestionProgress& own = progress.questions[i];
    if (own.answered) continue;
    const uint32_t tries = own.tries;
    own = {};
    own.tries = tries;
  }
}

bool show_hint(Player& player) {
  StepProgress& progress = player.steps[player.at];
  if (progress.hints >= player.step().hints.size()) return false;
  ++progress.hints;
  return true;
}

void reveal_step(Player& player) { player.steps[player.at].shown = true; }

std::vector<std::string> hidden_now(const Player& player) {
  if (player.progress().done || truth_is_out(player)) return {};
  return player.step().show.hide.value_or(std::vector<std::string>{});
}

bool is_hidden(const Player& player, std::string_view name) {
  return std::ranges::any_of(hidden_now(player), [&](const std::string& hidden) {
    return name == hidden || (name.starts_with(hidden) && name.substr(hidden.size()).starts_with('.'));
  });
}

const Change* may_change(const Player& player, std::string_view name) {
  const std::optional<std::vector<Change>>& changes = player.step().show.change;
  if (!changes) return nullptr;
  const auto found = std::ranges::find(*changes, name, &Change::name);
  return found == changes->end() ? nullptr : &*found;
}

std::string wandered_off(const Player& player, const Show& now) {
  const Show want = wanted_show(player);
  std::string what;
  const auto differs = [&](std::string_view name, bool other) {
    if (other && may_change(player, name) == nullptr) what += (what.empty() ? "" : ", ") + std::string(name);
  };
  const auto set = [](const auto& a, const auto& b) { return a && a != b; };
  if (want.kernel && want.kernel != now.kernel) return "kernel";
  if (want.code && want.code != now.code) return "kernel";
  for (const auto& [name, value] : want.values) {
    const auto found = now.values.find(name);
    differs(name, found == now.values.end() || found->second != value);
  }
  differs("block", set(want.block, now.block));
  differs("grid", set(want.grid, now.grid) || set(want.fit_grid, now.fit_grid));
  differs("shared", set(want.shared_bytes, now.shared_bytes));
  differs("seed", set(want.seed, now.seed));
  differs("order", set(want.order, now.order));
  differs("image", set(want.image, now.image));
  differs("device", set(want.device, now.device));
  differs("view", set(want.view, now.view));
  differs("code", want.edits != now.edits);
  return what;
}

Calibration calibration_of(const Player& player) {
  Calibration calibration;
  std::vector<double> off;
  for (size_t i = 0; i < player.steps.size(); ++i)
    for (size_t k = 0; k < player.steps[i].questions.size(); ++k) {
      const QuestionProgress& own = player.steps[i].questions[k];
      if (!player.lesson->steps[i].questions[k].predict || !own.verdict) continue;
      ++calibration.predictions;
      if (own.verdict->right) ++calibration.right;
      if (own.verdict->off) off.push_back(*own.verdict->off);
    }
  if (!off.empty()) {
    std::sort(off.begin(), off.end());
    const size_t middle = off.size() / 2;
    calibration.median_off = off.size() % 2 == 1 ? off[middle] : (off[middle - 1] + off[middle]) / 2;
  }
  return calibration;
}

}  // namespace warplens::lesson
