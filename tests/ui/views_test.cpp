// The Occupancy and Memory views in the window: what they show, and that pointing and clicking works.
#include <filesystem>

#include <unistd.h>

#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class Views : public WindowTest {};

TEST_F(Views, OccupancyFollowsTheControlsAndTheDevices) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_4);
    d.ui->Yield(4);
    EXPECT_EQ(d.state().frame.view, View::occupancy);
    ASSERT_TRUE(d.wait_for_result());
    d.screenshots("occupancy");
    d.shell.actions().push(SetBlock{{32, 1, 1}});
    ASSERT_TRUE(d.wait_for_result());
    d.screenshot("occupancy_32_threads_1920x1080_dark");
    d.ui->ItemClick("//###occupancy/device:h200");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.device.id, "h200");
    d.screenshot("occupancy_h200_1920x1080_dark");
    d.shell.actions().push(SetBlock{{32, 33, 1}});
    ASSERT_TRUE(d.wait_for_result());
    d.screenshot("occupancy_refused_1920x1080_dark");
  });
}

// The driver fails where two items under the pointer have one identifier: here the pointer is everywhere.
TEST_F(Views, NoTwoItemsHaveOneIdentifier) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        for (const ViewRow& row : all_views()) {
          if (!row.is_tab() || row.view == View::program) continue;
          SCOPED_TRACE(row.name);
          d.shell.actions().push(ShowView{row.view});
          d.ui->Yield(4);
          ASSERT_TRUE(d.wait_for_result());
          for (float y = 20; y < 720; y += 35)
            for (float x = 20; x < 1280; x += 70) d.ui->MouseMoveToPos({x, y});
        }
      },
      small_window());
}

TEST_F(Views, MemoryShowsAnAccessOfTheLineThatWasClicked) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_3);
    d.ui->Yield(4);
    EXPECT_EQ(d.state().frame.view, View::memory);
    ASSERT_TRUE(d.wait_until([&] { return d.state().footprint.replayed != nullptr; }));
    EXPECT_EQ(d.state().footprint.replayed->block, (Dim3{0, 0, 0}));
    d.ui->Yield(40);
    d.screenshots("memory");
    d.choose_kernel("matmul_tiled");
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(d.wait_until([&] { return d.state().footprint.replayed != nullptr; }));
    d.ui->Yield(40);
    d.screenshots("memory_matmul");
    const LineCounters* line = nullptr;
    for (const LineCounters& counted : d.state().runs.result->lines)
      if (counted.global_requests > 0) line = &counted;
    ASSERT_NE(line, nullptr);
    d.ui->ItemClick(("//###memory/line:" + std::to_string(line->line)).c_str());
    d.ui->Yield(4);
    EXPECT_EQ(d.state().selection.pinned.line, line->line);
    d.screenshot("memory_line_1920x1080_dark");
    d.ui->ItemClick("//###memory/warp:2");
    d.ui->Yield(4);
    ASSERT_TRUE(d.state().selection.pinned.thread);
    EXPECT_EQ(linear_index(*d.state().selection.pinned.thread, d.state().runs.result->shape.block), 64u);
    EXPECT_EQ(d.state().selection.pinned.line, line->line) << "the line stays";
    d.ui->ItemClick("//###memory/buffer:0");
    d.ui->Yield(4);
  });
}

// Rows on x compared with columns on x: sectors, heat and the modelled time in one picture, and the two runs
// next to each other.
TEST_F(Views, UncoalescedGrayscaleTellsItsStory) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ChooseKernel{"grayscale"});
    d.shell.actions().push(SetBlock{{256, 1, 1}});
    ASSERT_TRUE(d.wait_for_result());
    const auto column = d.state().runs.result;
    d.shell.actions().push(ChooseKernel{"grayscale_row_on_x"});
    d.shell.actions().push(SetBlock{{256, 1, 1}});
    d.shell.actions().push(ShowView{View::memory});
    ASSERT_TRUE(d.wait_for_result());
    const auto row = d.state().runs.result;
    ASSERT_TRUE(row->counters->l2_read_sectors) << "the model of the caches has run";
    EXPECT_GT(row->counters->global_load_sectors, 10 * column->counters->global_load_sectors);
    if (row->time.kernel && column->time.kernel) {
      EXPECT_GT(*row->time.kernel, 2 * *column->time.kernel);
    }
    d.open_bottom();
    d.ui->ItemClick("//###runs/A ∕ B");
    d.ui->Yield(60);
    d.screenshots("story_row_on_x");
  });
}

TEST_F(Views, ATableIsSavedAsCsv) {
  const auto path =
      std::filesystem::temp_directory_path() / ("warplens_views_" + std::to_string(::getpid()) + ".csv");
  std::filesystem::remove(path);
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ShowView{View::memory});
    d.ui->Yield(6);
    d.ui->ItemClick("//###memory/save");
    d.ui->Yield(3);
    d.ui->ItemInputValue("//$FOCUSED/##path", path.string().c_str());
    d.ui->Yield(2);
    EXPECT_TRUE(d.wait_until([&] { return std::filesystem::exists(path); }, 5));
  });
  std::filesystem::remove(path);
}

}  // namespace THIS_FILE
}  // namespace warplens
