// What expressions know of the model of an SM.
#include "core/lesson/goals/sm_facts.h"

#include <gtest/gtest.h>

namespace warplens::lesson {
namespace THIS_FILE {

std::optional<double> value(std::string_view expression, const Facts& facts) {
  const auto found = value_of(expression, facts);
  EXPECT_TRUE(found) << expression;
  return found ? *found : std::nullopt;
}

RunResult modelled() {
  auto sm = std::make_shared<SmStates>();
  sm->issue_slots = 0.25;
  sm->active_warps = 4;
  sm->eligible_warps = 0.5;
  sm->cycles = 1000;
  sm->cycles_an_instruction[WarpState::selected] = 1;
  sm->cycles_an_instruction[WarpState::not_selected] = 9;
  sm->cycles_an_instruction[WarpState::barrier] = 6;
  RunResult result;
  result.sm = sm;
  return result;
}

TEST(SmFacts, AreThoseOfTheModel) {
  const RunResult result = modelled();
  Facts facts;
  add_sm(facts, "", &result);
  EXPECT_EQ(value("sm.issue_slots", facts), 25);
  EXPECT_EQ(value("sm.active_warps", facts), 4);
  EXPECT_EQ(value("sm.eligible_warps", facts), 0.5);
  EXPECT_EQ(value("sm.cycles", facts), 1000);
  EXPECT_EQ(value("sm.state.barrier", facts), 100 * 6 / 16.0);
  EXPECT_EQ(value("sm.longest.barrier", facts), 1);
  EXPECT_EQ(value("sm.longest.wait", facts), 0);
  EXPECT_FALSE(facts.has("sm.longest.not_selected"));
}

TEST(SmFacts, AreUnknownWithoutAModel) {
  const RunResult result;
  for (const RunResult* of : {&result, static_cast<const RunResult*>(nullptr)}) {
    Facts facts;
    add_run(facts, "start.", of);
    EXPECT_TRUE(facts.has("start.sm.issue_slots"));
    EXPECT_EQ(value("start.sm.issue_slots", facts), std::nullopt);
    EXPECT_EQ(value("start.sm.longest.barrier", facts), std::nullopt);
  }
}

TEST(SmFacts, AreAskedForByTheirNamesOnly) {
  EXPECT_TRUE(asks_for_sm("{{sm.issue_slots}} %"));
  EXPECT_TRUE(asks_for_sm("sm.state.barrier < 33"));
  EXPECT_TRUE(asks_for_sm("1.3 * start.sm.issue_slots"));
  EXPECT_FALSE(asks_for_sm("part: sm."));
  EXPECT_FALSE(asks_for_sm("an organism.x"));
  EXPECT_FALSE(asks_for_sm("An SM. has 4"));
  EXPECT_FALSE(asks_for_sm("sm."));
  EXPECT_FALSE(asks_for_sm(""));
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson
