// Everything can be reached with the keyboard.
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include <unistd.h>

#include "core/base/system/files.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class Keyboard : public WindowTest {};

void open_kernels(Driver& d) {
  d.ui->ItemClick("//##top/###kernel");
  d.ui->Yield(3);
}

bool any_popup() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

size_t index_of(const std::string& kernel) {
  const auto& all = built_in_kernels();
  const auto at = std::ranges::find(all, kernel, &KernelDescription::name);
  return static_cast<size_t>(at - all.begin());
}

TEST_F(Keyboard, TheKernelChooserTakesTypingArrowsEnterAndEsc) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    open_kernels(d);
    d.ui->KeyChars("mandelb");
    d.ui->Yield(2);
    d.screenshot("kernel_chooser_1920x1080");
    d.ui->KeyPress(ImGuiKey_Enter);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().setup.launch.kernel, "mandelbrot") << "the only match";
    EXPECT_FALSE(any_popup());
    open_kernels(d);
    const size_t from = index_of("mandelbrot");
    for (int i = 0; i < 5; ++i) {
      d.ui->KeyPress(ImGuiKey_UpArrow);
      d.ui->Yield();
    }
    d.ui->KeyPress(ImGuiKey_DownArrow);
    d.ui->KeyPress(ImGuiKey_Enter);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().setup.launch.kernel, built_in_kernels()[from - 4].name) << "every arrow counts";
    open_kernels(d);
    d.ui->KeyChars("no such kernel");
    d.ui->KeyPress(ImGuiKey_Enter);
    d.ui->Yield(3);
    EXPECT_TRUE(any_popup()) << "there is nothing to take";
    d.ui->KeyPress(ImGuiKey_Escape);
    d.ui->Yield(3);
    EXPECT_FALSE(any_popup());
    d.ui->ItemClick("//##top/###device");
    d.ui->Yield(3);
    d.ui->KeyChars("h200");
    d.ui->KeyPress(ImGuiKey_Enter);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().setup.device.id, "h200");
  });
}

TEST_F(Keyboard, ThePaletteFindsByAnyWord) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    d.ui->Yield(3);
    d.ui->KeyChars("kernel reduce");
    d.ui->Yield(2);
    d.screenshot("palette_reduce_1920x1080");
    d.ui->KeyPress(ImGuiKey_DownArrow);
    d.ui->KeyPress(ImGuiKey_UpArrow);
    d.ui->KeyPress(ImGuiKey_Enter);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_NE(d.state().setup.launch.kernel.find("reduce"), std::string::npos)
        << d.state().setup.launch.kernel;
    d.palette("dark");
    EXPECT_EQ(d.state().frame.preferences.theme, Theme::light) << "its title says light, its words say dark";
  });
}

TEST_F(Keyboard, AKeyTakesTheOfferedFix) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("vector_add_unchecked");
    ASSERT_TRUE(d.wait_for_result());
    d.ui->KeyPress(ImGuiMod_Alt | ImGuiKey_Enter);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.kernel, "vector_add");
  });
}

TEST_F(Keyboard, DigitsShowTheViewsInTheOrderOfTheirTabs) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    ImGuiKey key = ImGuiKey_1;
    for (const ViewRow& row : all_views()) {
      if (!row.is_tab() || !is_offered(d.state().program, row.view)) continue;
      if (*row.key < '0' || *row.key > '9') continue;  // it has a letter
      d.ui->KeyPress(ImGuiMod_Ctrl | key);
      d.ui->Yield(3);
      EXPECT_EQ(d.state().frame.view, row.view) << row.name;
      key = static_cast<ImGuiKey>(key + 1);
    }
  });
}

const ImGuiWindow* focused_panel() {
  const ImGuiWindow* window = ImGui::GetCurrentContext()->NavWindow;
  return window != nullptr ? window->RootWindow : nullptr;
}

