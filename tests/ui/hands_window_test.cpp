// The window's answers to keyboard and mouse: tips belong to the item under the pointer now, the last message
// is visible, Tab moves to the expected place.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/parts/course.h"
#include "tests/ui/hands.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

class HandsWindow : public WindowTest {};

// Cards and tips of the pointer that are drawn in this frame.
std::vector<std::string> tips() {
  std::vector<std::string> names;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const std::string_view name = window->Name;
    if (window->Active && !window->Hidden && (name.starts_with("##Tooltip") || name == "##hover"))
      names.emplace_back(name);
  }
  return names;
}

const ImGuiWindow* shown_window(std::string_view part) {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->Active && !window->Hidden &&
        std::string_view(window->Name).find(part) != std::string_view::npos)
      return window;
  return nullptr;
}

// The end of what was said, which is what is cut off first.
std::string last_letters(std::string_view text) {
  const std::string letters = letters_of(text);
  return letters.substr(letters.size() - std::min<size_t>(letters.size(), 16));
}

TEST_F(HandsWindow, ATipBelongsToWhatIsUnderThePointerNow) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        Hands hands(d);
        hands.press({"ctrl+2"});
        ASSERT_TRUE(d.wait_for_result());
        const ImGuiWindow* image = shown_window("###image");
        ASSERT_NE(image, nullptr);
        hands.point(image->InnerRect.GetCenter());
        EXPECT_TRUE(d.wait_until([] { return !tips().empty(); }, 5)) << "the pixel's card";
        for (const char* view : {"ctrl+3", "ctrl+4", "ctrl+5"}) {
          hands.press({view});
          d.let_pass(0.3);
          for (const std::string& tip : tips()) EXPECT_NE(tip, "##hover") << view;
          hands.press({"ctrl+2"});
          d.let_pass(0.3);
        }
      },
      small_window());
}

TEST_F(HandsWindow, AButtonThatHasTheKeyboardShowsNoTip) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        Hands hands(d);
        hands.point({640, 715});
        for (int i = 0; i < 12; ++i) {
          hands.press({"Tab"});
          d.let_pass(0.2);
          EXPECT_TRUE(tips().empty()) << "after " << i + 1 << " times Tab: " << tips().front();
        }
      },
      small_window());
}

TEST_F(HandsWindow, WhyAChoiceIsWrongAndAHintAreInSight) {
  drive(
      [](Driver& d) {
        size_t choices = 0;
        for (const CourseLesson& lesson : course_lessons())
          for (const std::string& id : lesson.steps) {
            if (choices == 3) break;
            open_step(d, lesson.name, id);
            const lesson::LessonStep* step = current_step(d.state());
            if (step->questions.empty() || step->questions[0].kind != lesson::QuestionKind::choice ||
                step->questions[0].predict || step->hints.empty())
              continue;
            SCOPED_TRACE(lesson.name + " " + id);
            ++choices;
            const size_t wrong = step->questions[0].right.text.at(0) == 'A' ? 1 : 0;
            Hands hands(d);
            hands.press({"Escape"});
            hands.press({std::to_string(wrong + 1)});
            d.let_pass(0.3);
            const std::string because = last_letters(step->questions[0].choices.at(wrong).because.text);
            EXPECT_NE(letters_in_sight(d).find(because), std::string::npos) << because;
            hands.press({"h"});
            d.let_pass(0.3);
            const std::string hint = last_letters(step->hints[0].text);
            EXPECT_NE(letters_in_sight(d).find(hint), std::string::npos) << hint;
          }
        EXPECT_GT(choices, 0u);
      },
      small_window());
}

TEST_F(HandsWindow, TabGoesFromNumberFieldToNumberField) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        Hands hands(d);
        hands.click(hands.middle_of("//###launch/##number_block_x"));
        for (const char* next : {"##number_block_y", "##number_block_z"}) {
          hands.press({"Tab"});
          EXPECT_EQ(ImGui::GetActiveID(), d.ui->ItemInfo((std::string("//###launch/") + next).c_str()).ID)
              << next;
        }
        hands.press({"shift+Tab", "ctrl+a"});
        hands.type("4\n");
        EXPECT_TRUE(d.wait_until([&] { return d.state().setup.launch.block.y == 4u; }, 10))
            << d.state().setup.launch.block.y;
      },
      small_window());
}

TEST_F(HandsWindow, EnterTakesTheLitLesson) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        Hands hands(d);
        d.shell.actions().push(ShowDialog{Dialog::learn});
        d.let_pass(0.3);
        hands.press({"Return"});
        EXPECT_TRUE(d.wait_until([&] { return d.state().lesson.is_open(); }, 5));
      },
      small_window());
}

TEST_F(HandsWindow, WhatStepToThisLeadsToIsInSight) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.choose_kernel("vector_add_unchecked");
        ASSERT_TRUE(d.wait_for_result());
        d.open_bottom();
        Hands hands(d);
        hands.click(hands.middle_of("//###problems/**/Step to this ›##step"));
        ASSERT_TRUE(d.wait_until([&] { return d.state().frame.view == View::step; }, 5));
        ASSERT_TRUE(d.wait_for_work());
        const ImGuiWindow* step = shown_window("###step");
        const ImGuiWindow* problems = shown_window("###problems");
        ASSERT_NE(step, nullptr);
        EXPECT_GT(step->InnerRect.GetHeight(), 200.0f);
        EXPECT_TRUE(problems == nullptr || !step->Rect().Overlaps(problems->Rect()));
      },
      small_window());
}

}  // namespace THIS_FILE
}  // namespace warplens
