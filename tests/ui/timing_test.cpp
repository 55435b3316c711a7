// The Timing view and the Runs panel, driven as a person would.
#include <algorithm>

#include "app/views/timing/picture.h"
#include "core/job/sweep.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class TimingPanel : public WindowTest {};

const SweepState& sweep_of(Driver& d, SweepKind kind) { return d.state().sweeps[static_cast<size_t>(kind)]; }

void show(Driver& d, TimingMode mode) {
  const std::string chip =
      std::string("//###timing/") + std::string(name_of(TimingVerb::mode)) + to_string(mode);
  d.ui->ItemClick(chip.c_str());
  d.ui->Yield(3);
}

// Every picture in both themes, at the smallest window and at the design size, and the densest at large text.
TEST_F(TimingPanel, ShowsEachPictureAtEverySize) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ShowView{View::timing});
    d.ui->Yield(4);
    for (const Dim3 block : {Dim3{1, 256, 1}, Dim3{32, 8, 1}}) {
      d.shell.actions().push(SetBlock{block});
      ASSERT_TRUE(d.wait_for_result());
    }
    for (const TimingMode mode : all_timing_modes) {
      show(d, mode);
      ASSERT_TRUE(d.wait_for_result());
      std::string name = std::string("timing_") + to_string(mode);
      std::replace(name.begin(), name.end(), ' ', '_');
      for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{1280, 720}}) {
        d.resize(width, height);
        const Theme theme = width == 1920 ? Theme::dark : Theme::light;
        d.shell.actions().push(SetTheme{theme});
        d.ui->Yield(6);
        d.screenshot(name + (width == 1920 ? "_1920x1080_dark" : "_1280x720_light"));
      }
      d.shell.actions().push(SetTextScale{2.5f});
      d.ui->Yield(10);
      d.screenshot(name + "_1280x720_light_text250");
      d.shell.actions().push(SetTextScale{1});
      d.resize(1920, 1080);
    }
  });
}

TEST_F(TimingPanel, AClickOnAColumnTakesItsBlock) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ChooseKernel{"vector_add"});
    d.shell.actions().push(ShowView{View::timing});
    ASSERT_TRUE(d.wait_for_result());
    show(d, TimingMode::blocks);
    ASSERT_TRUE(d.wait_until([&] {
      const auto& sweep = sweep_of(d, SweepKind::blocks);
      return sweep.result && sweep.result->complete();
    }));
    const auto first = sweep_of(d, SweepKind::blocks).result;
    EXPECT_FALSE(first->sentence.empty());
    d.ui->ItemClick("//###timing/point:1");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->shape.block, first->points[1].block);
    EXPECT_EQ(sweep_of(d, SweepKind::blocks).result, first) << "another block of today needs no new sweep";
  });
}

TEST_F(TimingPanel, ASweepHasTodaysBlockAndCallsWhatLiesInTheBandATie) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ChooseKernel{"vector_add"});
    d.shell.actions().push(ShowView{View::timing});
    ASSERT_TRUE(d.wait_for_result());
    show(d, TimingMode::blocks);
    const auto complete = [&] {
      const auto& sweep = sweep_of(d, SweepKind::blocks);
      return sweep.result && sweep.result->complete() && !sweep.wanted;
    };
    ASSERT_TRUE(d.wait_until(complete));
    const size_t usual = sweep_of(d, SweepKind::blocks).result->points.size();
    d.type_number("launch", "block_x", 300);
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(d.wait_until(complete));
    const auto sweep = sweep_of(d, SweepKind::blocks).result;
    EXPECT_EQ(sweep->points.size(), usual + 1);
    const auto today = std::ranges::find(sweep->points, Dim3{300, 1, 1}, &SweepPoint::block);
    ASSERT_NE(today, sweep->points.end());
    if (!today->kernel.us) return;  // no linker, so no times
    EXPECT_GT(count_ties(*sweep), 1u);
    EXPECT_EQ(sweep->sentence.find("Best"), std::string::npos) << sweep->sentence;
    d.screenshots("sweep_tie");
  });
}

TEST_F(TimingPanel, ASweepInWhichEverythingFaultsSaysSo) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ChooseKernel{"vector_add_unchecked"});
    d.shell.actions().push(ShowView{View::timing});
    ASSERT_TRUE(d.wait_for_result());
    show(d, TimingMode::blocks);
    ASSERT_TRUE(d.wait_until([&] {
      const auto& sweep = sweep_of(d, SweepKind::blocks);
      return sweep.result && sweep.result->complete();
    }));
    EXPECT_NE(sweep_of(d, SweepKind::blocks).result->sentence.find("None of the"), std::string::npos);
    EXPECT_FALSE(d.ui->ItemExists("//###timing/point:0")) << "there is no plot without a time";
    d.screenshot("sweep_faults_1920x1080_dark");
  });
}

TEST_F(TimingPanel, APinnedBaselineHoldsEveryViewAgainstIt) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    const uint64_t first = d.state().runs.now.shown;
    d.shell.actions().push(SetBlock{{1, 256, 1}});
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ShowBottom{true});
    d.ui->Yield(6);
    const std::string pin = "//###runs/**/baseline##" + std::to_string(first);
    d.ui->ItemClick(pin.c_str());
    d.ui->Yield(4);
    ASSERT_TRUE(d.state().runs.baseline);
    EXPECT_EQ(d.state().runs.baseline->serial, first);
    d.screenshots("baseline_runs");
    d.shell.actions().push(ShowBottom{false});
    for (const View view : {View::memory, View::occupancy, View::timing}) {
      d.shell.actions().push(ShowView{view});
      ASSERT_TRUE(d.wait_for_result());
      d.screenshots(std::string("baseline_") + row_of(view).name);
    }
    d.shell.actions().push(ShowBottom{true});
    d.ui->Yield(6);
    const std::string unpin = "//###runs/**/unpin##" + std::to_string(first);
    d.ui->ItemClick(unpin.c_str());
    d.ui->Yield(4);
    EXPECT_FALSE(d.state().runs.baseline);
  });
}

TEST_F(TimingPanel, RunsAreComparedRestoredAndUndone) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(SetBlock{{32, 8, 1}});
    ASSERT_TRUE(d.wait_for_result());
    d.open_bottom();
    d.ui->ItemClick("//###runs/A ∕ B");
    d.ui->Yield(4);
    d.screenshot("runs_ab_1920x1080_dark");
    d.ui->ItemClick("//###runs/Undo");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.block, (Dim3{16, 16, 1}));
    d.ui->ItemClick("//###runs/Redo");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.block, (Dim3{32, 8, 1}));
    d.ui->ItemClick("//###runs/history");
    d.ui->Yield(3);
    const uint64_t earlier = d.state().runs.history[1].serial;  // rows out of sight have no items
    const std::string restore = "//###runs/**/restore##" + std::to_string(earlier);
    d.ui->ItemClick(restore.c_str());
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.block, (Dim3{16, 16, 1}));
    EXPECT_EQ(d.state().runs.now.shown, earlier);
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
