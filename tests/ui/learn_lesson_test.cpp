// Lessons in the window: each is played to its end, once wrongly at every step, and each kind of question is
// answered with the mouse and with keys.
#include <imgui_internal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "app/state/parts/course.h"
#include "app/window/frame/veil.h"
#include "app/window/settings.h"
#include "core/base/system/files.h"
#include "core/lesson/play/answers.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

class LearnLesson : public WindowTest {
 protected:
  static void open_example(Driver& d, const lesson::Folder& folder = example_lesson()) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenFile{folder_on_disk(folder)});
    ASSERT_TRUE(
        d.wait_until([&] { return d.state().lesson.is_open() || !d.state().lesson.mistakes.empty(); }, 5));
    ASSERT_TRUE(d.wait_for_result());
  }
};

TEST_F(LearnLesson, TheExampleOfTheDocsIsPlayedToItsEnd) {
  drive([](Driver& d) {
    open_example(d);
    play_to_the_end(d);
    EXPECT_EQ(d.state().progress.lessons.at("example").size(), 3u);
  });
}

// Two lessons by default, which together have every kind of question: tests/app/worker/course_test.cpp plays
// all without a window. WARPLENS_LESSON=all plays all of them here, and a name plays only that one.
TEST_F(LearnLesson, EveryLessonOfTheCourseIsPlayedToItsEnd) {
  const char* chosen = std::getenv("WARPLENS_LESSON");
  const std::string only = chosen == nullptr ? "" : chosen;
  size_t played = 0;
  for (const CourseLesson& lesson : course_lessons()) {
    const bool by_default = lesson.name == "who_am_i" || lesson.name == "sums";
    if (only.empty() ? !by_default : only != "all" && lesson.name != only) continue;
    ++played;
    SCOPED_TRACE(lesson.name);
    drive(
        [&](Driver& d) {
          ASSERT_TRUE(d.wait_for_result());
          d.shell.actions().push(OpenLesson{lesson.name});
          d.ui->Yield(3);
          ASSERT_TRUE(d.wait_for_result());
          play_to_the_end(d);
        },
        small_window());
  }
  EXPECT_GT(played, 0u) << "there is no lesson " << only;
}

TEST_F(LearnLesson, AClickerTurnsTheStepsAndLettersHelpTheTeacher) {
  drive([](Driver& d) {
    open_example(d);
    d.ui->KeyPress(ImGuiKey_PageDown);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().lesson.player.at, 1u);
    ASSERT_TRUE(d.wait_for_result());
    d.ui->KeyPress(ImGuiKey_PageDown);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().lesson.player.at, 2u);
    d.ui->KeyPress(ImGuiKey_PageDown);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().lesson.player.at, 2u) << "it is the last one";
    ASSERT_TRUE(d.wait_for_result());
    d.ui->KeyPress(ImGuiKey_B);
    d.ui->Yield(3);
    EXPECT_FALSE(d.state().frame.blank) << "only in front of a class";
    d.shell.actions().push(Present{});
    d.ui->Yield(3);
    d.ui->KeyPress(ImGuiKey_B);
    d.ui->Yield(3);
    EXPECT_TRUE(d.state().frame.blank);
    const Image dark = d.picture();
    const auto lit = std::ranges::count_if(dark.pixels, [](uint8_t byte) { return byte != 0; });
    EXPECT_LT(static_cast<double>(lit), 0.003 * static_cast<double>(dark.pixels.size()))
        << "nothing is seen but how it ends, in small type";
    EXPECT_GT(lit, 0);
    EXPECT_LT(*std::ranges::max_element(dark.pixels), 0x80) << "and dim";
    d.ui->KeyPress(ImGuiKey_B);
    d.ui->Yield(3);
    EXPECT_FALSE(d.state().frame.blank);
    d.shell.actions().push(Present{false});
    d.ui->Yield(3);
    d.ui->KeyPress(ImGuiKey_N);
    d.ui->Yield(3);
    EXPECT_TRUE(d.state().lesson.notes);
    d.ui->KeyPress(ImGuiKey_R);
    d.ui->Yield(3);
    EXPECT_TRUE(d.state().lesson.player.steps[2].revealed);
    d.ui->KeyPress(ImGuiKey_PageUp);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().lesson.player.at, 1u);
    d.ui->KeyPress(ImGuiKey_H);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().lesson.player.steps[1].hints, 1u);
    d.ui->KeyPress(ImGuiKey_F5);
    EXPECT_TRUE(d.wait_for_result());
  });
}

