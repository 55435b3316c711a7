// The goals of a challenge as lines with meters: what ★, ★★ and ★★★ ask for, and what an answer reached.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/lesson/format/challenge.h"
#include "core/lesson/judge/judge.h"

namespace warplens {

// The lengths of two bars, as parts of the longer one: what was reached, and what is allowed.
struct GoalMeter {
  float reached = 0, limit = 0;
};

struct GoalLine {
  std::string stars, words;
  std::string otherwise;  // what a student reads who has not reached it; else empty
  bool known = false;     // an answer was judged for it
  bool reached = false;
  std::optional<GoalMeter> meter;
};

struct ChallengeGoals {
  std::vector<GoalLine> lines;
  std::string counted_at;  // "n = 4096"; empty if nothing is counted at a size of its own
};

// What an answer misses for its next star: "★★ at most 64 barriers …; yours 256", one for each goal. Empty if
// it has all of them, or if no goal was counted, as for a wrong answer.
std::vector<std::string> missed_goals(const ChallengeGoals& goals);

// `judged` is null as long as no answer was.
ChallengeGoals challenge_goals(const lesson::Challenge& challenge, const lesson::Judged* judged);

}  // namespace warplens
