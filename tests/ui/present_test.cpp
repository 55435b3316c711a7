// Present mode: what a teacher shows, and what the keys of a clicker do.
#include <imgui_internal.h>

#include "app/widgets/look.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class PresentMode : public WindowTest {};

ImGuiWindow* shown(const char* name) {
  ImGuiWindow* window = ImGui::FindWindowByName(name);
  return window != nullptr && window->WasActive && !window->Hidden ? window : nullptr;
}

void begin(Driver& d) {
  ASSERT_TRUE(d.wait_for_result());
  d.ui->MouseMoveToPos({900, 500});
  d.ui->KeyPress(ImGuiKey_F11);
  d.ui->Yield(6);
  ASSERT_TRUE(d.state().frame.present);
}

TEST_F(PresentMode, FormulaPictureAndCodeLineAreSeenTogether) {
  drive([](Driver& d) {
    begin(d);
    for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{1280, 720}}) {
      d.resize(width, height);
      const ImRect alone = d.ui->ItemInfo("//##present/##picture").RectFull;
      EXPECT_GT(alone.GetWidth(), 0.9f * static_cast<float>(width));
      d.shell.actions().push(Pin{{Dim3{19, 7, 0}, Dim3{4, 7, 0}, ElementPick{1, 119 * 512 + 308}}});
      ASSERT_TRUE(d.wait_until([] { return shown("##present_card") != nullptr; }, 5));
      ASSERT_TRUE(d.wait_until([&] { return d.state().footprint.replayed != nullptr; }));
      d.ui->Yield(6);
      const ImRect card = shown("##present_card")->Rect();
      const ImRect picture = d.ui->ItemInfo("//##present/##picture").RectFull;
      EXPECT_EQ(picture.GetWidth(), alone.GetWidth()) << "the picture stays as it is";
      const ImRect view = shown("##present")->Rect();
      EXPECT_LT(card.GetWidth(), 0.4f * view.GetWidth()) << "the card is a part of it";
      EXPECT_TRUE(view.Contains(card)) << height;
      EXPECT_EQ(shown("##present_card")->ScrollMax.y, 0) << "all of it is seen: " << height;
      d.screenshot("present_pinned_" + std::to_string(width) + "x" + std::to_string(height));
      d.ui->KeyPress(ImGuiKey_Escape);
      d.ui->Yield(4);
      EXPECT_TRUE(d.state().frame.present) << "Esc lets go first";
      EXPECT_EQ(shown("##present_card"), nullptr);
    }
    d.ui->KeyPress(ImGuiKey_Escape);
    d.ui->Yield(4);
    EXPECT_FALSE(d.state().frame.present);
  });
}

TEST_F(PresentMode, TheBarHasViewsKernelBlockGridAndTheWayOut) {
  drive([](Driver& d) {
    begin(d);
    const ImGuiWindow* bar = shown("##present_bar");
    ASSERT_NE(bar, nullptr);
    EXPECT_LT(bar->Size.y, 60) << "it is slim";
    EXPECT_EQ(bar->Rect().Max.y, ImGui::GetMainViewport()->Size.y);
    d.keep(d.picture(), "present_bar_1920x1080");
    d.ui->ItemInputValue("//##present_bar/##number_block_x", 32);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->shape.block, (Dim3{32, 16, 1}));
    d.ui->ItemClick("//##present_bar/###kernel");
    d.ui->Yield(2);
    d.ui->KeyChars("mandelbrot");
    d.ui->KeyPress(ImGuiKey_Enter);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.kernel, "mandelbrot");
    d.ui->ItemClick("//##present_bar/###tab_grid");
    d.ui->Yield(4);
    EXPECT_EQ(d.state().frame.view, View::grid);
    d.ui->ItemClick("//##present_bar/###exit");
    d.ui->Yield(4);
    EXPECT_FALSE(d.state().frame.present);
  });
}

// What the bar holds is within it, at every size of window and text.
TEST_F(PresentMode, ALessonHasItsTextBesideThePictureAndNextIsAlwaysThere) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenLesson{"who_am_i", 1});
    d.shell.actions().push(Present{true});
    d.ui->Yield(6);
    ASSERT_TRUE(d.wait_for_result());
    for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{1280, 720}})
      for (const float text : {1.0f, 1.5f, 2.5f}) {
        SCOPED_TRACE(std::to_string(width) + " at " + std::to_string(text));
        d.resize(width, height);
        d.shell.actions().push(SetTextScale{text});
        d.ui->Yield(8);
        const ImRect screen({0, 0}, ImGui::GetMainViewport()->Size);
        const ImRect picture = shown("##present")->Rect(), words = shown("##present_lesson")->Rect();
        EXPECT_GE(picture.GetWidth(), 0.65f * screen.GetWidth());
        EXPECT_FALSE(picture.Overlaps(words));
        const ImRect bar = shown("##present_bar")->Rect();
        EXPECT_FALSE(picture.Overlaps(bar));
        EXPECT_EQ(shown("##present_bar")->ScrollMax.x, 0);
        for (const char* item : {"###back", "###next", "###exit"}) {
          const ImGuiTestItemInfo info = d.ui->ItemInfo((std::string("//##present_bar/") + item).c_str());
          EXPECT_TRUE(bar.Contains(info.RectFull)) << item;
        }
        Driver::keep(d.picture(),
                     "present_lesson_" + std::to_string(width) + "_" + std::to_string(int(100 * text)));
      }
    d.ui->ItemClick("//##present_bar/###next");
    d.ui->Yield(4);
    EXPECT_EQ(d.state().lesson.player.at, 2u);
    d.ui->ItemClick("//##present_bar/###back");
    d.ui->Yield(4);
    EXPECT_EQ(d.state().lesson.player.at, 1u);
  });
}