// Pixels of the Code view that are red, as the line of a fault is.
size_t red_pixels(const Image& image) {
  size_t red = 0;
  for (size_t y = 180; y < 400; ++y)
    for (size_t x = 330; x < image.width; ++x) {
      const uint8_t* pixel = &image.pixels[(y * image.width + x) * image.channels];
      red += pixel[0] > 60 && pixel[0] > pixel[1] + 25 && pixel[0] > pixel[2] + 25;
    }
  return red;
}

// The run is the same before and after the answer: what was hidden has to come without a new one.
TEST_F(LearnLesson, TheLineOfAFaultIsRedAsSoonAsTheGuessIsMade) {
  drive(
      [](Driver& d) {
        open_step(d, "who_am_i", "fault");
        EXPECT_EQ(red_pixels(d.picture()), 0u) << "it would give the answer away";
        do_moves(d, current_step(d.state())->solution);
        d.ui->Yield(3);
        EXPECT_GT(red_pixels(d.picture()), 1000u);
        d.screenshot("lesson_fault_revealed");
      },
      small_window());
}

// Rows of pixels in the Code view that are filled with one strong colour, as the bars of costs are; letters
// are not.
size_t cost_bars(const Image& image) {
  constexpr size_t left = 330, right = 450, shortest = 12;
  size_t bars = 0;
  for (size_t y = 180; y < 400; ++y) {
    size_t run = 0;
    for (size_t x = left + 1; x < right; ++x) {
      const uint8_t* pixel = &image.pixels[(y * image.width + x) * image.channels];
      const auto [least, most] = std::minmax({pixel[0], pixel[1], pixel[2]});
      const bool goes_on = most - least > 40 && std::equal(pixel, pixel + 3, pixel - image.channels);
      run = goes_on ? run + 1 : 0;
      bars += run == shortest;
    }
  }
  return bars;
}

// The question is which line costs most: the source is visible, and the costs are not.
TEST_F(LearnLesson, LinesAreReadBeforeTheirCostsAreTold) {
  drive(
      [](Driver& d) {
        open_step(d, "sectors", "repair");
        EXPECT_GT(cost_bars(d.picture()), 10u) << "where nothing is asked, costs are shown";
        open_step(d, "sectors", "line");
        EXPECT_EQ(veiled_because(d.state(), View::code), "");
        EXPECT_EQ(cost_bars(d.picture()), 0u);
        d.screenshot("lesson_costliest_line");
      },
      small_window());
}

TEST_F(LearnLesson, AThreadIsClickedInTheGrid) {
  drive([](Driver& d) {
    open_example(d);
    d.shell.actions().push(GoToStep{1});
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(Pin{{Dim3{2, 0, 0}, std::nullopt, std::nullopt, 0}});
    d.shell.actions().push(ShowPart{View::grid, "block"});
    d.ui->Yield(8);
    EXPECT_EQ(d.state().lesson.player.steps[1].tries, 0u) << "a block is not what is asked for";
  });
}

TEST_F(LearnLesson, AClickOnABlockOpensItWhereAThreadIsAsked) {
  drive(
      [](Driver& d) {
        open_step(d, "more_than_fits", "mine");
        const auto click_the_map = [&] {
          d.ui->MouseTeleportToPos(d.ui->ItemInfo("//###grid/##map").RectClipped.GetCenter());
          d.ui->MouseClick();
          d.ui->Yield(8);
          return d.ui->ItemExists("//###grid/##block");
        };
        EXPECT_FALSE(click_the_map()) << "a number is asked for";
        d.shell.actions().push(Unpin{});
        for (size_t i = 0; i < 2; ++i) {
          d.shell.actions().push(
              SetAnswer{i, *lesson::answer_in(current_step(d.state())->solution.answers[i].text,
                                              current_step(d.state())->questions[i])});
          d.shell.actions().push(GiveAnswer{i});
          d.ui->Yield(4);
        }
        ASSERT_EQ(open_question(d.state()), 2u);
        EXPECT_TRUE(click_the_map());
        EXPECT_EQ(d.state().lesson.player.progress().tries, 0u);
      },
      small_window());
}

