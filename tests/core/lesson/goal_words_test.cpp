// Goals in the field's words: counters have names, limits are numbers where they are known, and what has no
// words stays as it is.
#include "core/lesson/goals/goal_words.h"

#include <gtest/gtest.h>

#include "core/launch/fields.h"
#include "core/lesson/format/challenge.h"
#include "core/lesson/goals/goal_nouns.h"
#include "core/lesson/read/field_readers.h"
#include "tests/core/lesson/raw_words.h"

namespace warplens::lesson {
namespace THIS_FILE {

Facts facts_with(std::initializer_list<std::pair<const char*, expression::Value>> values) {
  Facts facts;
  for (const auto& [name, value] : values) facts.set(name, value);
  return facts;
}

TEST(GoalWords, EveryCounterHasWords) {
  const Counters counters;
  each_field(counters, [](std::string_view name, const auto&) {
    const std::string full = "counters." + std::string(name);
    EXPECT_NE(goal_noun(full), nullptr) << full;
    EXPECT_EQ(raw_words_in(goal_words(full + " <= 5")), "") << full;
  });
}

TEST(GoalWords, SayTheLimitAndWhatTheAnswerReached) {
  const Facts facts = facts_with({{"counters.global_load_sectors", 4096},
                                  {"reference.counters.global_load_sectors", 1000},
                                  {"counters.barriers", 12},
                                  {"launch.warps", 4},
                                  {"passes", 2}});
  EXPECT_EQ(goal_words("counters.global_load_sectors <= 1024", facts),
            "at most 1,024 sectors loaded from global memory; yours 4,096");
  EXPECT_EQ(
      goal_words("counters.global_load_sectors <= 1.0249 * reference.counters.global_load_sectors", facts),
      "at most 1,024 sectors loaded from global memory (1.025 times as many as the reference solution); "
      "yours 4,096");
  EXPECT_EQ(goal_words("counters.barriers <= (passes + 1) * launch.warps", facts),
            "at most 12 barriers that warps arrive at (passes + 1 for each warp); yours 12");
}

TEST(GoalWords, WithoutARunSayHowTheLimitIsMade) {
  EXPECT_EQ(goal_words("counters.global_load_sectors <= reference.counters.global_load_sectors"),
            "sectors loaded from global memory: at most as many as the reference solution");
  EXPECT_EQ(
      goal_words("counters.atomic_sectors <= 0.25 * start.counters.global_store_sectors"),
      "sectors of atomics on global memory: at most 0.25 × sectors stored to global memory of the starter");
  EXPECT_EQ(goal_words("counters.global_load_requests <= launch.warps + launch.blocks"),
            "requests to load from global memory: at most 1 for each warp and 1 for each block");
  EXPECT_EQ(goal_words("counters.global_load_sectors <= 1.1 * n / 8", facts_with({{"n", 16384}})),
            "at most 2,252 sectors loaded from global memory (1.1 × n ÷ 8)");
}

TEST(GoalWords, SayMeasuresWithTheirUnit) {
  EXPECT_EQ(goal_words("occupancy.percent == 100", facts_with({{"occupancy.percent", 66.7}})),
            "theoretical occupancy: exactly 100 %; yours 66.7 %");
  EXPECT_EQ(goal_words("occupancy.waves > floor(occupancy.waves)", facts_with({{"occupancy.waves", 3}})),
            "waves of blocks: no whole number; yours 3");
}

TEST(GoalWords, JoinSumsAndSeveralConditions) {
  EXPECT_EQ(goal_words("faults + findings == 0 && counters.shared_load_requests > 0"),
            "no faults and no findings; and some requests to load from shared memory");
  EXPECT_EQ(goal_words("faults + findings <= 3"), "at most 3 faults and findings together");
}

// 1024.4 sectors are at most 1,024; a fraction that misses by little is told apart from its limit.
TEST(GoalWords, NeverShowTwoSidesThatDifferAsEqual) {
  EXPECT_EQ(goal_words("occupancy.waves <= 0.52", facts_with({{"occupancy.waves", 0.520001}})),
            "waves of blocks: at most 0.52; yours 0.520001");
  EXPECT_EQ(goal_words("faults >= 2.2", facts_with({{"faults", 2}})), "at least 3 faults; yours 2");
}

TEST(GoalWords, KeepBracketsThatCount) {
  EXPECT_EQ(goal_words("occupancy.waves <= a - (b - c)"), "waves of blocks: at most a − (b − c)");
  EXPECT_EQ(goal_words("occupancy.waves <= a / (b * c)"), "waves of blocks: at most a ÷ (b × c)");
  EXPECT_EQ(goal_words("occupancy.waves <= a + b * c"), "waves of blocks: at most a + b × c");
  EXPECT_EQ(goal_words("occupancy.waves <= ceil(a + b) * 2"),
            "waves of blocks: at most (a + b, rounded up) × 2");
}

TEST(GoalWords, ReadNumbersAsExpressionsDo) {
  EXPECT_EQ(goal_words("faults <= 1e6"), "at most 1,000,000 faults");
  EXPECT_EQ(goal_words("occupancy.waves <= double(n) / 8.0"), "waves of blocks: at most n ÷ 8");
}

TEST(GoalWords, LeaveWhatHasNoWordsAsItIs) {
  for (const char* text :
       {"", "right", "faults == 0 || findings == 0", "finding.race > 0", "counters.unheard_of <= 3",
        "faults <= ", "(faults <= 1", "1 < faults < 3", "sum(out) == 5", "out[3] == 1", "faults <= -1",
        "faults <= 1 2", "min(faults, 2) <= 1"})
    EXPECT_EQ(goal_words(text), text);
  const std::string deep = std::string(500, '(') + "faults" + std::string(490, ')') + " <= 1";
  EXPECT_EQ(goal_words(deep), deep);
}

Condition goal(std::string_view line) {
  Mistakes mistakes("challenge.md");
  Condition read = goal_of({std::string(line), 7}, mistakes);
  EXPECT_EQ(to_text(mistakes.take()), "") << line;
  return read;
}

TEST(GoalWords, OfTheTeacherNeverStandInPlaceOfWhatWasReached) {
  const Condition used = goal("occupancy.waves <= 0.52 as at most 52 % of the places are taken else Fewer.");
  EXPECT_EQ(used.expression.text, "occupancy.waves <= 0.52");
  EXPECT_EQ(used.otherwise.text, "Fewer.");
  EXPECT_EQ(goal_words(used), "at most 52 % of the places are taken");
  EXPECT_EQ(goal_words(used, facts_with({{"occupancy.waves", 0.75}})),
            "at most 52 % of the places are taken; yours 75 %");
  EXPECT_EQ(goal_words(used, facts_with({{"occupancy.waves", 0.520001}})),
            "at most 52 % of the places are taken; yours 52.0001 %")
      << "two sides that differ are never shown as equal";
  EXPECT_EQ(goal_words(goal("100 * occupancy.waves > 0 as some are free (more than 0 %)"),
                       facts_with({{"occupancy.waves", 0.25}})),
            "some are free (more than 0 %); yours 25 %");
  EXPECT_EQ(
      goal_words(goal("counters.barriers <= 8 as at most 8 waits"), facts_with({{"counters.barriers", 96}})),
      "at most 8 waits; yours 96");
  EXPECT_EQ(goal_words(goal("faults == 0 && counters.barriers > 0 as it waits, and rightly"),
                       facts_with({{"faults", 1}, {"counters.barriers", 1200}})),
            "it waits, and rightly; yours 1 and 1,200");
}

TEST(GoalWords, OfTheTeacherAreRefusedWhereNothingCouldStandBehindThem) {
  const auto said = [](std::string line) {
    Mistakes mistakes("challenge.md");
    goal_of({std::move(line), 7}, mistakes);
    return to_text(mistakes.take());
  };
  const std::pair<std::string, std::string> all[] = {
      {"faults == 0 as", "write the goal's words"},
      {"faults == 0 as  else None.", "write the goal's words"},
      {"right as it is right", "comparisons"},
      {"faults == 0 || findings == 0 as it is well", "comparisons"},
      {"faults == 0 && right as it is well", "comparisons"},
      {"faults <= 3 as few faults; yours 2", "leave it out"},
      {"faults <= 3 as " + std::string(201, 'x'), "at most 200 bytes"},
      {"occupancy.percent >= 80 as at least 90 % of the places", "the words say 90 %"}};
  for (const auto& [line, message] : all) {
    EXPECT_NE(said(line).find(message), std::string::npos) << line << "\n" << said(line);
    EXPECT_NE(said(line).find("challenge.md:7"), std::string::npos) << said(line);
  }
}

// A goal with && has no one side that could be drawn against the other.
TEST(GoalWords, HaveSidesWhereTheyAreOneComparison) {
  const Facts facts = facts_with({{"faults", 3}, {"n", 40}});
  const auto sides = goal_sides("faults <= n / 8", facts);
  ASSERT_TRUE(sides);
  EXPECT_EQ(sides->reached, 3);
  EXPECT_EQ(sides->limit, 5);
  EXPECT_FALSE(goal_sides("faults <= n && faults >= 1", facts));
  EXPECT_FALSE(goal_sides("findings <= n", facts));
  EXPECT_FALSE(goal_sides("right", facts));
}

TEST(GoalWords, AreFoundForEveryGoalOfTheChallenges) {
  size_t seen = 0;
  for (const Folder& folder : embedded_folders("challenges")) {
    const Challenge challenge = load_challenge(folder).challenge;
    for (const auto* all : {&challenge.goal, &challenge.two, &challenge.three})
      for (const Condition& condition : *all) {
        ++seen;
        EXPECT_EQ(raw_words_in(goal_words(condition)), "") << folder.name;
      }
  }
  EXPECT_GE(seen, 36u);
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson
