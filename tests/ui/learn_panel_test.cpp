// The panel of a lesson while one answers: nothing moves, nothing is covered, nothing is told too early.
#include <imgui_internal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/base/language.h"
#include "app/widgets/look.h"
#include "core/lesson/play/answers.h"
#include "tests/ui/drawn_texts.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

class LearnPanel : public WindowTest {
 protected:
  ~LearnPanel() override { speak(""); }
};

const lesson::QuestionProgress& question(Driver& d, size_t index) {
  return d.state().lesson.player.progress().questions.at(index);
}

ImRect place_of(Driver& d, const std::string& path) { return d.ui->ItemInfo(path.c_str()).RectFull; }

// The texts of a window that begins with this name.
std::vector<std::string> texts_in(Driver& d, const std::string& name) {
  std::vector<std::string> words;
  d.after_frame = [&] {
    for (const DrawnText& text : drawn_texts())
      if (text.window != nullptr &&
          std::string_view(text.window->RootWindow->Name).find(name) != std::string_view::npos)
        words.push_back(text.words);
  };
  d.ui->Yield(2);
  return words;
}

bool has(const std::vector<std::string>& texts, const std::string& words) {
  return std::ranges::any_of(texts,
                             [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

void answer_first(Driver& d) {
  lesson::Target thread;
  thread.kind = lesson::Target::Kind::thread;
  thread.block = {1, 0, 0};
  thread.thread = {2, 0, 0};
  d.shell.actions().push(ClickAnswer{thread});
  ASSERT_TRUE(d.wait_until([&] { return question(d, 0).settled(); }, 5));
}

TEST_F(LearnPanel, IsWideAndItsButtonsAreOneRow) {
  drive([](Driver& d) {
    open_step(d, "who_am_i", "same_number");
    for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{1280, 720}}) {
      d.resize(width, height);
      const ImGuiWindow* panel = ImGui::FindWindowByName("###launch");
      ASSERT_NE(panel, nullptr);
      EXPECT_NEAR(panel->Size.x, 380, 4) << width;
      const float row = place_of(d, "//###launch/###back").Min.y;
      for (const char* button : {"###hint", "###reset", "###next"})
        EXPECT_EQ(place_of(d, std::string("//###launch/") + button).Min.y, row) << button;
    }
    d.shell.actions().push(CloseLesson{});
    d.ui->Yield(8);
    EXPECT_LT(ImGui::FindWindowByName("###launch")->Size.x, 340) << "and is narrower afterwards";
  });
}

TEST_F(LearnPanel, ChoicesStayWhereTheyAreWhenTheAnswerIsWrong) {
  drive(
      [](Driver& d) {
        open_step(d, "who_am_i", "same_number");
        answer_first(d);
        d.let_pass(0.6);
        d.ui->Yield(12);
        in_strip(d);
        std::vector<ImRect> before;
        for (const char* choice : {"A", "B", "C"})
          before.push_back(place_of(d, std::string("$$1/##choice_") + choice));
        d.ui->ItemClick("$$1/##choice_C");
        d.ui->Yield(12);
        ASSERT_EQ(question(d, 1).mark, lesson::AnswerMark::wrong);
        size_t i = 0;
        for (const char* choice : {"A", "B", "C"}) {
          const ImRect now = place_of(d, std::string("$$1/##choice_") + choice);
          EXPECT_NEAR(now.Min.y, before[i].Min.y, 1) << choice;
          EXPECT_NEAR(now.Max.y, before[i].Max.y, 1) << choice;
          ++i;
        }
        EXPECT_TRUE(has(texts_in(d, "launch"), "Not right"));
      },
      small_window());
}

// The second click of a double click must not answer the question that has just come.
TEST_F(LearnPanel, AChoiceIsNotTakenAtOnce) {
  drive(
      [](Driver& d) {
        open_step(d, "who_am_i", "same_number");
        ImGuiTestEngine_GetIO(d.ui->Engine).ConfigFixedDeltaTime = 1.0f / 1000;
        answer_first(d);
        in_strip(d);
        d.ui->ItemClick("$$1/##choice_C");
        EXPECT_EQ(question(d, 1).mark, lesson::AnswerMark::open);
        ImGuiTestEngine_GetIO(d.ui->Engine).ConfigFixedDeltaTime = 1.0f / 20;
        d.ui->Yield(10);
        d.ui->ItemClick("$$1/##choice_C");
        d.ui->Yield(3);
        EXPECT_EQ(question(d, 1).mark, lesson::AnswerMark::wrong);
      },
      small_window());
}

TEST_F(LearnPanel, ATipDoesNotCoverWhatCameOfAClick) {
  drive(
      [](Driver& d) {
        open_step(d, "who_am_i", "same_number");
        const auto tip = [] {
          const ImGuiWindow* window = ImGui::FindWindowByName("##Tooltip_00");
          return window != nullptr && window->WasActive && !window->Hidden;
        };
        const ImVec2 thread = place_of(d, "//###grid/thread_at:6").GetCenter();
        d.ui->MouseMoveToPos(thread);
        d.ui->Yield(20);
        EXPECT_TRUE(tip()) << "it names the thread that is pointed at";
        d.ui->MouseClick();
        d.ui->Yield(20);
        EXPECT_FALSE(tip());
        d.ui->MouseMoveToPos({thread.x + 120, thread.y});
        d.ui->Yield(20);
        EXPECT_TRUE(tip()) << "elsewhere it comes again";
      },
      small_window());
}

// A line is asked for after the choice: to read the code, one clicks into it.
TEST_F(LearnPanel, AClickAnswersNoQuestionThatIsYetToCome) {
  drive(
      [](Driver& d) {
        open_step(d, "who_am_i", "fault");
        Pick line;
        line.line = 4;
        d.shell.actions().push(Pin{line});
        d.ui->Yield(6);
        EXPECT_EQ(d.state().lesson.player.progress().tries, 0u);
        EXPECT_TRUE(d.ui->WindowInfo("//###launch/question").ID != 0);
        in_strip(d);
        EXPECT_TRUE(d.ui->ItemExists("$$0/##choice_A"));
      },
      small_window());
}

TEST_F(LearnPanel, TheFieldKeepsTheKeyboardAfterAWrongEnter) {
  drive(
      [](Driver& d) {
        open_step(d, "who_am_i", "too_few");
        in_strip(d);
        d.ui->ItemInput("$$0/##click");
        d.ui->KeyCharsReplaceEnter("no element");
        d.ui->Yield(4);
        EXPECT_EQ(question(d, 0).mark, lesson::AnswerMark::open);
        EXPECT_TRUE(ImGui::GetIO().WantTextInput);
        d.ui->KeyCharsReplaceEnter("element 8; element 9");
        d.ui->Yield(4);
        EXPECT_EQ(question(d, 0).mark, lesson::AnswerMark::right);
      },
      small_window());
}

// Which elements were not written is asked: hatching, colours and the words below would say it.
TEST_F(LearnPanel, AHiddenResultIsAPictureOfItsCells) {
  drive(
      [](Driver& d) {
        open_step(d, "who_am_i", "too_few");
        std::vector<std::string> texts = texts_in(d, "image");
        EXPECT_TRUE(has(texts, "[8]"));
        EXPECT_FALSE(has(texts, "no thread wrote"));
        const ImGuiTestItemInfo part = d.ui->WindowInfo("//###image/masked");
        ASSERT_NE(part.ID, 0u);
        d.ui->SetRef(part.ID);
        const ImRect cells = d.ui->ItemInfo("##picture").RectFull;
        for (const float element : {8.0f, 9.0f}) {
          d.ui->MouseMoveToPos({cells.Min.x + cells.GetWidth() * (element + 0.5f) / 10, cells.GetCenter().y});
          d.ui->Yield(2);
          d.ui->MouseClick();
          d.ui->Yield(12);
        }
        EXPECT_EQ(question(d, 0).mark, lesson::AnswerMark::right);
        ASSERT_TRUE(d.wait_until([&] { return has(texts_in(d, "image"), "no thread wrote"); }, 5));
        d.screenshot("learn_masked_told");
      },
      small_window());
}

// Which threads have no work is asked: the block that has them shows it only with the answer.
TEST_F(LearnPanel, ThreadsWithoutWorkLookLikeTheOthersUntilTheyAreFound) {
  drive(
      [](Driver& d) {
        open_step(d, "who_am_i", "tail");
        d.shell.actions().push(Pin{{Dim3{2, 0, 0}, std::nullopt, std::nullopt, 0}});
        ASSERT_TRUE(d.wait_until([&] { return d.state().footprint.replayed != nullptr; }));
        d.ui->Yield(6);
        const auto tells = [&] {
          const std::vector<std::string> texts = texts_in(d, "grid");
          return has(texts, "wrote nothing") || has(texts, "out of range");
        };
        EXPECT_FALSE(tells());
        EXPECT_FALSE(has(texts_in(d, "grid"), "loop passes")) << "what each thread did";
        const std::vector<lesson::Placed> answers = current_step(d.state())->solution.answers;
        for (size_t i = 0; i < answers.size(); ++i) {
          const auto parsed = lesson::answer_in(answers[i].text, current_step(d.state())->questions[i]);
          if (const auto* clicks = std::get_if<lesson::ClickAnswer>(&*parsed)) {
            for (const lesson::Target& target : clicks->clicked) d.shell.actions().push(ClickAnswer{target});
          } else {
            d.shell.actions().push(SetAnswer{i, *parsed});
            d.shell.actions().push(GiveAnswer{i});
          }
          d.ui->Yield(4);
        }
        EXPECT_TRUE(d.wait_until(tells, 5));
      },
      {});
}

// A click on the picture of the input answers a question about the input, and leaves its mark.
TEST_F(LearnPanel, WhatWasFoundInAPictureIsMarked) {
  drive(
      [](Driver& d) {
        open_step(d, "neighbours", "who");
        EXPECT_FALSE(has(texts_in(d, "image"), "✓"));
        const auto& buffers = d.state().runs.result->request->buffers;
        const auto mean = std::ranges::find(buffers, "mean", &BufferSpec::name);
        ASSERT_NE(mean, buffers.end());
        Pick pick;
        pick.element = ElementPick{static_cast<uint32_t>(mean - buffers.begin()), 28};
        d.shell.actions().push(Pin{pick});
        d.ui->Yield(6);
        const auto* clicks = std::get_if<lesson::ClickAnswer>(&question(d, 0).answer);
        ASSERT_NE(clicks, nullptr);
        ASSERT_EQ(clicks->clicked.size(), 1u);
        EXPECT_EQ(clicks->clicked[0].array, "in");
        EXPECT_TRUE(has(texts_in(d, "launch"), "in[28]"));
        d.screenshot("learn_found_in_picture");
      },
      {});
}

TEST_F(LearnPanel, TheWelcomeIsOneRow) {
  const auto config =
      std::filesystem::temp_directory_path() / ("warplens_welcome_" + std::to_string(::getpid()));
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        const ImGuiWindow* card = ImGui::FindWindowByName("##welcome");
        ASSERT_TRUE(card != nullptr && card->WasActive);
        EXPECT_LT(card->Rect().GetArea(), 0.03f * 1280 * 720);
        d.screenshot("welcome_1280x720");
      },
      small_window(), make_worker_calls(), config);
  std::filesystem::remove_all(config);
}