TEST_F(LearnLesson, TheChoiceIsAnsweredByNumberKeysAndVotesAreCounted) {
  drive([](Driver& d) {
    open_example(d);
    d.shell.actions().push(GoToStep{2});
    ASSERT_TRUE(d.wait_for_result());
    in_strip(d);
    d.ui->ItemInput("$$0/##number");
    d.ui->KeyCharsReplaceEnter("4");
    d.ui->Yield(4);
    const auto& questions = d.state().lesson.player.steps[2].questions;
    EXPECT_EQ(questions[0].mark, lesson::AnswerMark::guessed);
    d.shell.actions().push(CountVotes{true});
    d.ui->Yield(2);
    for (const ImGuiKey key : {ImGuiKey_1, ImGuiKey_2, ImGuiKey_2, ImGuiKey_3}) {
      d.ui->KeyPress(key);
      d.ui->Yield(2);
    }
    EXPECT_EQ(questions[1].votes, (std::array<uint32_t, 4>{1, 2, 1, 0}));
    EXPECT_EQ(questions[1].mark, lesson::AnswerMark::open) << "votes choose nothing";
    d.screenshot("learn_votes_1920x1080_dark");
    d.shell.actions().push(CountVotes{false});
    d.ui->Yield(2);
    d.ui->KeyPress(ImGuiKey_1);
    d.ui->Yield(3);
    EXPECT_EQ(questions[1].mark, lesson::AnswerMark::wrong);
    d.ui->KeyPress(ImGuiKey_2);
    d.ui->Yield(3);
    EXPECT_EQ(questions[1].mark, lesson::AnswerMark::right);
    EXPECT_TRUE(d.state().lesson.player.steps[2].done);
  });
}

TEST_F(LearnLesson, ASavedLessonIsReadAgainAndItsMistakesAreShown) {
  lesson::Folder folder = example_lesson();
  folder.name = "saved";
  drive([&](Driver& d) {
    open_example(d, folder);
    const std::string file = d.state().lesson.open->folder.path + "/lesson.md";
    d.shell.actions().push(GoToStep{1});
    ASSERT_TRUE(d.wait_for_result());
    std::string text = folder.files["lesson.md"];
    text.replace(text.find("Two threads have no work {#tail}"), 24, "Saved under another name");
    d.let_pass(0.5);  // the file is looked at every 30 ms
    ASSERT_TRUE(write_text(file, text));
    EXPECT_TRUE(
        d.wait_until([&] { return current_step(d.state())->title.text == "Saved under another name"; }, 5));
    EXPECT_EQ(d.state().lesson.player.at, 1u);
    text.replace(text.find("kind: click"), 11, "kind: clack");
    d.let_pass(0.5);  // the file is looked at every 30 ms
    ASSERT_TRUE(write_text(file, text));
    EXPECT_TRUE(d.wait_until([&] { return !d.state().lesson.mistakes.empty(); }, 5));
    EXPECT_TRUE(d.state().lesson.is_open());
    d.screenshot("learn_mistakes_1920x1080_dark");
  });
}

// In a narrow window the inspector is a card in the view.
TEST_F(LearnLesson, WhatIsAskedIsHiddenInTheCardToo) {
  drive(
      [](Driver& d) {
        d.shell.actions().push(SetTextScale{2.5f});
        open_step(d, "who_am_i", "formula");
        const auto card_is_shown = [] {
          const ImGuiWindow* card = ImGui::FindWindowByName("###inspector_card");
          return card != nullptr && card->WasActive;
        };
        d.ui->Yield(10);
        EXPECT_FALSE(card_is_shown());
        do_moves(d, current_step(d.state())->solution);
        EXPECT_TRUE(d.wait_until(card_is_shown, 5));
      },
      small_window());
}

