// The window's messages are up to date, and the controls do not move.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "app/state/parts/course.h"
#include "core/base/system/files.h"
#include "tests/paths.h"
#include "tests/ui/hands.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class HandsWords : public WindowTest {};

void open_by_path(Driver& d, Hands& hands, const std::string& path) {
  hands.press({"ctrl+o"});
  d.ui->Yield(4);
  ASSERT_TRUE(d.wait_for_work());
  hands.type(path);
  d.ui->Yield(2);
  hands.type("\n");
  d.let_pass(0.3);
  ASSERT_TRUE(d.wait_for_result());
}

TEST_F(HandsWords, AMessageGoesWhenTheNextOfItsKindWentWell) {
  const fs::path broken =
      fs::temp_directory_path() / ("warplens_broken_" + std::to_string(::getpid()) + ".png");
  ASSERT_TRUE(write_text(broken.string(), "no picture"));
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        Hands hands(d);
        open_by_path(d, hands, broken.string());
        EXPECT_THAT(letters_in_sight(d), HasSubstr("Thepicturewasnotopened"));
        const fs::path good = test_files::source_dir() / "assets/lessons/who_am_i/mine.png";
        open_by_path(d, hands, good.string());
        ASSERT_EQ(d.state().setup.launch.image_path, good.string());
        EXPECT_THAT(letters_in_sight(d), Not(HasSubstr("Thepicturewasnotopened")));
      },
      small_window());
  fs::remove(broken);
}

// The first step of a course's lesson that has a number to be typed and hints.
bool open_step_with_number(Driver& d) {
  for (const CourseLesson& lesson : course_lessons())
    for (const std::string& id : lesson.steps) {
      open_step(d, lesson.name, id);
      const lesson::LessonStep* step = current_step(d.state());
      if (!step->questions.empty() && step->questions[0].kind == lesson::QuestionKind::number &&
          !step->hints.empty())
        return true;
    }
  return false;
}

TEST_F(HandsWords, LettersInANumberFieldSayWhatIsMissing) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(open_step_with_number(d));
        Hands hands(d);
        in_strip(d);
        hands.click(d.ui->ItemInfo("$$0/##number").RectClipped.GetCenter());
        hands.type("six");
        d.let_pass(0.2);
        EXPECT_THAT(letters_in_sight(d), HasSubstr("Writeanumbersuchas157"));
        hands.press({"ctrl+a"});
        hands.type("6");
        d.let_pass(0.2);
        EXPECT_THAT(letters_in_sight(d), Not(HasSubstr("Writeanumber")));
        hands.press({"ctrl+a"});
        hands.type("six");
        const size_t before = d.state().lesson.player.at;
        hands.press({"Page_Down"});
        d.let_pass(0.2);
        EXPECT_EQ(d.state().lesson.player.at, before + 1) << "the field does not hold the page back";
      },
      small_window());
}

bool is_same(ImVec2 a, ImVec2 b) { return std::abs(a.x - b.x) < 1 && std::abs(a.y - b.y) < 1; }

TEST_F(HandsWords, ButtonsStayWhereTheyAre) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        Hands hands(d);
        // A run's words get longer with its age.
        hands.press({"ctrl+2"});
        d.shell.actions().push(SetBlock{{32, 8, 1}});
        ASSERT_TRUE(d.wait_for_result());
        d.open_bottom();
        d.ui->WindowFocus("//###runs");
        d.let_pass(0.3);
        const std::string link = "//###runs/**/baseline##1";
        const ImVec2 young = hands.middle_of(link);
        d.let_pass(2.5);
        EXPECT_TRUE(is_same(hands.middle_of(link), young));
        // A hint that is taken.
        ASSERT_TRUE(open_step_with_number(d));
        const ImVec2 reset = hands.middle_of("//###launch/###reset"),
                     next = hands.middle_of("//###launch/###next");
        hands.click(hands.middle_of("//###launch/###hint"));
        d.let_pass(0.3);
        EXPECT_TRUE(is_same(hands.middle_of("//###launch/###reset"), reset));
        EXPECT_TRUE(is_same(hands.middle_of("//###launch/###next"), next));
      },
      small_window());
}

}  // namespace THIS_FILE
}  // namespace warplens