// In a challenge the judge is the next thing to do, and the run is not.
TEST_F(LearnPanel, OneButtonIsTheNextOne) {
  drive(
      [](Driver& d) {
        const auto ground = [&](const char* button) {
          const ImRect box = place_of(d, button);
          const Image picture = d.picture();
          const auto x = static_cast<size_t>(box.Max.x - 5), y = static_cast<size_t>(box.GetCenter().y);
          const uint8_t* pixel = &picture.pixels[(y * picture.width + x) * picture.channels];
          return uint32_t{pixel[0]} << 16 | uint32_t{pixel[1]} << 8 | pixel[2];
        };
        ASSERT_TRUE(d.wait_for_result());
        d.ui->MouseMoveToPos({640, 400});
        const uint32_t action = look().palette.action;
        EXPECT_EQ(ground("//##top/###run"), action);
        d.shell.actions().push(OpenChallenge{"bounds_check"});
        ASSERT_TRUE(d.wait_until([&] { return d.state().challenge.judged != nullptr; }, 60));
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_NE(ground("//##top/###run"), action);
        EXPECT_EQ(ground("//###launch/###judge"), action);
        d.shell.actions().push(EditSource{d.state().challenge.open->folder.files.at("right.cu")});
        d.shell.actions().push(JudgeAnswer{});
        ASSERT_TRUE(d.wait_until([&] { return d.state().challenge.judging; }, 5));
        ASSERT_TRUE(d.wait_until([&] { return !d.state().challenge.judging; }, 60));
        d.ui->Yield(4);
        EXPECT_NE(ground("//###launch/###judge"), action) << "the next challenge is offered";
      },
      small_window());
}

