#include "app/views/launch/challenge_goals.h"

#include <algorithm>

#include "core/lesson/goals/goal_words.h"
#include "core/lesson/read/read_cases.h"

namespace warplens {
namespace {

// An equality is met or not: there is no way to be nearly there.
std::optional<GoalMeter> meter_of(const lesson::GoalResult& goal) {
  const bool ordered =
      goal.expression.find('<') != std::string::npos || goal.expression.find('>') != std::string::npos;
  if (!ordered || !goal.sides || goal.sides->limit <= 0 || goal.sides->reached < 0) return std::nullopt;
  const double most = std::max(goal.sides->reached, goal.sides->limit);
  return GoalMeter{float(goal.sides->reached / most), float(goal.sides->limit / most)};
}

GoalLine goal_line_of(const char* stars, const lesson::Condition& condition, const lesson::Facts& sizes,
                      const lesson::Judged* judged) {
  GoalLine line;
  line.stars = stars;
  if (judged != nullptr) {
    const auto goal =
        std::ranges::find(judged->goals, condition.expression.text, &lesson::GoalResult::expression);
    if (goal != judged->goals.end()) {
      line.known = true;
      line.reached = goal->holds;
      line.words = goal->words;
      line.meter = meter_of(*goal);
      if (!goal->holds) line.otherwise = goal->otherwise;
    }
  }
  if (!line.known) line.words = lesson::goal_words(condition, sizes);
  return line;
}

}  // namespace

ChallengeGoals challenge_goals(const lesson::Challenge& challenge, const lesson::Judged* judged) {
  ChallengeGoals goals;
  // Before a run, the numbers of the size at which the stars are counted are all that is known.
  lesson::Facts sizes;
  for (const auto& [name, value] : challenge.stars_at.values) sizes.set(name, value);
  // A goal of ★ that is missed leaves the outputs right.
  const bool right = judged != nullptr && (judged->right() || judged->reason == lesson::Reason::goal);
  goals.lines.push_back({"★",
                         challenge.expects_wrong ? "find a launch in which the mistake shows"
                                                 : "right at every size and in every order",
                         "", judged != nullptr, right, std::nullopt});
  const auto add = [&](const char* stars, const std::vector<lesson::Condition>& conditions) {
    for (const lesson::Condition& condition : conditions)
      goals.lines.push_back(goal_line_of(stars, condition, sizes, judged));
  };
  add("★", challenge.goal);
  add("★★", challenge.two);
  add("★★★", challenge.three);
  if (goals.lines.size() > 1) goals.counted_at = lesson::text_of(challenge.stars_at);
  return goals;
}

std::vector<std::string> missed_goals(const ChallengeGoals& goals) {
  std::vector<std::string> missed;
  std::string stars;
  for (size_t i = 1; i < goals.lines.size(); ++i) {  // the first one is what the verdict itself is about
    const GoalLine& line = goals.lines[i];
    if (!line.known || line.reached) continue;
    if (!stars.empty() && line.stars != stars) break;
    stars = line.stars;
    missed.push_back(line.stars + " " + line.words);
  }
  return missed;
}

}  // namespace warplens
