// A person's input, with real events of the X server: typing in lessons, keys one after the other, the blank
// screen.
#include <imgui_internal.h>

#include <algorithm>
#include <random>
#include <string_view>

#include "app/state/parts/course.h"
#include "tests/ui/hands.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

class HandsOn : public WindowTest {};

void open_own_kernel(Driver& d) {
  ASSERT_TRUE(d.wait_for_result());
  ASSERT_TRUE(d.take_a_copy());
  d.ui->Yield(4);
  EXPECT_EQ(d.state().frame.view, View::code);
}

// Without the end of the last line, which the editor adds.
std::string text_of(Driver& d) {
  std::string text = d.state().code.text;
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// Types into the empty editor of an own kernel, and returns the editor's text.
std::string typed(Driver& d, Hands& hands, const std::string& text, int milliseconds) {
  hands.click_editor();
  hands.press({"ctrl+a", "Delete"});
  EXPECT_EQ(d.state().code.text, "");
  hands.type(text, milliseconds);
  return text_of(d);
}

TEST_F(HandsOn, LettersTypedIntoALessonsCodeAreLetters) {
  drive(
      [](Driver& d) {
        open_step(d, "who_am_i", "repair");
        const std::string before = d.state().code.text;
        Hands hands(d);
        hands.click_editor();
        hands.press({"ctrl+Home", "Down", "Down", "Down", "Down", "Down", "Home", "shift+End"});
        hands.type("  if (blockIdx.x < n && i < n) out[i] = x[i] + y[i];", 20);
        EXPECT_NE(d.state().code.text.find("  if (blockIdx.x < n && i < n) out[i] = x[i] + y[i];\n}"),
                  std::string::npos)
            << d.state().code.text;
        EXPECT_FALSE(d.state().frame.blank) << "b";
        EXPECT_FALSE(d.state().lesson.notes) << "n";
        const lesson::StepProgress& answers = d.state().lesson.player.steps[d.state().lesson.player.at];
        EXPECT_FALSE(answers.revealed) << "r";
        EXPECT_EQ(answers.hints, 0u) << "h";
        EXPECT_NE(d.state().code.text, before);
        // It runs by itself, soon after the last key.
        ASSERT_TRUE(d.wait_until([&] { return d.state().code.compiled == d.state().code.text; }, 20));
        ASSERT_TRUE(d.wait_for_result());
        hands.press({"Page_Down"});
        EXPECT_EQ(current_step(d.state())->id, "photograph")
            << "Page Down turns the step from the editor too";
        hands.press({"Page_Up"});
        EXPECT_EQ(current_step(d.state())->id, "repair");
      },
      small_window());
}

TEST_F(HandsOn, LettersTypedIntoCodeThatIsFixedDoNothing) {
  drive(
      [](Driver& d) {
        open_step(d, "who_am_i", "fault");
        Hands hands(d);
        hands.click_editor();
        hands.type("brnh 1 2", 20);
        EXPECT_FALSE(d.state().frame.blank);
        EXPECT_FALSE(d.state().lesson.notes);
        const lesson::StepProgress& answers = d.state().lesson.player.steps[d.state().lesson.player.at];
        EXPECT_FALSE(answers.revealed);
        EXPECT_EQ(answers.hints, 0u);
        EXPECT_FALSE(answers.questions.at(0).settled()) << "1 is no answer here";
      },
      small_window());
}

TEST_F(HandsOn, BracketsAreThoseThatWereTyped) {
  drive(
      [](Driver& d) {
        open_own_kernel(d);
        Hands hands(d);
        for (const auto& [text, pause] : {std::pair{"if (i<n) a[i]=1;", 100},
                                          {"if (i<n) { a[i]=foo(a[0],(n)); } float b[2]={1,2};", 15},
                                          {"(a)", 5},
                                          {"[i]", 5},
                                          {"f(\"(\", '[')", 5}})
          EXPECT_EQ(typed(d, hands, text, pause), text);
        EXPECT_EQ(typed(d, hands, "ab", 5), "ab");
        hands.press({"Home"});
        hands.type("(");
        EXPECT_EQ(text_of(d), "(ab");
        hands.press({"BackSpace"});
        EXPECT_EQ(text_of(d), "ab");
      },
      small_window());
}

TEST_F(HandsOn, NoKeyIsLostHoweverFast) {
  drive(
      [](Driver& d) {
        open_own_kernel(d);
        Hands hands(d);
        EXPECT_EQ(typed(d, hands, "first", 5), "first");
        for (int i = 0; i < 5; ++i) {
          hands.press({"Home", "End", "Return"}, 0);
          hands.type("x", 0);
        }
        EXPECT_EQ(text_of(d), "first\nx\nx\nx\nx\nx");
        hands.press({"ctrl+a", "ctrl+c", "End", "Return", "ctrl+v"}, 8);
        EXPECT_EQ(text_of(d), "first\nx\nx\nx\nx\nx\nfirst\nx\nx\nx\nx\nx");
      },
      small_window());
}

TEST_F(HandsOn, TheBlankScreenSaysHowItEndsAndHearsNothingElse) {
  drive(
      [](Driver& d) {
        open_step(d, "who_am_i", "point");
        d.shell.actions().push(Present{});
        d.ui->Yield(8);
        Hands hands(d);
        hands.point({640, 300});
        for (const char* key : {"Escape", "b", "Left", "Up", "Page_Down"}) {
          hands.press({"b"});
          ASSERT_TRUE(d.state().frame.blank);
          hands.type("rnh1");
          EXPECT_FALSE(d.state().lesson.notes);
          EXPECT_FALSE(d.state().lesson.player.steps[0].revealed);
          hands.press({key});
          EXPECT_FALSE(d.state().frame.blank) << key;
          EXPECT_EQ(d.state().lesson.player.at, 0u) << key;
        }
        const ImVec2 next = hands.middle_of("//##present_bar/###next");
        hands.press({"b"});
        Driver::keep(d.picture(), "blank_1280x720");
        const Pick before = d.state().selection.pinned;
        hands.click(next);
        EXPECT_FALSE(d.state().frame.blank);
        EXPECT_EQ(d.state().lesson.player.at, 0u) << "the click did not reach what is behind";
        EXPECT_TRUE(d.state().selection.pinned == before);
      },
      small_window());
}

// Letters, brackets and keys that move, by chance but the same each time: whatever is typed into the code,
// nothing but the code changes.
void type_at_random(Driver& d, int parts) {
  Hands hands(d);
  hands.click_editor();
  std::mt19937 chance(7);
  const std::string letters = "abcdefghijklmnopqrstuvwxyzBRNHSX0123456789()[]{}<>;,.=+-*/&|\"' ";
  const lesson::LessonStep* step = current_step(d.state());
  const std::string id = step == nullptr ? "" : step->id;
  for (int part = 0; part < parts; ++part) {
    std::string text;
    for (int i = 0; i < 500; ++i) text += letters[chance() % letters.size()];
    if (part % 4 == 3)
      hands.press({"ctrl+Home", "Down", "Down", "Down", "Down", "Down", "Home", "shift+End"}, 1);
    hands.type(text, 1);
    ASSERT_FALSE(d.state().frame.blank);
    ASSERT_FALSE(d.state().frame.present);
    ASSERT_FALSE(d.state().lesson.notes);
    ASSERT_EQ(d.state().frame.dialog, Dialog::none);
    ASSERT_EQ(d.state().frame.view, View::code);
    if (step == nullptr) continue;
    ASSERT_EQ(current_step(d.state())->id, id);
    const lesson::StepProgress& answers = d.state().lesson.player.steps[d.state().lesson.player.at];
    ASSERT_FALSE(answers.revealed);
    ASSERT_EQ(answers.hints, 0u);
  }
  d.wait_for_result();
}

TEST_F(HandsOn, TypingAtRandomNeverLeavesTheEditor) {
  drive(
      [](Driver& d) {
        open_step(d, "who_am_i", "repair");
        type_at_random(d, 20);
      },
      small_window());
}

bool shows_editor() {
  return std::ranges::any_of(ImGui::GetCurrentContext()->Windows, [](const ImGuiWindow* window) {
    return window->WasActive && std::string_view(window->Name).find("##source") != std::string_view::npos;
  });
}

// Takes minutes: --gtest_also_run_disabled_tests --gtest_filter='HandsOn.*whole_course' runs it.
TEST_F(HandsOn, DISABLED_typing_at_random_in_the_whole_course) {
  drive(
      [](Driver& d) {
        size_t typed_into = 0;
        for (const CourseLesson& lesson : course_lessons())
          for (const std::string& id : lesson.steps) {
            open_step(d, lesson.name, id);
            if (!d.state().code.own) continue;
            SCOPED_TRACE(lesson.name + " " + id);
            d.shell.actions().push(ShowView{View::code});
            d.ui->Yield(4);
            if (!shows_editor()) continue;  // the step hides it, or shows the PTX
            ASSERT_NO_FATAL_FAILURE(type_at_random(d, 4));
            ++typed_into;
          }
        for (const CourseChallenge& challenge : course_challenges()) {
          SCOPED_TRACE(challenge.name);
          d.shell.actions().push(OpenChallenge{challenge.name});
          ASSERT_TRUE(d.wait_until([&] { return d.state().challenge.open && d.state().code.own; }));
          ASSERT_TRUE(d.wait_for_result());
          d.shell.actions().push(ShowView{View::code});
          d.ui->Yield(4);
          ASSERT_NO_FATAL_FAILURE(type_at_random(d, 4));
          ++typed_into;
        }
        EXPECT_GT(typed_into, course_challenges().size());
      },
      small_window());
}

}  // namespace THIS_FILE
}  // namespace warplens
