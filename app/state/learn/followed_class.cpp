#include "app/state/parts/class_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/base/format.h"
#include "app/state/reducers/learn.h"
#include "app/state/reducers/runs.h"

namespace warplens {

namespace {

// As a student's page goes where the teacher sends everybody, once. The teacher may go elsewhere then.
void go_where_the_class_is_sent(AppState& state, const ClassNews& news) {
  const bool open = state.lesson.is_open() && state.lesson.open->folder.name == news.lesson;
  if (!open) detail::apply(state, OpenLesson{news.lesson});
  if (!state.lesson.is_open() || state.lesson.open->folder.name != news.lesson) return;
  const auto& steps = state.lesson.open->lesson.steps;
  const auto step = std::ranges::find(steps, news.step, &lesson::LessonStep::id);
  if (step != steps.end()) detail::apply(state, GoToStep{static_cast<size_t>(step - steps.begin())});
}

void say_problem(AppState& state, const std::string& problem) {
  const bool was_said = !std::exchange(state.followed.problem, problem).empty();
  if (was_said) return;
  detail::apply(state.problems, Notify{ProblemLevel::warning, "The class is not followed now",
                                       problem + " The window goes on when it is there again."});
}

}  // namespace

const std::vector<ClassAnswer>* answers_of_class(const AppState& state, size_t question) {
  if (!state.followed.news || !state.lesson.is_open()) return nullptr;
  const auto& answers = state.followed.news->answers;
  const auto found = answers.find(
      fmt::format("{}/{}/{}", state.lesson.open->folder.name, current_step(state)->id, question + 1));
  return found == answers.end() || found->second.empty() ? nullptr : &found->second;
}

namespace detail {

void apply(AppState& state, const ClassTold& action) {
  if (!action.news) return say_problem(state, action.problem);
  const std::shared_ptr<const ClassNews> before = std::exchange(state.followed.news, action.news);
  state.followed.problem.clear();
  const ClassNews& now = *action.news;
  if (!before)
    apply(state.problems,
          Notify{ProblemLevel::note, "The window follows your class",
                 fmt::format("{}: {}. Their answers come in under each question, hidden until V shows them.",
                             now.name, count_text(now.students, "student", "students"))});
  const bool sent = !before || before->lesson != now.lesson || before->step != now.step;
  if (sent && !now.lesson.empty()) go_where_the_class_is_sent(state, now);
  const bool revealed = now.reveal && (sent || !before->reveal);
  if (revealed && state.lesson.is_open() && current_step(state)->id == now.step) apply(state, RevealStep{});
}

}  // namespace detail

}  // namespace warplens
