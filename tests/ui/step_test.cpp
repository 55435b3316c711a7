// The Step view, driven as a person would.
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class StepPanel : public WindowTest {};

const StepState& step_of(Driver& d) { return d.state().step; }

// Until the block is open and its whole course is known.
bool open_step(Driver& d, const char* kernel) {
  d.shell.actions().push(ChooseKernel{kernel});
  if (!d.wait_for_result()) return false;
  d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_5);
  return d.wait_until([&] { return step_of(d).shown && step_of(d).shown->timeline && !step_of(d).moving; });
}

// Does something that moves the block, and waits until it has moved.
bool moved_by(Driver& d, const std::function<void()>& act) {
  const auto before = step_of(d).shown;
  act();
  return d.wait_until([&] { return step_of(d).shown != before && !step_of(d).moving; });
}
bool press(Driver& d, ImGuiKeyChord keys) {
  return moved_by(d, [&] { d.ui->KeyPress(keys); });
}
bool click(Driver& d, const std::string& item) {
  return moved_by(d, [&] { d.ui->ItemClick(("//###step/" + item).c_str()); });
}
std::string id_of(StepMoveKind kind) { return "do:" + std::to_string(static_cast<int>(kind)); }

TEST_F(StepPanel, GoesForwardsAndBackwardsByLinesWithKeys) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(open_step(d, "vector_add"));
    EXPECT_EQ(d.state().frame.view, View::step);
    EXPECT_EQ(step_of(d).shown->position, 0u);
    std::vector<uint64_t> positions{0};
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(press(d, ImGuiKey_F10));
      EXPECT_GT(step_of(d).shown->position, positions.back());
      positions.push_back(step_of(d).shown->position);
    }
    d.screenshots("step_vector_add");
    ASSERT_TRUE(press(d, ImGuiMod_Shift | ImGuiKey_F10));
    EXPECT_EQ(step_of(d).shown->position, positions[1]);
    ASSERT_TRUE(press(d, ImGuiMod_Alt | ImGuiKey_F10));
    EXPECT_EQ(step_of(d).shown->position, positions[1] + 1);
    ASSERT_TRUE(press(d, ImGuiKey_End));
    EXPECT_EQ(step_of(d).shown->end, stepping::End::finished);
    ASSERT_TRUE(press(d, ImGuiKey_Home));
    EXPECT_EQ(step_of(d).shown->position, 0u);
  });
}

TEST_F(StepPanel, RunsToBarriersWarpsAndLinesByClicks) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(open_step(d, "reduce_shared"));
    ASSERT_TRUE(click(d, id_of(StepMoveKind::barrier)));
    EXPECT_EQ(step_of(d).shown->line, 8u) << "the first __syncthreads()";
    ASSERT_TRUE(click(d, "warp:3"));
    EXPECT_EQ(step_of(d).shown->warp, 3u);
    ASSERT_TRUE(click(d, "line:13"));
    EXPECT_EQ(step_of(d).shown->line, 13u);
    d.screenshots("step_reduce_shared");
    d.ui->ItemClick("//###step/lane:5");
    d.ui->Yield(3);
    EXPECT_EQ(step_of(d).lane, 5u);
    d.ui->ItemClick("//###step/play");
    const uint64_t before = step_of(d).shown->position;
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).shown->position > before; }));
    d.ui->ItemClick("//###step/play");
    d.ui->Yield(2);
    EXPECT_FALSE(step_of(d).playing);
  });
}

TEST_F(StepPanel, OpensTheBlockOfAFaultWhereItHappened) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ChooseKernel{"vector_add_unchecked"});
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_EQ(d.state().runs.result->status, RunStatus::fault);
    d.shell.actions().push(ShowBottom{true});
    d.ui->Yield(6);
    d.ui->ItemClick("//###problems/**/Step to this ›##step");
    ASSERT_TRUE(
        d.wait_until([&] { return step_of(d).shown && step_of(d).shown->timeline && !step_of(d).moving; }));
    EXPECT_EQ(d.state().frame.view, View::step);
    EXPECT_EQ(step_of(d).block, (Dim3{39, 0, 0}));
    EXPECT_EQ(step_of(d).shown->end, stepping::End::fault);
    EXPECT_EQ(step_of(d).shown->line, d.state().runs.result->faults[0].line);
    d.screenshot("step_fault_1920x1080_dark");
  });
}

TEST_F(StepPanel, FollowsThePinnedBlockAndANewRun) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(open_step(d, "transpose_tiled"));
    EXPECT_EQ(step_of(d).block, (Dim3{0, 0, 0}));
    Pick pick;
    pick.block = Dim3{1, 2, 0};
    pick.thread = Dim3{3, 4, 0};
    d.shell.actions().push(Pin{pick});
    ASSERT_TRUE(d.wait_until([&] {
      const StepState& step = step_of(d);
      return step.block == Dim3{1, 2, 0} && step.shown && step.shown->timeline && !step.moving;
    }));
    ASSERT_TRUE(click(d, id_of(StepMoveKind::conflict)));
    EXPECT_FALSE(step_of(d).shown->access.accesses.empty());
    d.screenshots("step_transpose_conflict");
    const uint64_t run = step_of(d).run;
    d.shell.actions().push(RunAgain{});
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).run != run && step_of(d).shown; }));
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
