// The frame: themes, text sizes, palette, keys, sizes of the window, cancel, what is remembered.
#include <atomic>
#include <chrono>
#include <thread>

#include <unistd.h>

#include <imgui_internal.h>

#include "app/base/draw/system_font.h"
#include "app/widgets/look.h"
#include "core/base/system/embedded.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class Frame : public WindowTest {};

std::string size_name(int width, int height) { return std::to_string(width) + "x" + std::to_string(height); }

// Shots of the first screen, which people look at: both themes, three sizes of text, two of the window.
TEST_F(Frame, LooksRightAtEverySize) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{1280, 720}}) {
      d.resize(width, height);
      for (const Theme theme : {Theme::dark, Theme::light}) {
        d.shell.actions().push(SetTheme{theme});
        const std::string look = theme == Theme::dark ? "_dark" : "_light";
        for (const View view : {View::image, View::grid}) {
          d.shell.actions().push(ShowView{view});
          d.ui->Yield(10);
          d.screenshot(std::string(view == View::image ? "image_" : "grid_") + size_name(width, height) +
                       look);
        }
        d.shell.actions().push(ShowView{View::image});
        for (const float scale : {0.8f, 2.5f}) {
          d.shell.actions().push(SetTextScale{scale});
          d.ui->Yield(12);
          d.screenshot("image_" + size_name(width, height) + look + (scale < 1 ? "_text80" : "_text250"));
        }
        d.shell.actions().push(SetTextScale{1});
        d.ui->Yield(8);
      }
    }
  });
}

// The states that a lecture shows, each in both themes and at the smallest window.
TEST_F(Frame, ShowsWhatIsPinnedAndWhatWentWrong) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(Pin{{Dim3{19, 7, 0}, Dim3{4, 7, 0}, std::nullopt}});
    ASSERT_TRUE(d.wait_until([&] { return d.state().footprint.replayed != nullptr; }));
    d.screenshots("pinned_image");
    d.shell.actions().push(ShowView{View::grid});
    d.ui->Yield(4);
    d.screenshots("pinned_grid");
    d.shell.actions().push(SetBlock{{32, 33, 1}});
    ASSERT_TRUE(d.wait_for_result());
    d.screenshots("refused");
    d.shell.actions().push(ChooseKernel{"vector_add_unchecked"});
    ASSERT_TRUE(d.wait_for_result());
    d.screenshots("fault");
  });
}

TEST_F(Frame, IsDrawnIntoAPictureWithoutBeingShown) {
  WindowOptions options;
  options.width = 1000;
  options.height = 700;
  options.kernel = "mandelbrot";
  options.theme = Theme::light;
  const auto picture = render_window(options);
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->width, 1000u);
  EXPECT_EQ(picture->height, 700u);
  const uint32_t ground = palette_of(Theme::light).window;
  EXPECT_EQ(picture->pixels[0], ground >> 16 & 255);
  size_t other = 0;  // the Mandelbrot set is in it
  for (size_t i = 0; i < picture->pixels.size(); i += 3) {
    other += picture->pixels[i] < 40 && picture->pixels[i + 2] > 100;
  }
  EXPECT_GT(other, 10000u);
  options.kernel = "no such kernel";
  EXPECT_FALSE(render_window(options));
}

TEST_F(Frame, KeysChangeTheTextWithinItsLimits) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
    d.ui->Yield(2);
    EXPECT_NEAR(d.state().frame.preferences.text_scale, 1.1f, 0.01f);
    EXPECT_NEAR(ImGui::GetStyle().FontScaleMain, 1.1f, 0.01f);
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal, 30);
    d.ui->Yield(2);
    EXPECT_FLOAT_EQ(d.state().frame.preferences.text_scale, max_text_scale);
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
    d.ui->Yield(2);
    EXPECT_FLOAT_EQ(d.state().frame.preferences.text_scale, 1.0f);
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Minus, 10);
    d.ui->Yield(2);
    EXPECT_FLOAT_EQ(d.state().frame.preferences.text_scale, min_text_scale);
  });
}

