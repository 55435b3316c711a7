// What a teacher has in front of a class: hidden votes, a clock and a timer, larger text; and what a student
// reads of a wrong answer.
#include <unistd.h>

#include <filesystem>

#include "tests/ui/hands.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

class ClassTools : public WindowTest {};

// The whole letters of a sentence, as letters_in_sight() has them.
bool is_seen(Driver& d, const char* words) {
  return letters_in_sight(d).find(letters_of(words)) != std::string::npos;
}

TEST_F(ClassTools, VotesStayHiddenUntilTheyAreShown) {
  drive([](Driver& d) {
    open_step(d, "who_am_i", "fault");
    d.shell.actions().push(Present{true});
    d.shell.actions().push(CountVotes{true});
    d.ui->Yield(6);
    for (const ImGuiKey key : {ImGuiKey_1, ImGuiKey_2, ImGuiKey_2, ImGuiKey_2}) {
      d.ui->KeyPress(key);
      d.ui->Yield(2);
    }
    EXPECT_EQ(d.state().lesson.player.progress().questions[0].votes, (std::array<uint32_t, 4>{1, 3, 0, 0}));
    EXPECT_TRUE(is_seen(d, "4 votes, hidden"));
    d.screenshots("class_votes_hidden");
    d.ui->KeyPress(ImGuiKey_V);
    d.ui->Yield(4);
    EXPECT_TRUE(d.state().lesson.shows_votes);
    EXPECT_FALSE(is_seen(d, "4 votes, hidden"));
    d.screenshots("class_votes_shown");
    in_strip(d);
    d.ui->ItemClick("$$0/###show_votes");
    d.ui->Yield(4);
    EXPECT_FALSE(d.state().lesson.shows_votes);
    EXPECT_TRUE(is_seen(d, "4 votes, hidden"));
  });
}

TEST_F(ClassTools, AnswersOfTheFollowedClassStayHiddenUntilTheyAreShown) {
  drive([](Driver& d) {
    ClassNews news{.name = "GPU 101", .students = 24, .lesson = "who_am_i", .step = "blocks"};
    const auto tell = [&] {
      d.shell.actions().push(ClassTold{std::make_shared<const ClassNews>(news), ""});
      d.ui->Yield(4);
      d.wait_until([&] { return d.shell.settled(); });
      d.ui->Yield(4);
    };
    d.shell.actions().push(Present{true});
    tell();
    EXPECT_EQ(current_step(d.state())->id, "blocks");
    news.answers["who_am_i/blocks/1"] = {
        {"right", true, 11}, {"25 blocks", false, 6}, {"a long answer " + std::string(80, 'x'), false, 1}};
    tell();
    EXPECT_TRUE(is_seen(d, "18 answers of the class, hidden"));
    EXPECT_FALSE(is_seen(d, "25 blocks"));
    d.screenshots("class_answers_hidden");
    d.ui->KeyPress(ImGuiKey_V);
    d.ui->Yield(4);
    EXPECT_TRUE(is_seen(d, "25 blocks"));
    d.screenshots("class_answers_shown");
    // Once the question is answered they are shown too.
    d.ui->KeyPress(ImGuiKey_V);
    news.reveal = true;
    tell();
    EXPECT_TRUE(is_seen(d, "25 blocks"));
    d.screenshots("class_answers_revealed");
  });
}

TEST_F(ClassTools, TheNotesHaveAClockATimerAndTheNextStep) {
  drive([](Driver& d) {
    open_step(d, "who_am_i", "tail");
    d.shell.actions().push(Present{true});
    d.ui->Yield(6);
    d.ui->KeyPress(ImGuiKey_N);
    ASSERT_TRUE(d.wait_until([&] { return d.shell.teacher_window() != nullptr; }, 5));
    ASSERT_TRUE(d.wait_until([&] { return !d.shell.teacher_notes().notes.empty(); }));
    const double since = d.state().frame.presenting_since_s;
    d.let_pass(1.2);
    EXPECT_GT(d.state().frame.now_s - since, 1);
    d.ui->Yield(6);
    Driver::keep(d.shell.teacher_window()->picture(), "teacher_window_times");
    for (int tab = 0; tab < 6; ++tab) {  // past Back, Next, Hint, Reveal and Blank
      d.shell.teacher_window()->press(ImGuiKey_Tab);
      d.ui->Yield(3);
    }
    d.shell.teacher_window()->press(ImGuiKey_Space);
    EXPECT_TRUE(d.wait_until([&] { return d.state().frame.presenting_since_s > since; }, 5))
        << "the button sets the timer back";
  });
}

TEST_F(ClassTools, AWrongClickIsNamedAndMarked) {
  drive([](Driver& d) {
    open_step(d, "who_am_i", "tail");
    lesson::Target wrong;
    wrong.kind = lesson::Target::Kind::thread;
    d.shell.actions().push(ClickAnswer{wrong});
    d.ui->Yield(6);
    ASSERT_EQ(d.state().lesson.player.progress().questions[0].mark, lesson::AnswerMark::wrong);
    EXPECT_TRUE(is_seen(d, "Not right: block 0, thread 0"));
    d.screenshots("class_wrong_click");
    d.ui->KeyPress(ImGuiKey_F11);
    d.ui->Yield(6);
    d.screenshots("class_wrong_click_present");
  });
}

TEST_F(ClassTools, LargerTextIsOfferedAtTheFirstStartOnALargeScreen) {
  const auto config =
      std::filesystem::temp_directory_path() / ("warplens_text_" + std::to_string(::getpid()));
  std::filesystem::remove_all(config);
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        ASSERT_TRUE(d.state().frame.welcome);
        EXPECT_FLOAT_EQ(d.state().frame.preferences.text_scale, 1) << "nothing changes by itself";
        EXPECT_FLOAT_EQ(d.state().frame.proposed_text_scale, 2)
            << "the screen of these tests has 3840 pixels";
        d.screenshot("welcome_text_1920x1080");
        d.resize(1280, 720);
        d.screenshot("welcome_text_1280x720");
        d.ui->ItemClick("//##welcome/###text_size");
        d.ui->Yield(6);
        EXPECT_FLOAT_EQ(d.state().frame.preferences.text_scale, 2);
        EXPECT_TRUE(d.state().frame.welcome) << "the first lesson is still offered";
        EXPECT_FLOAT_EQ(d.state().frame.proposed_text_scale, 0);
      },
      {}, make_worker_calls(), config);
  drive(
      [](Driver& d) {
        d.ui->Yield(3);
        EXPECT_FLOAT_EQ(d.state().frame.preferences.text_scale, 2) << "it was chosen";
        EXPECT_FLOAT_EQ(d.state().frame.proposed_text_scale, 0);
      },
      {}, make_worker_calls(), config);
  std::filesystem::remove_all(config);
}

}  // namespace THIS_FILE
}  // namespace warplens