// In the last row of a lecture hall: large text on a small picture.
TEST_F(LearnLesson, LargeTextLeavesRoomForSeveralLines) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(SetTextScale{2.5f});
        const auto shows = [](const char* name) {
          const ImGuiWindow* window = ImGui::FindWindowByName(name);
          return window != nullptr && window->WasActive;
        };
        d.ui->Yield(10);
        d.shell.actions().push(OpenLesson{"who_am_i"});
        d.ui->Yield(10);
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_TRUE(shows("##line")) << "faults must be seen";
        const ImGuiTestItemInfo strip = d.ui->WindowInfo("//###launch/lesson");
        ASSERT_NE(strip.Window, nullptr);
        EXPECT_GE(strip.Window->Size.y, 6 * 2.5f * 20) << "six lines of text at least";
      },
      small_window());
}

// The part of a covered view that says what is known.
bool given() {
  return std::ranges::any_of(ImGui::GetCurrentContext()->Windows, [](const ImGuiWindow* window) {
    return window->WasActive && std::string_view(window->Name).find("/given") != std::string_view::npos;
  });
}

// The answer to the question is covered, and the information for a guess is not.
TEST_F(LearnLesson, ACoveredViewShowsWhatAGuessNeeds) {
  drive([](Driver& d) {
    open_step(d, "occupancy", "not_fastest");
    ASSERT_NE(veiled_because(d.state(), View::occupancy), "");
    EXPECT_TRUE(given());
    const std::vector<std::string> lines = given_to_guess(d.state());
    EXPECT_NE(std::ranges::find(lines, "157 blocks of 64 threads"), lines.end());
    do_moves(d, current_step(d.state())->solution);
    EXPECT_TRUE(d.wait_until([&] { return !given(); }, 5));
    open_step(d, "who_am_i", "formula");
    ASSERT_NE(veiled_because(d.state(), View::inspector), "");
    EXPECT_FALSE(given()) << "the source has the formula that is asked for";
  });
}

TEST_F(LearnLesson, ABrokenLessonSaysWhere) {
  lesson::Folder folder = example_lesson();
  folder.name = "broken";
  std::string& text = folder.files["lesson.md"];
  text.replace(text.find("kernel: index_map_1d"), 20, "kernel: index_map_9d");
  drive([&](Driver& d) {
    open_example(d, folder);
    EXPECT_FALSE(d.state().lesson.is_open());
    ASSERT_FALSE(d.state().lesson.mistakes.empty());
    EXPECT_EQ(d.state().lesson.mistakes.front().line, 12u);
    d.screenshot("learn_broken_1920x1080_dark");
    d.ui->ItemClick("//###launch/Close");
    d.ui->Yield(3);
    EXPECT_TRUE(d.state().lesson.mistakes.empty());
  });
}

TEST_F(LearnLesson, ProgressIsKeptAndForgottenInOneClick) {
  const auto config =
      std::filesystem::temp_directory_path() / ("warplens_learn_config_" + std::to_string(::getpid()));
  std::filesystem::remove_all(config);
  drive(
      [&](Driver& d) {
        open_example(d);
        d.shell.actions().push(Pin{{Dim3{1, 0, 0}, Dim3{1, 0, 0}, std::nullopt, 0}});
        EXPECT_TRUE(d.wait_until([&] { return d.state().lesson.player.steps[0].done; }, 5));
      },
      {}, make_worker_calls(), config);
  EXPECT_EQ(load_progress(config).lessons.at("example").count("point"), 1u);
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_EQ(d.state().progress.lessons.at("example").size(), 1u);
        d.ui->KeyPress(ImGuiKey_F2);
        d.ui->Yield(4);
        d.screenshot("learn_dialog_1920x1080_dark");
        d.ui->ItemClick("**/Forget my progress");
        d.ui->Yield(4);
        EXPECT_TRUE(d.state().progress.empty());
        EXPECT_FALSE(std::filesystem::exists(config / "progress.json"));
      },
      {}, make_worker_calls(), config);
  EXPECT_FALSE(std::filesystem::exists(config / "progress.json"));
  std::filesystem::remove_all(config);
}

}  // namespace THIS_FILE
}  // namespace warplens
