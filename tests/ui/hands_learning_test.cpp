// A lesson and two challenges, played whole with real keys and clicks, with a wrong answer first everywhere.
#include <fmt/format.h>
#include <imgui_internal.h>

#include "app/state/parts/judged_answer.h"
#include "core/lesson/play/answers.h"
#include "tests/app/lesson_moves.h"
#include "tests/ui/hands.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

class HandsLearning : public WindowTest {};

const lesson::StepProgress& progress(Driver& d) {
  return d.state().lesson.player.steps.at(d.state().lesson.player.at);
}

// The middle of an item of the strip, which is scrolled to it as a wheel does.
ImVec2 in_sight(Driver& d, const std::string& item) {
  in_strip(d);
  d.ui->ScrollToItemY(item.c_str());
  d.ui->Yield(2);
  const ImGuiTestItemInfo info = d.ui->ItemInfo(item.c_str());
  EXPECT_NE(info.ID, 0u) << item;
  return info.RectClipped.GetCenter();
}

void type_into(Driver& d, Hands& hands, const std::string& item, const std::string& text) {
  hands.click(in_sight(d, item));
  hands.press({"ctrl+a"});
  hands.type(text);
  hands.press({"Return"});
}

void edit_line(Hands& hands, uint32_t line, const std::string& text) {
  hands.click_editor();
  hands.press({"ctrl+Home"});
  for (uint32_t i = 1; i < line; ++i) hands.press({"Down"});
  hands.press({"Home", "shift+End"});
  hands.type(text);
}

void answer(Driver& d, Hands& hands, size_t question, const std::string& text) {
  const lesson::Question asked = current_step(d.state())->questions.at(question);
  const auto parsed = lesson::answer_in(text, asked);
  ASSERT_TRUE(parsed) << parsed.error().message;
  const std::string base = fmt::format("$${}/", question);
  if (const auto* number = std::get_if<lesson::NumberAnswer>(&*parsed)) {
    type_into(d, hands, base + "##number", fmt::format("{}", number->value));
  } else if (const auto* choice = std::get_if<lesson::ChoiceAnswer>(&*parsed)) {
    hands.press({"Escape"});  // from a field, if one has the keyboard
    hands.press({std::to_string(choice->letter + 1)});
  } else if (const auto* formula = std::get_if<lesson::FormulaAnswer>(&*parsed)) {
    for (size_t box = 0; box < formula->boxes.size(); ++box) {
      const auto tile = std::ranges::find(asked.tiles, formula->boxes[box]) - asked.tiles.begin();
      hands.click(in_sight(d, base + fmt::format("###box_{}", box)));
      hands.click(in_sight(d, base + fmt::format("###tile_{}", tile)));
    }
    if (!progress(d).questions.at(question).settled()) hands.click(in_sight(d, base + "###give"));
  } else {
    type_into(d, hands, base + "##click", text);
  }
}

// The numbered square of a thread, which is looked for from left to right as it is drawn.
bool click_thread(Driver& d, Hands& hands, const lesson::Target& thread) {
  const auto is_pinned = [&] {
    const Pick& pinned = d.state().selection.pinned;
    return pinned.block == thread.block && pinned.thread == thread.thread;
  };
  for (const char* item : {"//###grid/##block", "//###grid/##map"}) {
    if (!d.ui->ItemExists(item)) continue;
    const ImRect box = d.ui->ItemInfo(item).RectClipped;
    constexpr int columns = 24, rows = 8;
    for (int y = 0; y < rows && !is_pinned(); ++y)
      for (int x = 0; x < columns && !is_pinned(); ++x) {
        hands.click({box.Min.x + box.GetWidth() * (static_cast<float>(x) + 0.5f) / columns,
                     box.Min.y + box.GetHeight() * (static_cast<float>(y) + 0.5f) / rows});
        d.ui->Yield(2);
      }
  }
  return is_pinned();
}

// A file of the student's own, by the list of files.
void open_picture(Driver& d, Hands& hands, const std::string& path) {
  hands.press({"ctrl+o"});
  d.ui->Yield(4);
  ASSERT_TRUE(d.wait_for_work());
  hands.type(path);
  d.ui->Yield(2);
  hands.type("\n");
  ASSERT_TRUE(d.wait_until([&] { return d.state().setup.launch.image_path == path; }, 10)) << path;
}

