// The window in German: every view, and a lesson, with pictures for the eye.
#include "app/base/language.h"

#include <imgui.h>
#include <imgui_internal.h>

#include "app/base/views.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class InGerman : public WindowTest {
 protected:
  ~InGerman() override { speak(""); }

  static std::string title_of(const char* view) {
    const ImGuiWindow* window = ImGui::FindWindowByName((std::string("###") + view).c_str());
    if (window == nullptr) return "";
    const std::string name = window->Name;
    return name.substr(0, name.find("###"));
  }
};

TEST_F(InGerman, TheWindowSpeaksItAtOnceAndEnglishAgain) {
  WindowOptions options = small_window();
  options.language = "en";
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_EQ(title_of("image"), "Image");
        d.palette("Deutsch");
        ASSERT_TRUE(d.wait_until([] { return title_of("image") == "Bild"; }, 5));
        EXPECT_EQ(d.state().frame.preferences.language, "de");
        EXPECT_EQ(spoken(), "de");
        d.palette("Speicher");  // German words find commands
        EXPECT_TRUE(d.wait_until([&] { return d.state().frame.view == View::memory; }, 5));
        d.palette("Memory");  // and English ones still do
        d.palette("English");
        ASSERT_TRUE(d.wait_until([] { return title_of("image") == "Image"; }, 5));
      },
      options);
}

TEST_F(InGerman, EveryViewIsDrawn) {
  WindowOptions options;
  options.language = "de";
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        for (const ViewRow& row : all_views()) {
          if (!row.is_tab() || row.view == View::program) continue;
          d.shell.actions().push(ShowView{row.view});
          d.ui->Yield(2);
          ASSERT_TRUE(d.wait_for_result());
          d.screenshots(std::string("german_") + row.name);
        }
        d.open_bottom();
        d.screenshot("german_bottom");
      },
      options);
}

TEST_F(InGerman, ALessonIsGermanToo) {
  WindowOptions options;
  options.language = "de";
  options.lesson = "who_am_i";
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_until([&] { return d.state().lesson.is_open(); }, 20));
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_EQ(d.state().lesson.open->lesson.language, "de");
        for (size_t i = 0; i < d.state().lesson.open->lesson.steps.size(); ++i) {
          d.shell.actions().push(GoToStep{i});
          d.ui->Yield(3);
          ASSERT_TRUE(d.wait_for_result());
          d.screenshot("german_lesson_" + std::to_string(i + 1));
        }
      },
      options);
}

}  // namespace THIS_FILE
}  // namespace warplens
