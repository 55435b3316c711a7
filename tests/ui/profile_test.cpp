// The Profile view in the window: sections, search, what a click explains, rules that lead to their figures,
// a baseline.
#include <filesystem>

#include <unistd.h>

#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class ProfileWindow : public WindowTest {
 protected:
  // With the figures of the caches and the launches that mend what is warned about.
  static void open(Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_8);
    d.ui->Yield(4);
    ASSERT_EQ(d.state().frame.view, View::profile);
    ASSERT_TRUE(d.wait_for_work());
    d.ui->Yield(4);
  }
  static bool is_there(Driver& d, const std::string& id) {
    return d.ui->ItemExists(("//###profile/**/" + id).c_str());
  }
  static void click(Driver& d, const std::string& id) {
    d.ui->ItemClick(("//###profile/**/" + id).c_str());
    d.ui->Yield(4);
  }
  static void search(Driver& d, const char* words) {
    d.ui->ItemInputValue("//###profile/##search", words);
    d.ui->Yield(4);
  }
};

constexpr const char* waves = "metric:launch__waves_per_multiprocessor";
constexpr const char* sectors = "metric:l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

TEST_F(ProfileWindow, SectionsOpenAndAMetricExplainsItself) {
  drive([](Driver& d) {
    open(d);
    d.screenshots("profile");
    // Only what is in sight is there to be clicked: with all sections closed their headings are.
    click(d, "sections");
    click(d, "sections");
    EXPECT_FALSE(is_there(d, waves));
    click(d, "section:LaunchStats");
    EXPECT_TRUE(is_there(d, waves));
    click(d, waves);
    EXPECT_TRUE(is_there(d, "copy:launch__waves_per_multiprocessor"));
    click(d, "copy:launch__waves_per_multiprocessor");
    EXPECT_STREQ(ImGui::GetClipboardText(), "launch__waves_per_multiprocessor");
    d.screenshot("profile_explained_1920x1080_dark");
    click(d, waves);
    EXPECT_FALSE(is_there(d, "copy:launch__waves_per_multiprocessor"));
    click(d, "page:raw");
    EXPECT_FALSE(is_there(d, "section:LaunchStats"));
    EXPECT_EQ(d.state().frame.parts.at(View::profile), "raw");
    d.screenshot("profile_raw_1920x1080_dark");
  });
}

TEST_F(ProfileWindow, ASearchFindsAMetricAndNamesTheNearest) {
  drive([](Driver& d) {
    open(d);
    search(d, "l1tex__t_sectors…global_op_ld.sum");
    EXPECT_TRUE(is_there(d, sectors));
    EXPECT_FALSE(is_there(d, waves));
    click(d, sectors);
    d.screenshot("profile_found_1920x1080_dark");
    search(d, "launch__gird_size");
    EXPECT_FALSE(is_there(d, sectors));
    d.ui->ItemClick("//###profile/launch__grid_size##nearest");
    d.ui->Yield(4);
    EXPECT_TRUE(is_there(d, "metric:launch__grid_size"));
    EXPECT_FALSE(is_there(d, "section:SpeedOfLight"));
    d.ui->ItemClick("//###profile/clear");
    d.ui->Yield(4);
    EXPECT_TRUE(is_there(d, "section:SpeedOfLight"));
  });
}

TEST_F(ProfileWindow, ARuleLeadsToItsFigureAndItsFixIsTaken) {
  drive([](Driver& d) {
    open(d);
    d.shell.actions().push(SetBlock{{1, 128, 1}});
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(d.wait_for_work());
    d.ui->Yield(4);
    const auto& warnings = d.state().runs.result->warnings;
    ASSERT_FALSE(warnings.empty());
    ASSERT_TRUE(is_there(d, "rule:0"));
    click(d, "rule:0");
    d.screenshot("profile_rule_1920x1080_dark");
    size_t fixed = warnings.size();
    for (size_t i = 0; i < warnings.size(); ++i)
      if (!warnings[i].fix_label.empty() && warnings[i].fix_block) fixed = i;
    ASSERT_LT(fixed, warnings.size()) << "a block of one column is fixed";
    const Dim3 mended = *warnings[fixed].fix_block;
    click(d, "rule:" + std::to_string(fixed));
    click(d, "fix:" + std::to_string(fixed));
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.block, mended);
  });
}

TEST_F(ProfileWindow, APinnedRunStandsBesideTheNextOnes) {
  drive([](Driver& d) {
    open(d);
    const uint64_t first = d.state().runs.now.shown;
    click(d, "pin");
    ASSERT_TRUE(d.state().runs.baseline);
    EXPECT_EQ(d.state().runs.baseline->serial, first);
    d.shell.actions().push(SetBlock{{32, 32, 1}});
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(d.wait_for_work());
    d.ui->Yield(4);
    d.screenshots("profile_baseline");
    click(d, "pin");
    EXPECT_FALSE(d.state().runs.baseline);
  });
}

TEST_F(ProfileWindow, ALineOfTheSourceIsPinnedAndThePageIsSaved) {
  const auto path =
      std::filesystem::temp_directory_path() / ("warplens_profile_" + std::to_string(::getpid()) + ".csv");
  std::filesystem::remove(path);
  drive([&](Driver& d) {
    open(d);
    const LineCounters* line = nullptr;
    for (const LineCounters& counted : d.state().runs.result->lines)
      if (counted.global_requests > 0) line = &counted;
    ASSERT_NE(line, nullptr);
    click(d, "line:" + std::to_string(line->line));
    EXPECT_EQ(d.state().selection.pinned.line, line->line);
    click(d, "save");
    d.ui->Yield(3);
    d.ui->ItemInputValue("//$FOCUSED/##path", path.string().c_str());
    d.ui->Yield(2);
    EXPECT_TRUE(d.wait_until([&] { return std::filesystem::exists(path); }, 5));
  });
  std::filesystem::remove(path);
}

}  // namespace THIS_FILE
}  // namespace warplens