// The first lesson asks about threads and elements: all of them are there to be clicked, and no card is on
// them.
TEST_F(PresentMode, TheFigureThatALessonAsksAboutIsWhole) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenLesson{"who_am_i"});
    d.shell.actions().push(Present{true});
    d.ui->Yield(6);
    ASSERT_TRUE(d.wait_for_result());
    for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{1280, 720}})
      for (const float text : {1.0f, 1.5f, 2.5f}) {
        SCOPED_TRACE(std::to_string(width) + " at " + std::to_string(text));
        d.resize(width, height);
        d.shell.actions().push(SetTextScale{text});
        d.shell.actions().push(Pin{{Dim3{1, 0, 0}, Dim3{2, 0, 0}, std::nullopt, 0}});
        d.ui->Yield(30);
        ASSERT_TRUE(d.wait_for_result());
        const ImRect view = shown("##present")->Rect();
        const ImGuiWindow* card = shown("##present_card");
        ASSERT_NE(card, nullptr);
        EXPECT_FALSE(view.Overlaps(card->Rect()));
        for (int thread = 0; thread < 12; ++thread) {
          const std::string item = "//##present/thread_at:" + std::to_string(thread);
          ASSERT_TRUE(d.ui->ItemExists(item.c_str())) << item;
          const ImRect box = d.ui->ItemInfo(item.c_str()).RectFull;
          EXPECT_TRUE(view.Contains(box)) << item;
          EXPECT_GE(box.GetWidth(), 16) << item;
        }
        Driver::keep(d.picture(),
                     "present_figure_" + std::to_string(width) + "_" + std::to_string(int(100 * text)));
      }
  });
}

TEST_F(PresentMode, TheBlankScreenEndsFromTheNotesToo) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenLesson{"who_am_i", 1});
    d.shell.actions().push(Present{true});
    d.ui->Yield(6);
    d.ui->KeyPress(ImGuiKey_N);
    ASSERT_TRUE(d.wait_until([&] { return d.shell.teacher_window() != nullptr; }, 5));
    for (const ImGuiKey key : {ImGuiKey_B, ImGuiKey_Escape, ImGuiKey_PageDown, ImGuiKey_RightArrow}) {
      d.shell.actions().push(Blank{true});
      d.ui->Yield(3);
      ASSERT_TRUE(d.state().frame.blank);
      d.shell.teacher_window()->press(key);
      EXPECT_TRUE(d.wait_until([&] { return !d.state().frame.blank; }, 5)) << ImGui::GetKeyName(key);
    }
  });
}

TEST_F(PresentMode, TheTeacherHasAWindowOfTheirOwn) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenLesson{"who_am_i", 1});
    d.shell.actions().push(Present{true});
    d.ui->Yield(6);
    ASSERT_TRUE(d.wait_for_result());
    const Image before = d.picture();
    EXPECT_EQ(d.shell.teacher_window(), nullptr);
    d.ui->KeyPress(ImGuiKey_N);
    ASSERT_TRUE(d.wait_until([&] { return d.shell.teacher_window() != nullptr; }, 5));
    EXPECT_EQ(d.picture().pixels, before.pixels) << "the class sees nothing of it";
    ASSERT_TRUE(d.wait_until([&] {
      return d.shell.teacher_notes().notes.find("thread") != std::string::npos;
    })) << "the notes of the step";
    EXPECT_NE(d.shell.teacher_notes().notes.find("Wrong clicks are useful"), std::string::npos)
        << d.shell.teacher_notes().notes;
    d.shell.actions().push(Vote{1, 1, 3});
    d.ui->Yield(6);
    Driver::keep(d.shell.teacher_window()->picture(), "teacher_window");
    d.ui->KeyPress(ImGuiKey_N);
    d.ui->Yield(4);
    EXPECT_EQ(d.shell.teacher_window(), nullptr);
  });
}