TEST_F(Keyboard, CtrlTabGoesFromPanelToPanel) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.open_bottom();
    std::set<std::string> visited;
    for (int i = 0; i < 8; ++i) {
      d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Tab);
      d.ui->Yield(4);
      ASSERT_NE(focused_panel(), nullptr);
      visited.insert(focused_panel()->Name);
    }
    for (const char* part : {"##top", "###launch", "###image", "###problems", "###runs", "##line"}) {
      const bool seen = std::ranges::any_of(
          visited, [&](const std::string& name) { return name.find(part) != std::string::npos; });
      EXPECT_TRUE(seen) << part;
    }
  });
}

TEST_F(Keyboard, TabCrossesPanelsAndReachesTheFix) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("vector_add_unchecked");
    ASSERT_TRUE(d.wait_for_result());
    const ImGuiID fix = d.ui->ItemInfo("//##line/###fix").ID;
    ASSERT_NE(fix, 0u);
    std::set<std::string> visited;
    bool reached = false;
    for (int i = 0; i < 80 && !reached; ++i) {
      d.ui->KeyPress(ImGuiKey_Tab);
      d.ui->Yield(2);
      if (focused_panel() != nullptr) visited.insert(focused_panel()->Name);
      reached = ImGui::GetCurrentContext()->NavId == fix;
    }
    EXPECT_TRUE(reached) << "after " << visited.size() << " panels";
    EXPECT_GE(visited.size(), 3u);
    d.ui->KeyPress(ImGuiKey_Space);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.kernel, "vector_add");
    const ImGuiWindow* before = focused_panel();
    for (int i = 0; i < 60 && focused_panel() == before; ++i) {
      d.ui->KeyPress(ImGuiMod_Shift | ImGuiKey_Tab);
      d.ui->Yield(2);
    }
    EXPECT_NE(focused_panel(), before) << "and back";
  });
}

void click_into_the_editor(Driver& d) {
  const ImGuiWindow* code = ImGui::FindWindowByName("###code");
  ASSERT_NE(code, nullptr);
  d.ui->MouseMoveToPos({code->Pos.x + code->Size.x * 0.4f, code->Pos.y + code->Size.y * 0.5f});
  d.ui->MouseClick();
  d.ui->Yield(3);
}

TEST_F(Keyboard, TabInTheEditorStaysThere) {
  WindowOptions options;
  options.kernel = "vector_add";
  options.view = View::code;
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        ASSERT_TRUE(d.take_a_copy());
        if (!d.state().setup.own_kernel) GTEST_SKIP() << "no CUDA compiler";
        const std::string before = d.state().code.text;
        click_into_the_editor(d);
        const ImGuiWindow* panel = focused_panel();
        d.ui->KeyPress(ImGuiKey_Tab);
        d.ui->Yield(3);
        EXPECT_EQ(focused_panel(), panel);
        EXPECT_NE(d.state().code.text, before);
        d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Tab);
        d.ui->Yield(3);
        EXPECT_NE(focused_panel(), panel) << "Ctrl+Tab leaves it";
      },
      options);
}

TEST_F(Keyboard, EnterThatChoseAFileTypesNothingIntoIt) {
  const auto path =
      std::filesystem::temp_directory_path() / ("warplens_held_" + std::to_string(::getpid()) + ".cu");
  const std::string text = "extern \"C\" __global__ void one(float* out) { out[0] = 1; }\n";
  ASSERT_TRUE(write_text(path.string(), text));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ShowDialog{Dialog::open_file});
    d.ui->Yield(4);
    d.ui->KeyChars(path.string().c_str());
    d.ui->Yield(4);
    ASSERT_TRUE(d.wait_for_work()) << "the folder is read on another thread";
    d.ui->KeyDown(ImGuiKey_Enter);
    d.ui->Yield(3);
    ASSERT_TRUE(d.wait_until([&] { return d.state().code.own; }));
    d.shell.actions().push(ShowView{View::code});
    d.ui->Yield(4);
    click_into_the_editor(d);
    d.ui->SleepNoSkip(1.2f, 0.05f);  // as for a user whose thumb stays on the key
    d.ui->KeyUp(ImGuiKey_Enter);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().code.text, text);
    EXPECT_FALSE(d.state().code.dirty());
  });
  std::filesystem::remove(path);
}

}  // namespace THIS_FILE
}  // namespace warplens