TEST_F(LearnPanel, TheTabInFrontIsBrighterThanTheOthers) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(ShowView{View::grid});
        d.ui->Yield(8);
        const auto ink = [](const char* name) {
          return ImGui::FindWindowByName(name)->DockStyle.Colors[ImGuiWindowDockStyleCol_Text];
        };
        EXPECT_EQ(ink("###grid"), colour(look().palette.text));
        EXPECT_EQ(ink("###memory"), colour(look().palette.quiet));
        EXPECT_GT(ImGui::GetStyle().TabBarOverlineSize, 2);
      },
      small_window());
}

TEST_F(LearnPanel, NamesOnPicturesAreGermanToo) {
  WindowOptions options = small_window();
  options.language = "de";
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        const std::vector<std::string> texts = texts_in(d, "image");
        EXPECT_TRUE(has(texts, "Ergebnis"));
        EXPECT_FALSE(has(texts, "result"));
      },
      options);
}

TEST_F(LearnPanel, AClassIsOpenedByItsFolder) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("warplens_class_of_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "group");
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(ShowDialog{Dialog::open_class});
        d.ui->Yield(4);
        d.ui->KeyChars(folder.string().c_str());
        d.ui->KeyPress(ImGuiKey_Enter);
        d.ui->Yield(6);
        d.ui->ItemClick("//$FOCUSED/###this_folder");
        d.ui->Yield(4);
        EXPECT_EQ(d.state().classroom.folder, folder.string());
      },
      small_window());
  std::filesystem::remove_all(folder);
}

}  // namespace THIS_FILE
}  // namespace warplens