TEST_F(PresentMode, AWindowForStudentsHasLessonsAndChallenges) {
  WindowOptions options;
  options.student = 4711;
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.ui->Yield(4);
        EXPECT_EQ(d.state().frame.dialog, Dialog::learn) << "it begins with them";
        d.screenshot("student_begins_1280x720");
        d.ui->KeyPress(ImGuiKey_Escape);
        d.ui->Yield(3);
        d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
        d.ui->Yield(3);
        EXPECT_FALSE(d.state().code.own);
        d.screenshot("student_1280x720");
        d.palette("unlock");
        d.ui->Yield(3);
        d.ui->KeyChars("4711");
        d.ui->KeyPress(ImGuiKey_Enter);
        d.ui->Yield(4);
        EXPECT_FALSE(d.state().frame.student);
        d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
        d.ui->Yield(3);
        EXPECT_TRUE(d.state().code.own);
      },
      options);
}

TEST_F(PresentMode, AnswersThatAreLockedStayHidden) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenLesson{"who_am_i", 1});
    d.ui->Yield(6);
    ASSERT_TRUE(d.wait_for_result());
    const auto type = [&](const char* number) {
      d.palette("lock answers");
      d.ui->Yield(3);
      d.ui->KeyChars(number);
      d.ui->KeyPress(ImGuiKey_Enter);
      d.ui->Yield(4);
    };
    type("4711");
    EXPECT_EQ(d.state().frame.preferences.answer_lock, 4711u);
    d.ui->KeyPress(ImGuiKey_R);
    d.ui->KeyPress(ImGuiKey_N);
    d.ui->Yield(3);
    EXPECT_FALSE(d.state().lesson.player.steps[1].revealed);
    EXPECT_FALSE(d.state().lesson.notes);
    EXPECT_NE(d.state().lesson.refusal.find("locked"), std::string::npos);
    type("12");
    EXPECT_EQ(d.state().frame.preferences.answer_lock, 4711u) << "another number";
    EXPECT_EQ(d.state().frame.dialog, Dialog::lock_answers) << "which it says";
    d.ui->KeyPress(ImGuiKey_Escape);
    d.ui->Yield(3);
    type("4711");
    EXPECT_EQ(d.state().frame.preferences.answer_lock, 0u);
    d.ui->KeyPress(ImGuiKey_R);
    d.ui->Yield(3);
    EXPECT_TRUE(d.state().lesson.player.steps[1].revealed);
  });
}

TEST_F(PresentMode, ClickersTurnPagesAndDoNotRun) {
  drive([](Driver& d) {
    begin(d);
    const uint64_t runs = d.state().runs.recorded;
    d.ui->KeyPress(ImGuiKey_F5);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.recorded, runs);
    ASSERT_EQ(d.state().frame.view, View::image);
    d.ui->KeyPress(ImGuiKey_PageDown);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().frame.view, View::memory);
    d.ui->KeyPress(ImGuiKey_PageUp, 3);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().frame.view, View::grid) << "the first one stays";
    d.ui->KeyPress(ImGuiKey_PageDown, 20);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().frame.view, View::profile) << "and so does the last one";
    d.ui->KeyPress(ImGuiKey_F11);
    d.ui->Yield(3);
    d.ui->KeyPress(ImGuiKey_F5);
    ASSERT_TRUE(d.wait_until([&] { return d.state().runs.recorded > runs; }));
  });
}

TEST_F(PresentMode, TheSpotlightComesWithSAndTheScreenBlank) {
  drive([](Driver& d) {
    begin(d);
    const auto corner = [&] {
      const Image image = d.picture();
      return image.pixels[3 * (size_t{600} * image.width + 700)];
    };
    const uint8_t plain = corner();
    EXPECT_FALSE(d.state().frame.preferences.spotlight) << "there is none unless it is asked for";
    d.ui->KeyPress(ImGuiKey_S);
    d.ui->Yield(3);
    EXPECT_TRUE(d.state().frame.preferences.spotlight);
    EXPECT_LT(corner(), plain) << "all but a circle is darker";
    d.ui->KeyPress(ImGuiKey_S);
    d.ui->Yield(3);
    d.ui->KeyPress(ImGuiKey_B);
    d.ui->Yield(3);
    EXPECT_TRUE(d.state().frame.blank);
    EXPECT_EQ(corner(), 0);
    d.ui->KeyPress(ImGuiKey_B);
    d.ui->Yield(3);
    EXPECT_FALSE(d.state().frame.blank);
    d.ui->KeyPress(ImGuiKey_F11);
    d.ui->Yield(3);
    d.ui->KeyPress(ImGuiKey_S);
    d.ui->KeyPress(ImGuiKey_B);
    d.ui->Yield(3);
    EXPECT_FALSE(d.state().frame.preferences.spotlight) << "elsewhere these are letters";
    EXPECT_FALSE(d.state().frame.blank);
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