// What has a field, a square or a file is done with them; the rest, as another view, is left.
lesson::Show done_by_hand(Driver& d, Hands& hands, lesson::Show changes) {
  for (const auto& [line, text] : changes.edits) edit_line(hands, line, text);
  changes.edits.clear();
  if (changes.grid && changes.grid->y == 1 && changes.grid->z == 1) {
    hands.click(in_sight(d, "**/##number_grid_x"));
    hands.press({"ctrl+a"});
    hands.type(std::to_string(changes.grid->x) + "\n");
    EXPECT_TRUE(d.wait_until([&] { return d.state().setup.launch.grid.x == changes.grid->x; }, 5));
    changes.grid.reset();
  }
  if (changes.image && d.state().lesson.open->folder.files.contains(*changes.image)) {
    open_picture(
        d, hands,
        (test_files::source_dir() / "assets/lessons" / d.state().lesson.open->folder.name / *changes.image)
            .string());
    changes.image.reset();
  }
  if (changes.pins && changes.pins->size() == 1 &&
      changes.pins->front().kind == lesson::Target::Kind::thread) {
    EXPECT_TRUE(click_thread(d, hands, changes.pins->front()));
    changes.pins.reset();
  }
  return changes;
}

// What has neither (a block's frame, a sample of the program, another view) is done as the window does it.
void do_moves(Driver& d, Hands& hands, const lesson::Moves& moves) {
  const lesson::Show rest = done_by_hand(d, hands, moves.changes);
  for (const Action& action : lesson_moves::setup_actions(d.state(), rest)) d.shell.actions().push(action);
  ASSERT_TRUE(d.wait_for_result());
  for (const Action& action : lesson_moves::look_actions(d.state(), rest)) d.shell.actions().push(action);
  if (!moves.changes.edits.empty()) {  // it runs by itself
    EXPECT_TRUE(d.wait_until([&] { return d.state().code.compiled == d.state().code.text; }, 20));
  }
  ASSERT_TRUE(d.wait_for_result());
  for (size_t i = 0; i < moves.answers.size(); ++i) {
    if (i > 0 && !progress(d).questions.at(i - 1).settled()) return;
    answer(d, hands, i, moves.answers[i].text);
    ASSERT_TRUE(d.wait_for_result());
  }
}

TEST_F(HandsLearning, TheFirstLessonIsPlayedWithKeysAndClicks) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        Hands hands(d);
        hands.press({"F2"});
        hands.press({"Return"});  // the lit card is the first lesson
        ASSERT_TRUE(d.wait_until([&] { return d.state().lesson.is_open(); }, 5));
        EXPECT_EQ(d.state().lesson.open->folder.name, "who_am_i");
        const size_t count = d.state().lesson.player.steps.size();
        for (size_t at = 0; at < count; ++at) {
          ASSERT_TRUE(d.wait_for_result());
          ASSERT_EQ(d.state().lesson.player.at, at);
          const lesson::LessonStep step = *current_step(d.state());
          SCOPED_TRACE(step.id);
          do_moves(d, hands, step.wrong);
          EXPECT_FALSE(d.state().frame.blank || d.state().lesson.notes || progress(d).revealed);
          hands.click(hands.middle_of("//###launch/###reset"));
          ASSERT_TRUE(d.wait_for_result());
          do_moves(d, hands, step.solution);
          EXPECT_TRUE(d.wait_until([&] { return progress(d).done; }, 10))
              << "answered rightly: " << (progress(d).missing.empty() ? "" : progress(d).missing.front())
              << "\n"
              << d.state().code.text;
          hands.press({"Page_Down"});
        }
        EXPECT_EQ(d.state().progress.lessons.at("who_am_i").size(), count);
      },
      small_window());
}

// As a person does: a wrong number, Enter, the right one, Enter, the next answer, without a click between
// them.
// Two questions for numbers, in the window or in front of a class.
void open_eye(Driver& d) {
  ASSERT_TRUE(d.wait_for_result());
  d.shell.actions().push(OpenLesson{"who_am_i"});
  ASSERT_TRUE(d.wait_until([&] { return d.state().lesson.is_open(); }, 5));
  const auto& steps = d.state().lesson.open->lesson.steps;
  const auto eye = std::ranges::find(steps, "eye", &lesson::LessonStep::id);
  ASSERT_NE(eye, steps.end());
  d.shell.actions().push(GoToStep{static_cast<size_t>(eye - steps.begin())});
  ASSERT_TRUE(d.wait_until([&] { return current_step(d.state())->id == "eye"; }, 5));
  ASSERT_TRUE(d.wait_for_result());
}

bool becomes(Driver& d, size_t question, lesson::AnswerMark mark) {
  return d.wait_until([&] { return progress(d).questions.at(question).mark == mark; }, 5);
}

TEST_F(HandsLearning, NumbersAreTypedOverAWrongOneAndIntoTheNextQuestion) {
  drive(
      [](Driver& d) {
        ASSERT_NO_FATAL_FAILURE(open_eye(d));
        const uint32_t width = d.state().setup.launch.block.x;
        Hands hands(d);
        type_into(d, hands, "$$0/##number", "7");
        ASSERT_TRUE(becomes(d, 0, lesson::AnswerMark::wrong));
        d.ui->Yield(10);
        hands.type(fmt::format("{}\n", 173 / width));
        EXPECT_TRUE(becomes(d, 0, lesson::AnswerMark::right));
        hands.type(fmt::format("{}\n", 173 % width));
        EXPECT_TRUE(becomes(d, 1, lesson::AnswerMark::right));
      },
      small_window());
}

