#include "app/views/launch/challenge_goals.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

lesson::Challenge challenge_with_goals() {
  lesson::Challenge challenge;
  challenge.stars_at.values["n"] = 4096;
  challenge.goal = {{{"faults == 0", 1}, {}}};
  challenge.two = {{{"counters.barriers <= n / 64", 2}, {"Raw {{n}}.", 2}}};
  challenge.three = {
      {{"occupancy.waves / 2 >= 0.9", 3}, {"Fill it.", 3}, {"at least 90 % of the places are used", 3}}};
  return challenge;
}

TEST(ChallengeGoals, BeforeAnAnswerSayWhatIsAsked) {
  const ChallengeGoals goals = challenge_goals(challenge_with_goals(), nullptr);
  ASSERT_EQ(goals.lines.size(), 4u);
  EXPECT_EQ(goals.lines[0].words, "right at every size and in every order");
  EXPECT_EQ(goals.lines[1].words, "no faults");
  EXPECT_EQ(goals.lines[2].words, "at most 64 barriers that warps arrive at (n ÷ 64)");
  EXPECT_EQ(goals.lines[3].words, "at least 90 % of the places are used");
  EXPECT_EQ(goals.counted_at, "n = 4096");
  for (const GoalLine& line : goals.lines) {
    EXPECT_FALSE(line.known || line.reached || line.meter);
    EXPECT_EQ(line.otherwise, "") << "nobody has missed it yet";
  }
}

TEST(ChallengeGoals, OfAnAnswerAreTheJudgesOwnWords) {
  lesson::Judged judged;
  judged.stars = 1;
  judged.goals = {{1, "faults == 0", "", true, "no faults; yours 0", lesson::GoalSides{0, 0}},
                  {2, "counters.barriers <= n / 64", "Raw 4096.", false, "at most 64 …; yours 256",
                   lesson::GoalSides{256, 64}},
                  {3, "occupancy.waves / 2 >= 0.9", "Fill it.", true, "at least 90 % …; yours 95 %",
                   lesson::GoalSides{0.95, 0.9}}};
  const ChallengeGoals goals = challenge_goals(challenge_with_goals(), &judged);
  ASSERT_EQ(goals.lines.size(), 4u);
  EXPECT_TRUE(goals.lines[0].reached);
  EXPECT_FALSE(goals.lines[1].meter) << "none of an equality";
  EXPECT_EQ(goals.lines[2].words, "at most 64 …; yours 256");
  EXPECT_EQ(goals.lines[2].otherwise, "Raw 4096.") << "filled in by the judge";
  ASSERT_TRUE(goals.lines[2].meter);
  EXPECT_FLOAT_EQ(goals.lines[2].meter->reached, 1);
  EXPECT_FLOAT_EQ(goals.lines[2].meter->limit, 0.25f);
  EXPECT_EQ(goals.lines[3].otherwise, "") << "reached";
  ASSERT_TRUE(goals.lines[3].meter);
  EXPECT_FLOAT_EQ(goals.lines[3].meter->limit, float(0.9 / 0.95));
}

TEST(ChallengeGoals, WhatIsMissedForTheNextStarIsNamedWithItsNumberAndLimit) {
  lesson::Judged judged;
  judged.stars = 1;
  judged.goals = {{1, "faults == 0", "", true, "no faults; yours 0", lesson::GoalSides{0, 0}},
                  {2, "counters.barriers <= n / 64", "Raw 4096.", false, "at most 64 barriers; yours 256",
                   lesson::GoalSides{256, 64}},
                  {3, "occupancy.waves / 2 >= 0.9", "Fill it.", false, "at least 90 %; yours 40 %",
                   lesson::GoalSides{0.4, 0.9}}};
  using Lines = std::vector<std::string>;
  EXPECT_EQ(missed_goals(challenge_goals(challenge_with_goals(), &judged)),
            Lines{"★★ at most 64 barriers; yours 256"});
  judged.goals[1].holds = true;
  EXPECT_EQ(missed_goals(challenge_goals(challenge_with_goals(), &judged)),
            Lines{"★★★ at least 90 %; yours 40 %"});
  judged.goals[2].holds = true;
  EXPECT_EQ(missed_goals(challenge_goals(challenge_with_goals(), &judged)), Lines{});
  judged = {};
  judged.reason = lesson::Reason::mismatch;
  EXPECT_EQ(missed_goals(challenge_goals(challenge_with_goals(), &judged)), Lines{}) << "nothing was counted";
  EXPECT_EQ(missed_goals(challenge_goals(challenge_with_goals(), nullptr)), Lines{});
}

// The counts that a wrong answer would have had are not known, so the goals are unchanged.
TEST(ChallengeGoals, OfAWrongAnswerStayOpen) {
  lesson::Judged judged;
  judged.reason = lesson::Reason::mismatch;
  const ChallengeGoals goals = challenge_goals(challenge_with_goals(), &judged);
  EXPECT_TRUE(goals.lines[0].known);
  EXPECT_FALSE(goals.lines[0].reached);
  EXPECT_FALSE(goals.lines[2].known);
  EXPECT_EQ(goals.lines[2].words, "at most 64 barriers that warps arrive at (n ÷ 64)");
  judged.reason = lesson::Reason::goal;
  judged.goals = {{1, "faults == 0", "Mend it.", false, "no faults; yours 2", lesson::GoalSides{2, 0}}};
  const ChallengeGoals missed = challenge_goals(challenge_with_goals(), &judged);
  EXPECT_TRUE(missed.lines[0].reached) << "its outputs are right";
  EXPECT_EQ(missed.lines[1].words, "no faults; yours 2");
}

}  // namespace THIS_FILE
}  // namespace warplens
