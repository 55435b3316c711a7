// A lesson and a challenge with programs: played by clicks and keys, and looked at in every layout.
#include <fmt/format.h>
#include <imgui_internal.h>

#include "app/state/parts/judged_answer.h"
#include "app/user_program/environment.h"
#include "app/user_program/program_compiler.h"
#include "tests/app/lesson_moves.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

class LearnProgram : public WindowTest {
 protected:
  void SetUp() override {
    if (!program_run::find_driver()) GTEST_SKIP() << "this build has no driver";
    if (!nvcc::find_program_compiler()) GTEST_SKIP() << "no compiler for programs";
  }
  static const ProgramRun& run(Driver& d) { return d.state().program.run; }
  static const lesson::StepProgress& answers(Driver& d) {
    return d.state().lesson.player.steps.at(d.state().lesson.player.at);
  }
  static bool ended(Driver& d, uint64_t before) {
    return d.wait_until([&] { return run(d).serial > before && !run(d).is_busy(); }, 60);
  }
};

TEST_F(LearnProgram, TheLessonIsPlayedWronglyAndRightly) {
  drive([&](Driver& d) {
    open_step(d, "two_things_at_once", "one_after_the_other");
    play_to_the_end(d);
    EXPECT_FALSE(run(d).given) << "the last step has a kernel";
  });
}

TEST_F(LearnProgram, NothingRunsBeforeAGuessAndNothingTypedIsLost) {
  drive([&](Driver& d) {
    open_step(d, "two_things_at_once", "asynchronous");
    ASSERT_EQ(d.state().frame.view, View::program);
    EXPECT_FALSE(run(d).has_run) << "nothing runs by itself";
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    d.ui->Yield(4);
    EXPECT_FALSE(run(d).has_run);
    EXPECT_EQ(d.state().lesson.refusal, "Guess first: the run would tell you.");

    open_step(d, "two_things_at_once", "mend");
    const std::string own = d.state().program.source.text;
    d.shell.actions().push(EditProgramText{"// not mine\n" + own});
    d.ui->Yield(3);
    EXPECT_EQ(d.state().program.source.text, own) << "only lines 25 to 29";
    const std::string mine = lesson_moves::edited(own, {{25, "  cudaStreamSynchronize(s);"}});
    d.shell.actions().push(EditProgramText{mine});
    d.ui->Yield(3);
    EXPECT_FALSE(answers(d).done) << "it was not run";
    const uint64_t before = run(d).serial;
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    ASSERT_TRUE(ended(d, before));
    d.ui->Yield(4);
    EXPECT_TRUE(answers(d).done);
    press_bar(d, "###next");
    press_bar(d, "###back");
    EXPECT_EQ(d.state().program.source.text, mine) << "it comes back with its step";
    press_bar(d, "###reset");
    EXPECT_EQ(d.state().program.source.text, own);
    d.shell.actions().push(UndoReset{});
    d.ui->Yield(3);
    EXPECT_EQ(d.state().program.source.text, mine);
    d.shell.actions().push(CloseLesson{});
    d.ui->Yield(3);
    EXPECT_FALSE(run(d).given);
    open_step(d, "two_things_at_once", "mend");
    EXPECT_EQ(d.state().program.source.text, mine);
  });
}

// As a student does it, in the text itself.
TEST_F(LearnProgram, CtrlEnterRunsWhatIsBeingTyped) {
  drive([&](Driver& d) {
    open_step(d, "two_things_at_once", "mend");
    d.ui->Yield(4);
    const std::string own = d.state().program.source.text;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive &&
          std::string_view(window->Name).find("##program_text") != std::string_view::npos) {
        d.ui->MouseMoveToPos(window->Rect().GetCenter());
        d.ui->MouseClick();
      }
    d.ui->Yield(3);
    d.ui->KeyPress(ImGuiKey_End);
    const uint64_t before = run(d).serial;
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    ASSERT_TRUE(ended(d, before));
    EXPECT_EQ(d.state().program.source.text, own) << "it is no new line";
  });
}

TEST_F(LearnProgram, AnAnswerIsJudged) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenChallenge{"missing_wait"});
    ASSERT_TRUE(d.wait_until([&] { return d.state().challenge.judged != nullptr; }, 60));
    const auto& judged = [&]() -> const JudgedAnswer& { return *d.state().challenge.judged; };
    ASSERT_TRUE(judged().specification) << judged().error;
    EXPECT_EQ(judged().specification->printed, "340\n");
    const auto judge = [&] {
      d.ui->SetRef("//###launch");
      d.ui->ItemClick("###judge");
      d.ui->Yield(3);
      ASSERT_TRUE(d.wait_until([&] { return !d.state().challenge.judging; }, 120));
    };
    judge();
    ASSERT_TRUE(judged().judged) << judged().error;
    EXPECT_EQ(judged().judged->kind, "missing_wait");
    d.screenshots("program_challenge");
    d.shell.actions().push(EditProgramText{d.state().challenge.open->folder.files.at("right.cu")});
    d.ui->Yield(3);
    judge();
    ASSERT_TRUE(judged().judged) << judged().error;
    EXPECT_EQ(judged().judged->stars, 3u) << judged().judged->message;
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
