// Breakpoints of the Step view: the gutter, conditions, running to them, and sessions.
#include "app/state/files/session.h"
#include "tests/ui/step_driver.h"

namespace warplens {
namespace THIS_FILE {

using namespace step_view;

class StepBreakpoints : public WindowTest {};

TEST_F(StepBreakpoints, AreSetInTheGutterAndRunToBothWays) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "reduce_shared"));
    ASSERT_TRUE(click(d, "break:13"));
    ASSERT_EQ(step_of(d).wants.breakpoints.size(), 1u);
    EXPECT_EQ(step_of(d).wants.breakpoints[0], (StepBreakpoint{"reduce_shared.cu", 13, ""}));
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).shown->stops && !step_of(d).moving; }));
    const std::vector<uint64_t> stops = *step_of(d).shown->stops;
    ASSERT_GT(stops.size(), 4u);
    ASSERT_TRUE(press(d, ImGuiKey_F8));
    EXPECT_EQ(step_of(d).shown->position, stops[0]);
    EXPECT_EQ(step_of(d).shown->line, 13u);
    ASSERT_TRUE(click(d, id_of(StepMoveKind::next_stop)));
    EXPECT_EQ(step_of(d).shown->position, stops[1]);
    ASSERT_TRUE(press(d, ImGuiMod_Shift | ImGuiKey_F8));
    EXPECT_EQ(step_of(d).shown->position, stops[0]);
    d.screenshots("step_breakpoint");
    ASSERT_TRUE(press(d, ImGuiKey_End));
    ASSERT_TRUE(press(d, ImGuiMod_Shift | ImGuiKey_F8));
    EXPECT_EQ(step_of(d).shown->position, stops.back());
    ASSERT_TRUE(click(d, "break:13")) << "a second click clears it";
    EXPECT_TRUE(step_of(d).wants.breakpoints.empty());
  });
}

TEST_F(StepBreakpoints, StopForTheLaneOfTheirCondition) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "reduce_shared"));
    if (!step_of(d).shown->no_variables.empty()) GTEST_SKIP() << "no CUDA compiler";
    ASSERT_TRUE(click(d, "break:12"));
    d.ui->ItemInputValue("//###step/##condition_12", "i == 40 && half < 100");
    ASSERT_TRUE(d.wait_until([&] {
      const auto& told = step_of(d).shown->breakpoints;
      return told.size() == 1 && told[0].first.condition == "i == 40 && half < 100" && !step_of(d).moving;
    }));
    EXPECT_EQ(step_of(d).shown->breakpoints[0].second, "");
    ASSERT_TRUE(press(d, ImGuiKey_F8));
    EXPECT_EQ(step_of(d).shown->warp, 1u) << "thread 40";
    EXPECT_EQ(step_of(d).lane, 8u);
    EXPECT_EQ(step_of(d).shown->line, 12u);
    const auto& values = step_of(d).shown->variables;
    const auto half = std::ranges::find(values, "half", &StepValue::name);
    ASSERT_NE(half, values.end());
    EXPECT_LT(std::stoi(half->lanes[8]), 100);
  });
}

TEST_F(StepBreakpoints, WithABadConditionSayWhatIsWrong) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "reduce_shared"));
    ASSERT_TRUE(click(d, "break:12"));
    const auto error = [&] {
      const auto& told = step_of(d).shown->breakpoints;
      return told.empty() ? std::string() : told[0].second;
    };
    d.ui->ItemInputValue("//###step/##condition_12", "nobody == 3");
    ASSERT_TRUE(d.wait_until([&] { return error().find("nobody") != std::string::npos; })) << error();
    d.screenshot("step_bad_condition_1920x1080_dark");
    d.ui->ItemInputValue("//###step/##condition_12", "i == (");
    ASSERT_TRUE(
        d.wait_until([&] { return !error().empty() && error().find("nobody") == std::string::npos; }));
    d.ui->ItemInputValue("//###step/##condition_12", "lane == 3");
    ASSERT_TRUE(d.wait_until([&] { return error().empty() && !step_of(d).moving; }));
    ASSERT_TRUE(press(d, ImGuiKey_F8));
    EXPECT_EQ(step_of(d).lane, 3u);
    ASSERT_TRUE(click(d, "remove:12"));
    EXPECT_TRUE(step_of(d).wants.breakpoints.empty());
  });
}

TEST_F(StepBreakpoints, AreSetAndGivenConditionsByKeys) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "vector_add"));
    ASSERT_TRUE(press(d, ImGuiKey_F10));
    const uint32_t line = step_of(d).shown->line;
    ASSERT_TRUE(press(d, ImGuiKey_F9));
    ASSERT_EQ(step_of(d).wants.breakpoints.size(), 1u);
    EXPECT_EQ(step_of(d).wants.breakpoints[0].line, line);
    ASSERT_TRUE(press(d, ImGuiKey_F9));
    EXPECT_TRUE(step_of(d).wants.breakpoints.empty());
    d.ui->KeyPress(ImGuiMod_Shift | ImGuiKey_F9);
    d.ui->Yield(6);
    d.ui->KeyChars("lane == 2");
    d.ui->KeyPress(ImGuiKey_Enter);
    ASSERT_TRUE(d.wait_until([&] {
      return step_of(d).wants.breakpoints.size() == 1 &&
             step_of(d).wants.breakpoints[0].condition == "lane == 2";
    }));
    EXPECT_FALSE(step_of(d).playing) << "letters that are typed do nothing else";
  });
}

TEST_F(StepBreakpoints, ArePartOfASession) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "reduce_shared"));
    ASSERT_TRUE(click(d, "break:13"));
    const auto session = std::make_shared<const Session>(session_of(d.state()));
    ASSERT_EQ(session->breakpoints.size(), 1u);
    ASSERT_TRUE(click(d, "break:13"));
    d.shell.actions().push(SessionLoaded{session, ""});
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(go_to_step(d));
    ASSERT_EQ(step_of(d).wants.breakpoints.size(), 1u);
    ASSERT_TRUE(press(d, ImGuiKey_F8));
    EXPECT_EQ(step_of(d).shown->line, 13u);
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
