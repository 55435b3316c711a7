#include "core/lesson/play/play.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/lesson/format/markdown.h"
#include "core/lesson/play/player.h"
#include "core/lesson/play/stage.h"

namespace warplens::lesson {
namespace {

class Playing {
 public:
  Playing(const Folder& folder, const Lesson& lesson, RunsProgram runs_program, std::stop_token stop)
      : m_lesson(std::make_shared<const Lesson>(lesson)),
        m_stage(folder, lesson.device, std::move(runs_program)),
        m_stop(std::move(stop)),
        m_mistakes("lesson.md") {}

  std::vector<Diagnostic> play() {
    Player player = start_lesson(m_lesson);
    while (!m_stop.stop_requested()) {
      play_wrongly(player);
      if (!play_rightly(player)) break;
      if (player.last()) break;
      go_to(player, player.at + 1);
    }
    return m_mistakes.take();
  }

 private:
  bool fail(uint32_t line, std::string message) {
    m_mistakes.error(line, std::move(message));
    return false;
  }

  // Gives an answer as a student does: one click after the other.
  static Result<bool> give(Player& player, size_t question, const Answer& answer, const Staged& staged) {
    const auto* clicks = std::get_if<ClickAnswer>(&answer);
    if (clicks == nullptr) {
      set_answer(player, question, answer);
      return give_answer(player, question, staged.facts, staged.result.get());
    }
    for (const Target& target : clicks->clicked)
      if (auto reveals = give_click(player, target, staged.facts, staged.result.get()); !reveals)
        return reveals;
    return false;
  }

  // Plays the step with these moves. False if it could not be shown or judged at all.
  bool do_moves(Player& player, const Moves& moves) {
    const LessonStep& step = player.step();
    // A step with `keep` begins with the student's state at the end of the step before.
    const Show begin = step.own.keep && player.at > 0 ? inherited(m_left, step.own) : wanted_show(player);
    m_now = with_changes(begin, moves.changes);
    auto staged = m_stage.set(m_now, m_stop);
    if (!staged) return fail(moves.line, staged.error().message);
    for (size_t i = 0; i < std::min(moves.answers.size(), step.questions.size()); ++i) {
      const Result<Answer> answer = answer_in(moves.answers[i].text, step.questions[i]);
      if (!answer) return fail(moves.answers[i].line, answer.error().message);
      const Result<bool> reveals = give(player, i, *answer, **staged);
      if (!reveals) return fail(step.questions[i].line, reveals.error().message);
      if (!player.progress().questions[i].settled()) break;  // the next one is not shown yet
    }
    if (player.progress().changed) {
      m_now = with_changes(m_now, step.reveal);
      staged = m_stage.set(m_now, m_stop);
      if (!staged) return fail(moves.line, staged.error().message);
    }
    m_facts = (*staged)->facts;
    const Result<Looked> looked = look_again(player, m_facts, (*staged)->result.get());
    return looked ? true : fail(step.line, looked.error().message);
  }

  bool play_rightly(Player& player) {
    const LessonStep& step = player.step();
    // The state of the step before anything is done: a step that is done at once teaches nothing.
    Player untouched = player;
    if (do_moves(untouched, Moves{{}, {}, step.line}) && untouched.progress().done)
      fail(step.line, "the step is done before anything was done in it");
    if (!do_moves(player, step.solution)) return false;
    if (player.progress().done) {
      m_left = m_now;
      return true;
    }
    std::string why;
    for (const QuestionProgress& question : player.progress().questions)
      if (question.mark == AnswerMark::wrong)
        why += " " + question.words;
      else if (question.mark == AnswerMark::guessed && !question.told)
        why += " The truth of a question cannot be known here.";
      else if (!question.settled())
        why += " A question is not answered.";
    for (const std::string& words : player.progress().missing) why += " " + words;
    for (const Condition& condition : step.done) {
      const Result<bool> held = holds(condition.expression.text, with_answers(player, m_facts));
      if (!held || !*held) why += fmt::format(" (\"{}\" does not hold)", condition.expression.text);
    }
    return fail(step.solution.line, fmt::format("after this solution the step is not done:{}", why));
  }

  void play_wrongly(const Player& before) {
    Player player = before;
    const LessonStep& step = player.step();
    if (!do_moves(player, step.wrong)) return;
    if (!player.progress().done) return;
    const bool guesses = !step.questions.empty() && std::ranges::all_of(step.questions, &Question::predict);
    const bool off = std::ranges::any_of(player.progress().questions,
                                         [](const QuestionProgress& q) { return q.told && !q.guess_right; });
    if (guesses && off) return;
    fail(step.wrong.line, guesses ? "this wrong guess is right" : "after this wrong answer the step is done");
  }

  std::shared_ptr<const Lesson> m_lesson;
  Stage m_stage;
  std::stop_token m_stop;
  Mistakes m_mistakes;
  Show m_now, m_left;  // the current state; the state at the end of the step before
  Facts m_facts;
};

}  // namespace

bool has_programs(const Lesson& lesson) {
  return std::ranges::any_of(lesson.steps,
                             [](const LessonStep& step) { return step.show.program.has_value(); });
}

std::vector<Diagnostic> play_lesson(const Folder& folder, const Lesson& lesson, RunsProgram runs_program,
                                    std::stop_token stop) {
  if (lesson.steps.empty()) return {};
  return Playing(folder, lesson, std::move(runs_program), std::move(stop)).play();
}

}  // namespace warplens::lesson
