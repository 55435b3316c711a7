// The frame around the views: what is visible together, at every size and with any text.
#include <imgui_internal.h>

#include <filesystem>
#include <iterator>

#include <unistd.h>

#include "app/widgets/card_place.h"
#include "app/widgets/look.h"
#include "tests/ui/step_driver.h"

namespace warplens {
namespace THIS_FILE {

class Layout : public WindowTest {};

struct Screen {
  int width, height;
  float text;
};
constexpr Screen screens[] = {
    {1280, 720, 1}, {1280, 720, 1.5f}, {1600, 900, 1}, {1920, 1080, 1}, {1920, 1080, 2.5f}};

std::string name_of(const Screen& screen) {
  return std::to_string(screen.width) + "x" + std::to_string(screen.height) + "_text" +
         std::to_string(static_cast<int>(screen.text * 100 + 0.5f));
}

void use(Driver& d, const Screen& screen) {
  d.resize(screen.width, screen.height);
  d.shell.actions().push(SetTextScale{screen.text});
  d.ui->Yield(12);
}

// Where an item is, and how much of it is seen.
ImGuiTestItemInfo item(Driver& d, const std::string& path) {
  return d.ui->ItemInfo(path.c_str(), ImGuiTestOpFlags_NoError);
}

void expect_whole(Driver& d, const std::string& path, const std::string& where) {
  const ImGuiTestItemInfo info = item(d, path);
  ASSERT_NE(info.ID, 0u) << path << " is not there: " << where;
  EXPECT_GE(info.RectClipped.Min.x, info.RectFull.Min.x - 0.5f) << path << " " << where;
  EXPECT_GE(info.RectClipped.GetWidth(), info.RectFull.GetWidth() - 1) << path << " is cut: " << where;
  EXPECT_GE(info.RectClipped.GetHeight(), info.RectFull.GetHeight() - 1) << path << " is cut: " << where;
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  EXPECT_TRUE(ImRect({0, 0}, room).Contains(info.RectFull)) << path << " leaves the window: " << where;
}

const std::vector<std::string> always_seen = {"//###launch/figures/figure:blocks",
                                              "//###launch/figures/figure:threads",
                                              "//###launch/figures/figure:occupancy",
                                              "//###launch/figures/figure:waves",
                                              "//###launch/##slide_block_x",
                                              "//###launch/##slide_block_y",
                                              "//###launch/##number_block_x",
                                              "//###launch/##number_block_y",
                                              "//###image/##picture",
                                              "//##line/###bottom"};

// The card of what is pinned.
ImGuiWindow* inspector() {
  ImGuiWindow* window = ImGui::FindWindowByName("###inspector_card");
  return window != nullptr && window->WasActive ? window : nullptr;
}

TEST_F(Layout, FiguresSlidersPictureAndInspectorAreSeenTogether) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    for (const Screen& screen : screens) {
      const std::string where = name_of(screen);
      d.shell.actions().push(Unpin{});
      use(d, screen);
      EXPECT_EQ(inspector(), nullptr) << where;
      for (const std::string& path : always_seen) expect_whole(d, path, where);
      const ImRect free = item(d, "//###image/##picture").RectFull;
      EXPECT_GT(free.GetWidth(), 0.45f * static_cast<float>(screen.width)) << where;
      d.screenshot("frame_" + where);
      d.shell.actions().push(Pin{{Dim3{19, 7, 0}, Dim3{4, 7, 0}, ElementPick{1, 119 * 512 + 308}}});
      ASSERT_TRUE(d.wait_until([] { return inspector() != nullptr; }, 5)) << where;
      ASSERT_TRUE(d.wait_until([&] { return d.state().footprint.replayed != nullptr; }));
      d.ui->Yield(8);
      for (const std::string& path : always_seen) expect_whole(d, path, where);
      const ImGuiWindow* window = inspector();
      const ImRect card = window->Rect(), picture = item(d, "//###image/##picture").RectFull;
      EXPECT_TRUE(ImRect({0, 0}, ImGui::GetMainViewport()->Size).Contains(card)) << where;
      EXPECT_FALSE(card.Overlaps(item(d, "//###launch/##slide_block_x").RectFull)) << where;
      if (screen.text == 1) {
        EXPECT_TRUE(free.Contains(picture) && picture.Contains(free))
            << "a pin moves no square picture: " << where;
      }
      EXPECT_FALSE(card.Overlaps(picture)) << where;
      EXPECT_GT(picture.GetArea(), 0.12f * static_cast<float>(screen.width * screen.height)) << where;
      d.screenshot("frame_pinned_" + where);
    }
  });
}