TEST_F(Frame, ThePaletteFindsAndRunsCommands) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().frame.dialog, Dialog::palette);
    d.screenshot("palette_1920x1080_dark");
    d.ui->KeyPress(ImGuiKey_Escape);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().frame.dialog, Dialog::none);
    d.palette("light theme");
    EXPECT_EQ(d.state().frame.preferences.theme, Theme::light);
    d.palette("kernel mandelbrot");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.kernel, "mandelbrot");
    d.screenshot("mandelbrot_1920x1080_light");
  });
}

TEST_F(Frame, EveryKernelRunsAndEveryMenuOpens) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    for (const KernelDescription& kernel : built_in_kernels()) {
      d.choose_kernel(kernel.name);
      ASSERT_TRUE(d.wait_for_result()) << kernel.name;
      const RunStatus wanted = kernel.intentionally_broken ? RunStatus::fault : RunStatus::ok;
      ASSERT_NE(d.state().runs.result, nullptr);
      EXPECT_EQ(d.state().runs.result->status, wanted)
          << kernel.name << ": " << d.state().runs.result->message;
    }
    for (const char* menu : {"File", "Run", "View", "Help"}) {
      d.ui->ItemClick((std::string("//##top/") + menu).c_str());
      d.ui->Yield(2);
      if (std::string(menu) == "View") d.screenshot("menu_1920x1080_dark");
      d.ui->KeyPress(ImGuiKey_Escape);
      d.ui->Yield(2);
    }
  });
}

// An engine whose run lasts until it is stopped.
WorkerCalls endless(std::atomic<int>& runs) {
  WorkerCalls engine = make_worker_calls();
  const auto real = engine.run;
  engine.run = [&runs, real](const RunOrder& order, std::stop_token stop,
                             Progress* progress) -> Result<RunResult> {
    if (++runs == 1) return real(order, stop, progress);
    progress->blocks_total = 1000;
    progress->blocks_done = 400;
    while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    RunResult result;
    result.status = RunStatus::cancelled;
    return result;
  };
  return engine;
}

TEST_F(Frame, ALongRunShowsProgressAndCanBeCancelled) {
  std::atomic<int> runs = 0;
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        const auto before = d.state().runs.result;
        d.ui->KeyPress(ImGuiKey_F5);
        ASSERT_TRUE(d.wait_until([&] { return d.state().runs.now.running_ms > 300; }));
        EXPECT_EQ(d.state().runs.now.blocks_done, 400u);
        d.screenshot("running_1920x1080_dark");
        d.ui->ItemClick("//##line/###cancel");
        ASSERT_TRUE(d.wait_until([&] { return d.state().runs.now.phase == RunPhase::idle; }));
        EXPECT_EQ(d.state().runs.result, before) << "what was shown is not lost";
        d.ui->KeyPress(ImGuiKey_F5);
        ASSERT_TRUE(d.wait_until([&] { return d.state().runs.now.running_ms > 100; }));
        d.ui->KeyPress(ImGuiKey_Escape);
        ASSERT_TRUE(d.wait_until([&] { return d.state().runs.now.phase == RunPhase::idle; }));
      },
      {}, endless(runs));
}

TEST_F(Frame, ABrokenPictureIsASentenceAndTheOldOneStays) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    const auto before = d.state().setup.launch.image;
    d.shell.actions().push(ChoosePicture{"/no/such/picture.png"});
    ASSERT_TRUE(d.wait_until([&] { return !d.state().problems.notices.empty(); }));
    EXPECT_NE(d.state().problems.notices[0].message.find("/no/such/picture.png"), std::string::npos);
    EXPECT_EQ(d.state().setup.launch.image, before);
    d.ui->Yield(3);
    d.open_bottom();
    d.ui->ItemClick("//###problems/**/Dismiss##dismiss");
    d.ui->Yield(2);
    EXPECT_TRUE(d.state().problems.notices.empty());
  });
}

