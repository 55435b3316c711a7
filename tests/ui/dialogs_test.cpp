// The dialogs with lists: no text is cut or lies over another, in each size of window and text, and what is
// typed filters them.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "app/state/parts/course.h"
#include "core/base/system/files.h"
#include "core/lesson/judge/hand_in.h"
#include "tests/ui/drawn_texts.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

class Dialogs : public WindowTest {
 protected:
  Dialogs() : folder(fs::temp_directory_path() / ("warplens_dialogs_" + std::to_string(::getpid()))) {
    fs::create_directories(folder / "a folder with a name that is long");
    (void)write_text((folder / "one.cu").string(), "extern \"C\" __global__ void one(float* out) {}\n");
    for (int i = 0; i < 20; ++i) {
      ProgressState progress;
      for (const CourseLesson& lesson : course_lessons())
        if (lesson.number <= static_cast<uint32_t>(i % 4))
          progress.lessons[lesson.name] = {lesson.steps.begin(), lesson.steps.end()};
      lesson::HandIn hand_in;
      hand_in.challenge = "bounds_check";
      hand_in.name = "pupil " + std::to_string(i);
      hand_in.source = "// " + hand_in.name;
      hand_in.stars = static_cast<uint32_t>(i % 4);
      hand_in.progress = progress_json(progress);
      (void)write_text((folder / (hand_in.name + ".json")).string(), lesson::hand_in_text(hand_in));
    }
  }
  ~Dialogs() override { fs::remove_all(folder); }

  void show(Driver& d, Dialog dialog) const {
    d.state().files.recent = {(folder / "one.cu").string()};
    if (dialog == Dialog::class_table) {
      d.shell.actions().push(OpenClass{folder.string()});
      ASSERT_TRUE(
          d.wait_until([&] { return d.state().classroom.report && !d.state().classroom.working; }, 20));
    } else {
      d.shell.actions().push(ShowDialog{dialog});
    }
    d.ui->Yield(6);
    ASSERT_TRUE(d.wait_for_work());
    d.ui->Yield(6);
  }

  fs::path folder;
};

std::vector<std::string> faults_in(Driver& d) {
  std::vector<std::string> faults;
  d.after_frame = [&] { faults = faults_of(drawn_texts()); };
  d.ui->Yield(2);
  return faults;
}

TEST_F(Dialogs, NoTextIsCutOrLiesOverAnotherInAnySize) {
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(ShowWelcome{false});
        for (const auto& [width, height, text] :
             {std::tuple{1280, 720, 1.0f}, {1920, 1080, 1.0f}, {1280, 720, 2.5f}}) {
          d.shell.actions().push(SetTextScale{text});
          if (ImGui::GetMainViewport()->Size.x != static_cast<float>(width)) d.resize(width, height);
          d.ui->Yield(10);
          for (const auto& [dialog, name] : {std::pair{Dialog::learn, "learn"},
                                             {Dialog::class_table, "class"},
                                             {Dialog::open_file, "files"},
                                             {Dialog::save_result, "save"},
                                             {Dialog::manual, "manual"}}) {
            const std::string where = fmt::format("dialog_{}_{}_{:.0f}", name, width, 100 * text);
            ASSERT_NO_FATAL_FAILURE(show(d, dialog));
            EXPECT_EQ(d.state().frame.dialog, dialog) << where;
            EXPECT_EQ(faults_in(d), std::vector<std::string>{}) << where;
            Driver::keep(d.picture(), where);
            d.shell.actions().push(ShowDialog{Dialog::none});
            d.ui->Yield(4);
          }
        }
      },
      small_window());
}

TEST_F(Dialogs, WhatIsTypedFiltersTheCourseAndEnterTakesTheFirst) {
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.ui->KeyPress(ImGuiKey_F2);
        d.ui->Yield(4);
        const std::string second = "**/##lesson_" + course_lessons().at(1).name;
        EXPECT_TRUE(d.ui->ItemExists(second.c_str()));
        d.ui->KeyChars("who");
        d.ui->Yield(4);
        EXPECT_FALSE(d.ui->ItemExists(second.c_str()));
        d.ui->KeyPress(ImGuiKey_Enter);
        EXPECT_TRUE(d.wait_until([&] { return d.state().lesson.is_open(); }, 5));
        EXPECT_EQ(d.state().lesson.open->folder.name, "who_am_i");
      },
      small_window());
}

}  // namespace THIS_FILE
}  // namespace warplens