// The most important parts need no scrolling at 1280 × 720: the sliders of block and grid, and in Step the
// warps, the variables and 60 characters of a line next to the buttons, which are one row.
TEST_F(Layout, StepAndLaunchAreAboveTheFoldAt720p) {
  drive([](Driver& d) {
    ASSERT_TRUE(step_view::open_step(d, "reduce_shared"));
    use(d, {1280, 720, 1});
    const std::string where = "1280x720";
    for (const char* slider : {"##slide_block_x", "##slide_block_z", "##slide_grid_x", "##slide_grid_z"})
      expect_whole(d, std::string("//###launch/") + slider, where);
    const auto figure = [&](const char* name) {
      return item(d, std::string("//###launch/figures/figure:") + name).RectFull;
    };
    // Two by two.
    for (const auto& [left, right] : {std::pair{"blocks", "threads"}, {"occupancy", "waves"}}) {
      EXPECT_GE(figure(right).Min.x - figure(left).Max.x, 6) << left << " is too near to what follows";
      EXPECT_EQ(figure(right).Min.y, figure(left).Min.y);
    }
    EXPECT_GE(figure("occupancy").Min.y, figure("blocks").Max.y);
    ImGuiTestItemList items;
    d.ui->GatherItems(&items, "//###step");
    size_t warps = 0, moves = 0;
    float row = 0, source = 0;
    for (const ImGuiTestItemInfo& item : items) {
      const std::string_view id = item.DebugLabel;
      if (id.starts_with("warp:")) ++warps;
      if (id.starts_with("line:")) source = std::max(source, item.RectClipped.GetWidth());
      if (!id.starts_with("do:")) continue;
      if (moves++ == 0) row = item.RectFull.Min.y;
      EXPECT_EQ(item.RectFull.Min.y, row) << id << " is in a row of its own";
    }
    EXPECT_EQ(warps, 8u);
    EXPECT_GT(moves, 8u);
    ImGui::PushFont(look().mono, small_size);
    EXPECT_GE(source, ImGui::CalcTextSize("0").x * 60);
    ImGui::PopFont();
    d.screenshot("fold_step_1280x720");
  });
}

TEST_F(Layout, TheHoverCardDoesNotCoverWhatItIsAbout) {
  const Box room{100, 50, 800, 500};
  for (const Box& thing : {Box{110, 60, 20, 20}, Box{870, 60, 20, 20}, Box{480, 520, 20, 20},
                           Box{300, 200, 300, 100}, Box{105, 300, 700, 30}}) {
    const Box card = place_card(room, thing, {300, 200}, 10);
    EXPECT_TRUE(intersection(card, thing).empty()) << thing.x << " " << thing.y;
    EXPECT_EQ(intersection(card, room), card) << thing.x << " " << thing.y;
  }
  EXPECT_EQ(place_card(room, room, {300, 200}, 10).width, 300) << "what fills the view is covered in part";
  EXPECT_EQ(place_card(room, Box{0, 0, 5, 5}, {3000, 2000}, 10), room) << "never larger than the view";
}

TEST_F(Layout, PointingMovesNoPictureAndADoubleClickHitsOneBlock) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    const ImRect before = item(d, "//###image/##picture").RectFull;
    d.ui->MouseMoveToPos({before.GetCenter().x + 120, before.GetCenter().y});
    d.ui->Yield(4);
    ASSERT_FALSE(d.state().selection.hover.empty());
    const ImRect hovered = item(d, "//###image/##picture").RectFull;
    EXPECT_EQ(before.Min.x, hovered.Min.x);
    EXPECT_EQ(before.Max.x, hovered.Max.x);
    const ImGuiWindow* card = ImGui::FindWindowByName("##hover");
    ASSERT_TRUE(card != nullptr && card->WasActive) << "a small card says what is under the pointer";
    d.keep(d.picture(), "frame_hover_1920x1080");
    d.shell.actions().push(ShowView{View::grid});
    d.ui->Yield(6);
    const ImRect map = item(d, "//###grid/##map").RectFull;
    const ImVec2 at{map.GetCenter().x + 90, map.GetCenter().y + 40};
    d.ui->MouseMoveToPos(at);
    d.ui->Yield(2);
    const auto under = d.state().selection.hover.block;
    ASSERT_TRUE(under);
    d.ui->MouseDoubleClick();
    d.ui->Yield(4);
    EXPECT_EQ(d.state().selection.pinned.block, under) << "the picture did not move between the clicks";
  });
}