TEST_F(Frame, RemembersPreferences) {
  const auto folder = std::filesystem::temp_directory_path() / ("warplens_ui_" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  drive(
      [](Driver& d) {
        d.palette("light theme");
        d.shell.actions().push(SetTextScale{1.3f});
        d.ui->Yield(3);
      },
      {}, make_worker_calls(), folder);
  drive(
      [](Driver& d) {
        EXPECT_EQ(d.state().frame.preferences.theme, Theme::light);
        EXPECT_NEAR(d.state().frame.preferences.text_scale, 1.3f, 0.001f);
      },
      {}, make_worker_calls(), folder);
  std::filesystem::remove_all(folder);
}

TEST_F(Frame, AnOptionOfTheCommandLineIsForOneStart) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("warplens_once_" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  WindowOptions large;
  large.text_scale = 2.2f;
  large.theme = Theme::light;
  drive(
      [](Driver& d) {
        d.ui->Yield(3);
        EXPECT_NEAR(d.state().frame.preferences.text_scale, 2.2f, 0.001f);
      },
      large, make_worker_calls(), folder);
  drive(
      [](Driver& d) {
        d.ui->Yield(3);
        EXPECT_NEAR(d.state().frame.preferences.text_scale, 1.0f, 0.001f);
        EXPECT_EQ(d.state().frame.preferences.theme, Theme::dark);
      },
      {}, make_worker_calls(), folder);
  drive(
      [](Driver& d) {
        d.shell.actions().push(SetTextScale{1.5f});
        d.ui->Yield(3);
      },
      large, make_worker_calls(), folder);
  drive(
      [](Driver& d) {
        d.ui->Yield(3);
        EXPECT_NEAR(d.state().frame.preferences.text_scale, 1.5f, 0.001f) << "what the user chose is kept";
        EXPECT_EQ(d.state().frame.preferences.theme, Theme::dark);
      },
      {}, make_worker_calls(), folder);
  std::filesystem::remove_all(folder);
}

// In the fonts that are part of the program: those of the machine come behind them.
bool is_in_own_fonts(const ImFont& font, ImWchar letter) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  for (ImFontConfig* source : font.Sources)
    if (source->FontLoader == nullptr &&
        atlas->FontLoader->FontSrcGetGlyphIndexFromCodepoint(atlas, source, letter) != 0)
      return true;
  return false;
}

TEST_F(Frame, TheFontsHaveEverySignThatTextsUse) {
  drive([](Driver& d) {
    d.ui->Yield(2);
    const Look& look = warplens::look();
    for (ImFont* font : {look.words, look.strong, look.mono})
      for (const ImWchar sign : std::u32string(U"…→−·×µéΣ–•‹›⁰²³⁴⁵⁶⁷⁸⁹⁻°∕∞≈≤⌈⌉⌊⌋─├┤▲●"))
        EXPECT_TRUE(is_in_own_fonts(*font, sign)) << font->GetDebugName() << " lacks U+" << std::hex << sign;
    EXPECT_FALSE(find_embedded("fonts/Inter-Regular").empty());
    EXPECT_NE(find_embedded("licences/fonts-inter").find("License: OFL"), std::string_view::npos);
    EXPECT_NE(find_embedded("licences/fonts-jetbrains-mono").find("License:"), std::string_view::npos);
    d.shell.actions().push(ShowDialog{Dialog::about});
    d.ui->Yield(4);
    d.screenshot("about_1920x1080");
  });
}

// Chinese, Hebrew, Thai, Georgian: what the machine has of them.
TEST_F(Frame, LettersThatTheFontsLackComeFromTheSystem) {
  drive([](Driver& d) {
    d.ui->Yield(2);
    const Look& look = warplens::look();
    for (ImFont* font : {look.words, look.strong, look.mono})
      for (const ImWchar letter : std::u32string(U"我א๏ა\U0010FFFD")) {
        EXPECT_FALSE(is_in_own_fonts(*font, letter));
        EXPECT_EQ(font->IsGlyphInFont(letter), system_font_with(letter).has_value()) << std::hex << letter;
        EXPECT_EQ(font->GetFontBaked(body_size)->FindGlyphNoFallback(letter) != nullptr,
                  system_font_with(letter).has_value());
      }
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
