// A challenge in the window: a wrong answer gets its smallest case and Step, a right one its stars; and
// predictions outside of lessons.
#include <unistd.h>

#include "app/state/parts/judged_answer.h"
#include "core/base/system/files.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

class LearnChallenge : public WindowTest {};

const lesson::Judged* judged(Driver& d) {
  const auto& answer = d.state().challenge.judged;
  return answer && answer->judged ? &*answer->judged : nullptr;
}

void judge(Driver& d) {
  const uint64_t before = d.state().challenge.serial;
  d.ui->SetRef("//###launch");
  d.ui->ItemClick("###judge");
  ASSERT_TRUE(
      d.wait_until([&] { return d.state().challenge.serial > before && !d.state().challenge.judging; }, 60));
  d.ui->Yield(4);
}

TEST_F(LearnChallenge, TheFirstOneIsFailedSteppedToAndSolved) {
  const auto hand_in =
      std::filesystem::temp_directory_path() / ("warplens_hand_in_" + std::to_string(::getpid()) + ".json");
  std::filesystem::remove(hand_in);
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenChallenge{"bounds_check"});
    d.ui->Yield(3);
    ASSERT_TRUE(d.state().challenge.is_open());
    ASSERT_TRUE(d.wait_until([&] { return d.state().challenge.judged != nullptr; }, 60))
        << "the specification";
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().frame.view, View::code);
    ASSERT_NE(d.state().challenge.judged->specification, nullptr) << d.state().challenge.judged->error;
    EXPECT_FALSE(d.state().challenge.judged->specification->arrows.empty());
    d.screenshot("learn_challenge_1920x1080_dark");

    judge(d);
    ASSERT_NE(judged(d), nullptr);
    EXPECT_EQ(judged(d)->reason, lesson::Reason::fault) << judged(d)->message;
    ASSERT_TRUE(judged(d)->failed);
    d.screenshot("learn_challenge_wrong_1920x1080_dark");
    d.ui->SetRef(d.ui->WindowInfo("//###launch/challenge").ID);
    d.ui->ItemClick("Step to it");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().frame.view, View::step);
    EXPECT_EQ(d.state().setup.launch.values.at("n"), judged(d)->failed->at.values.at("n"));
    d.screenshot("learn_challenge_step_1920x1080_dark");

    const auto& folder = d.state().challenge.open->folder;
    std::string source = d.state().code.text;
    source = source.substr(0, source.find('\n') + 1) + folder.files.at("right.cu");
    d.shell.actions().push(ShowView{View::code});
    d.shell.actions().push(EditSource{source});
    d.ui->Yield(3);
    judge(d);
    ASSERT_NE(judged(d), nullptr);
    EXPECT_TRUE(judged(d)->right()) << judged(d)->message;
    EXPECT_EQ(judged(d)->stars, 3u);
    EXPECT_EQ(d.state().progress.challenges.at("bounds_check").stars, 3u);
    EXPECT_EQ(d.state().progress.challenges.at("bounds_check").tries, 2u);
    d.screenshot("learn_challenge_right_1920x1080_dark");
    d.shell.actions().push(HandInAs{hand_in.string()});
    EXPECT_TRUE(d.wait_until([&] { return std::filesystem::exists(hand_in); }, 5));
    for (int hint = 0; hint < 3; ++hint) {
      d.ui->SetRef("//###launch");
      d.ui->ItemClick("###hint");
    }
    d.ui->Yield(3);
    EXPECT_EQ(d.state().challenge.hints, 3u);
    d.screenshot("learn_challenge_hints_1920x1080_dark");
  });
  const auto text = read_text(hand_in.string(), 1 << 20);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("\"warplens_hand_in\""), std::string::npos);
  std::filesystem::remove(hand_in);
}

// As in a page: the author's versions stand over the code, and a press chooses one; nothing can be typed.
TEST_F(LearnChallenge, WithoutACompilerAVersionIsChosenWhereCodeIsTypedElsewhere) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.state().frame.in_a_page = true;
        d.shell.actions().push(OpenChallenge{"bounds_check"});
        d.ui->Yield(3);
        ASSERT_TRUE(d.wait_until([&] { return d.state().challenge.judged != nullptr; }, 60));
        ASSERT_TRUE(d.wait_for_result());
        d.screenshot("learn_challenge_page_1280x720_dark");
        const std::string before = d.state().code.text;
        d.ui->SetRef("//###code");
        const ImGuiTestItemInfo version = d.ui->ItemInfo("###version0");
        ASSERT_NE(version.ID, 0u);
        EXPECT_LE(version.RectFull.Max.y, 720);
        EXPECT_GE(version.RectClipped.GetHeight(), version.RectFull.GetHeight() - 1);
        d.ui->MouseMoveToPos({600, 400});
        d.ui->MouseClick();
        d.ui->KeyChars("typed");
        d.ui->Yield(3);
        EXPECT_EQ(d.state().code.text, before);
        d.ui->ItemClick("###version0");
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_NE(d.state().code.text, before);
        d.screenshot("learn_challenge_page_chosen_1280x720_dark");
      },
      small_window());
}

TEST_F(LearnChallenge, APredictionHidesWhatAChangeGives) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("vector_add");
    ASSERT_TRUE(d.wait_for_result());
    d.ui->ItemClick("//##top/###predict");
    d.ui->Yield(3);
    EXPECT_TRUE(d.state().predict.on);
    d.type_number("launch", "block_x", 64);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().predict.phase, PredictPhase::asking);
    d.screenshot("learn_predict_asking_1920x1080_dark");
    d.ui->SetRef("//###launch");
    d.ui->ItemInput("##guess");
    d.ui->KeyCharsReplaceEnter("7");
    d.ui->Yield(4);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().predict.phase, PredictPhase::known);
    EXPECT_EQ(d.state().progress.predictions, 1u);
    d.screenshot("learn_predict_known_1920x1080_dark");
    d.ui->ItemClick("//##top/###predict");
    d.ui->Yield(3);
    EXPECT_FALSE(d.state().predict.on);
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