TEST_F(Layout, ProblemsAndRunsOpenUpwardsAndStayWhereTheyArePinned) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("warplens_layout_" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  const auto shown = [](const char* name) {
    const ImGuiWindow* window = ImGui::FindWindowByName(name);
    return window != nullptr && window->WasActive && !window->Hidden;
  };
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.resize(1280, 720);
        const ImRect picture = item(d, "//###image/##picture").RectFull;
        EXPECT_FALSE(shown("###problems"));
        EXPECT_TRUE(d.state().frame.welcome);
        d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_J);
        d.ui->Yield(6);
        EXPECT_FALSE(d.state().frame.welcome) << "its card would cover them";
        EXPECT_TRUE(shown("###problems") || shown("###runs"));
        EXPECT_LT(item(d, "//###image/##picture").RectFull.Max.y, picture.Max.y - 50)
            << "with room of its own: nothing is covered";
        for (const char* path :
             {"//###launch/##slide_block_x", "//###launch/##slide_grid_x", "//##line/###bottom"})
          expect_whole(d, path, "open");
        d.screenshot("bottom_open_1280x720");
        d.ui->KeyPress(ImGuiKey_Escape);
        d.ui->Yield(3);
        EXPECT_FALSE(shown("###problems"));
        d.ui->ItemClick("//##line/###bottom");
        d.ui->Yield(3);
        EXPECT_TRUE(shown("###problems")) << "in front of Runs";
        d.ui->MouseMoveToPos({picture.GetCenter().x, picture.Min.y + 20});
        d.ui->MouseClick();
        d.ui->Yield(3);
        EXPECT_TRUE(shown("###problems")) << "a click elsewhere leaves it open";
        EXPECT_TRUE(d.state().frame.preferences.bottom_open);
      },
      {}, make_worker_calls(), folder);
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_TRUE(shown("###problems") || shown("###runs")) << "remembered";
        d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_J);
        d.ui->Yield(3);
        EXPECT_FALSE(shown("###problems"));
        EXPECT_FALSE(d.state().frame.preferences.bottom_open);
      },
      {}, make_worker_calls(), folder);
  std::filesystem::remove_all(folder);
}

TEST_F(Layout, TheLineMendsTheWorstProblem) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("vector_add_unchecked");
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_EQ(d.state().problems.all.front().level, ProblemLevel::fault);
    d.screenshot("line_fault_1920x1080");
    ASSERT_TRUE(d.state().problems.all.front().fix);
    d.ui->ItemClick("//##line/###fix");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->status, RunStatus::ok);
    EXPECT_EQ(d.state().setup.launch.kernel, "vector_add");
  });
}

TEST_F(Layout, TheTabInFrontIsOnTheScreenAt720pAnd220Percent) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    use(d, {1280, 720, 2.2f});
    for (const ViewRow& row : all_views()) {
      if (!row.is_tab() || !is_offered(d.state().program, row.view)) continue;
      d.shell.actions().push(ShowView{row.view});
      d.ui->Yield(8);
      const ImGuiWindow* window = ImGui::FindWindowByName((std::string("###") + row.name).c_str());
      ASSERT_TRUE(window != nullptr && window->DockNode != nullptr && window->DockNode->TabBar != nullptr);
      const ImGuiTabBar* bar = window->DockNode->TabBar;
      EXPECT_EQ(bar->SelectedTabId, window->TabId) << row.name;
      for (const ImGuiTabItem& tab : bar->Tabs) {
        EXPECT_GE(tab.Width + 1, tab.ContentWidth) << row.name << ": a name is cut";
        if (tab.ID != window->TabId) continue;
        EXPECT_GE(tab.Offset - bar->ScrollingAnim, -1) << row.name;
        EXPECT_LE(tab.Offset + tab.Width - bar->ScrollingAnim, bar->BarRect.GetWidth() + 1) << row.name;
      }
      d.screenshot(std::string("tab_") + row.name + "_1280x720_text220");
    }
  });
}