// The field does not keep the keyboard there, since B and H are the teacher's keys; digits go into it all the
// same.
TEST_F(HandsLearning, DigitsBeginAnAnswerInFrontOfAClassWithoutAClick) {
  drive(
      [](Driver& d) {
        ASSERT_NO_FATAL_FAILURE(open_eye(d));
        d.shell.actions().push(Present{true});
        ASSERT_TRUE(d.wait_until([&] { return d.state().frame.present; }, 5));
        const uint32_t width = d.state().setup.launch.block.x;
        Hands hands(d);
        d.ui->Yield(10);
        hands.type("123\n", 40);
        ASSERT_TRUE(becomes(d, 0, lesson::AnswerMark::wrong));
        EXPECT_EQ(progress(d).questions.at(0).typed, std::vector<std::string>{"123"});
        hands.type("h", 40);
        EXPECT_EQ(d.state().lesson.player.steps.at(d.state().lesson.player.at).hints, 1u);
        hands.type(fmt::format("{}\n", 173 / width), 40);
        EXPECT_TRUE(becomes(d, 0, lesson::AnswerMark::right));
        hands.type(fmt::format("{}\n", 173 % width), 40);
        EXPECT_TRUE(becomes(d, 1, lesson::AnswerMark::right));
      },
      small_window());
}

// What is said of an answer stands above its field: a second click at the same place hits it again. What was
// typed is kept as it stands there.
TEST_F(HandsLearning, TheFieldStaysWhereItIsWhateverIsSaidOfTheAnswer) {
  drive(
      [](Driver& d) {
        for (const auto& [step, item, wrong] : {std::tuple{"eye", "$$0/##number", "7\n"},
                                                {"eye", "$$0/##number", "seven b\n"},
                                                {"same_number", "$$0/##click", "there\n"}}) {
          SCOPED_TRACE(wrong);
          open_step(d, "who_am_i", step);
          Hands hands(d);
          const ImVec2 field = in_sight(d, item);
          hands.click(field);
          hands.type(wrong);
          d.ui->Yield(10);
          EXPECT_EQ(in_sight(d, item).y, field.y);
          hands.press({"Escape"});
          hands.click(field);
          hands.press({"ctrl+a"});
          hands.type("b");
          d.ui->Yield(10);
          EXPECT_EQ(in_sight(d, item).y, field.y);
          EXPECT_FALSE(d.state().frame.blank);
          EXPECT_EQ(progress(d).questions.at(0).typed, std::vector<std::string>{"b"});
          hands.press({"Escape"});
        }
      },
      small_window());
}

void judge(Driver& d, Hands& hands) {
  const auto before = d.state().challenge.judged;
  hands.click(hands.middle_of("//###launch/###judge"));
  ASSERT_TRUE(d.wait_until(
      [&] {
        const ChallengeState& own = d.state().challenge;
        return own.judged && own.judged != before && own.judged->judged && !own.judging;
      },
      120));
  ASSERT_TRUE(d.wait_for_result());
}

TEST_F(HandsLearning, TwoChallengesAreSolvedWithKeysAndClicks) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        Hands hands(d);
        for (const char* name : {"bounds_check", "grid_stride"}) {
          SCOPED_TRACE(name);
          d.shell.actions().push(OpenChallenge{name});
          ASSERT_TRUE(d.wait_until([&] { return d.state().challenge.judged != nullptr; }, 60));
          ASSERT_TRUE(d.wait_for_result());
          judge(d, hands);
          EXPECT_FALSE(d.state().challenge.judged->judged->right()) << "the starter";
          const auto& folder = d.state().challenge.open->folder;
          const std::string note = d.state().code.text.substr(0, d.state().code.text.find('\n') + 1);
          hands.click_editor();
          hands.press({"ctrl+a", "Delete"});
          hands.type((note.starts_with("// warplens:") ? note : "") + folder.files.at("right.cu"), 4);
          judge(d, hands);
          const lesson::Judged& judged = *d.state().challenge.judged->judged;
          EXPECT_TRUE(judged.right()) << judged.message << d.state().code.text;
          ASSERT_NE(d.state().runs.result, nullptr);
          EXPECT_EQ(d.state().code.text, d.state().code.compiled)
              << "what is shown is the run of what was judged";
          EXPECT_NE(d.state().runs.result->status, RunStatus::fault);
          EXPECT_EQ(letters_in_sight(d).find("kernelfaulted"), std::string::npos)
              << "no fault of an earlier answer beside the verdict";
          Driver::keep(d.picture(), std::string("hands_") + name);
        }
        EXPECT_TRUE(d.ui->ItemExists("//###launch/**/###next_challenge")) << "the next one is offered";
      },
      small_window());
}

}  // namespace THIS_FILE
}  // namespace warplens