// Drags the tab in front out of its bar.
void tear_off(Driver& d, const char* name) {
  const ImGuiWindow* window = ImGui::FindWindowByName(name);
  ASSERT_TRUE(window != nullptr && window->DockTabIsVisible);
  const ImVec2 tab = window->DC.DockTabItemRect.GetCenter();
  d.ui->MouseMoveToPos(tab);
  d.ui->MouseDown();
  for (int step = 1; step <= 8; ++step) {
    d.ui->MouseMoveToPos(
        {tab.x + 30.0f * static_cast<float>(step), tab.y + 40.0f * static_cast<float>(step)});
    d.ui->Yield();
  }
  d.ui->MouseUp();
  d.ui->Yield(6);
}

// Controls of a window that partly overlap, where neither contains the other as a row contains its links.
std::vector<std::string> overlaps_in(Driver& d, ImGuiWindow* window, int& looked_at) {
  ImGuiTestItemList items;
  d.ui->GatherItems(&items, window->ID);
  looked_at += items.GetSize();
  std::vector<std::string> found;
  for (int i = 0; i < items.GetSize(); ++i)
    for (int k = 0; k < i; ++k) {
      const ImGuiTestItemInfo &a = *items.GetByIndex(i), &b = *items.GetByIndex(k);
      ImRect both = a.RectClipped;
      both.ClipWith(b.RectClipped);
      const bool holds = a.RectClipped.Contains(b.RectClipped) || b.RectClipped.Contains(a.RectClipped);
      if (!holds && both.GetWidth() > 2 && both.GetHeight() > 2)
        found.push_back(std::string(a.DebugLabel) + " and " + b.DebugLabel);
    }
  return found;
}

TEST_F(Layout, ControlsDoNotOverlapInSmallWindows) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(Pin{{Dim3{19, 7, 0}, Dim3{4, 7, 0}, std::nullopt}});
    for (const Screen& screen : {Screen{800, 600, 1}, Screen{1280, 720, 1}, Screen{1280, 720, 1.5f}}) {
      use(d, screen);
      for (const View view :
           {View::grid, View::image, View::memory, View::occupancy, View::step, View::timing, View::code}) {
        d.shell.actions().push(ShowView{view});
        d.ui->Yield(6);
        ASSERT_TRUE(d.wait_for_work());
        const std::string where = std::string(row_of(view).name) + "_" + name_of(screen);
        int items = 0;
        for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
          if (!window->WasActive || window->Hidden || window->ParentWindow != nullptr) continue;
          for (const std::string& both : overlaps_in(d, window, items))
            ADD_FAILURE() << where << ", " << window->Name << ": " << both;
        }
        EXPECT_GT(items, 15) << where;
        d.screenshot("small_" + where);
      }
    }
  });
}

TEST_F(Layout, ATabIsTornOffRememberedAndBroughtBack) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("warplens_torn_" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  const auto floats = [] {
    const ImGuiWindow* grid = ImGui::FindWindowByName("###grid");
    return grid != nullptr && grid->WasActive && !grid->DockIsActive;
  };
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_FALSE(floats());
        d.shell.actions().push(ShowView{View::grid});
        d.ui->Yield(6);
        tear_off(d, "###grid");
        EXPECT_TRUE(floats());
        d.screenshot("torn_off_1920x1080");
        d.shell.actions().push(ShowView{View::image});
        d.ui->Yield(4);
        EXPECT_EQ(d.state().runs.result->status, RunStatus::ok);
        d.resize(1500, 900);
        EXPECT_TRUE(floats()) << "what somebody has moved stays";
      },
      {}, make_worker_calls(), folder);
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.ui->Yield(4);
        EXPECT_TRUE(floats()) << "remembered";
        d.shell.actions().push(ResetLayout{});
        d.ui->Yield(8);
        EXPECT_FALSE(floats());
        EXPECT_EQ(d.state().frame.view, View::image) << "the tab in front stays in front";
        for (const std::string& path : always_seen) expect_whole(d, path, "reset");
      },
      {}, make_worker_calls(), folder);
  std::filesystem::remove_all(folder);
}

}  // namespace THIS_FILE
}  // namespace warplens
