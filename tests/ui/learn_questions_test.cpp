// Each kind of question, answered with the mouse: clicks in a view, a drag of a marker, of rows, of tiles.
#include <cmath>

#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

constexpr const char* all_kinds = R"(---
title: All kinds
about: One question of each kind.
minutes: 1
---

## All kinds {#all}

```show
kernel: index_map_1d
values: n = 12
block: 4
view: grid
part: block
pin: block (1, 0, 0)
change: n 8..12
```

Answer.

```ask
kind: click
what: thread
text: Click thread 2 of block 1.
right: click.block.x == 1 && click.thread.x == 2
else: That is thread {{click.thread.x}}.
```

```ask
kind: click
what: lane
text: Which lane has the number 5?
right: click.lane == 5
```

```ask
kind: marker
text: Where is 40?
plot: line
from: 0
to: 100
right: 40
tolerance: 10
```

```ask
kind: order
text: Put them in order.
item: three = 3
item: two = 2
item: one = 1
by: largest first
```

```ask
kind: formula
text: Fill it in.
formula: x = [blockIdx.x] * [blockDim.x] + [threadIdx.x]
tiles: blockIdx.x, blockDim.x, threadIdx.x
```

```ask
kind: choice
text: Which letter is the second?
A: A
B: B
right: B
```

```solution
answer: thread (2, 0, 0) of block (1, 0, 0)
answer: lane 5
answer: 40
answer: 1, 2, 3
answer: blockIdx.x; blockDim.x; threadIdx.x
answer: B
```

```wrong
answer: thread (3, 0, 0) of block (1, 0, 0)
answer: lane 6
answer: 80
answer: 2, 1, 3
answer: threadIdx.x; blockDim.x; blockIdx.x
answer: A
```
)";

class LearnQuestions : public WindowTest {
 protected:
  void with_all_kinds(const std::function<void(Driver&)>& body) {
    lesson::Folder folder;
    folder.name = "kinds";
    folder.files["lesson.md"] = all_kinds;
    drive([&](Driver& d) {
      ASSERT_TRUE(d.wait_for_result());
      d.shell.actions().push(OpenFile{folder_on_disk(folder)});
      ASSERT_TRUE(
          d.wait_until([&] { return d.state().lesson.is_open() || !d.state().lesson.mistakes.empty(); }, 5));
      ASSERT_TRUE(d.state().lesson.is_open()) << to_text(d.state().lesson.mistakes);
      ASSERT_TRUE(d.wait_for_result());
      body(d);
    });
  }
};

const lesson::QuestionProgress& question(Driver& d, size_t index) {
  return d.state().lesson.player.steps[0].questions[index];
}

void click_thread(Driver& d, int thread) {
  const ImRect block = d.ui->ItemInfo("//###grid/##block").RectFull;
  d.ui->MouseMoveToPos({block.Min.x + block.GetWidth() * (float(thread) + 0.5f) / 4, block.GetCenter().y});
  d.ui->MouseClick();
  d.ui->SleepNoSkip(0.5f, 0.05f);  // it could become a double click
  d.ui->Yield(4);
}

void drag(Driver& d, ImVec2 from, ImVec2 to) {
  d.ui->MouseMoveToPos(from);
  d.ui->MouseDown();
  d.ui->Yield(2);
  for (int i = 1; i <= 4; ++i) {
    d.ui->MouseMoveToPos({from.x + (to.x - from.x) * float(i) / 4, from.y + (to.y - from.y) * float(i) / 4});
    d.ui->Yield(2);
  }
  d.ui->MouseUp();
  d.ui->Yield(3);
}

TEST_F(LearnQuestions, EachKindIsAnsweredWithTheMouse) {
  with_all_kinds([](Driver& d) {
    click_thread(d, 3);
    EXPECT_EQ(question(d, 0).mark, lesson::AnswerMark::wrong);
    EXPECT_EQ(question(d, 0).words, "That is thread 3.");
    d.screenshot("learn_wrong_click_1920x1080_dark");
    click_thread(d, 2);
    EXPECT_EQ(question(d, 0).mark, lesson::AnswerMark::right);

    in_strip(d);
    d.ui->ItemClick("$$1/###tile_6");
    d.ui->Yield(3);
    EXPECT_EQ(question(d, 1).mark, lesson::AnswerMark::wrong);
    d.ui->ItemClick("$$1/###tile_5");
    d.ui->Yield(3);
    EXPECT_EQ(question(d, 1).mark, lesson::AnswerMark::right);

    const ImRect track = d.ui->ItemInfo("$$2/##slide_marker").RectFull;
    drag(d, track.GetCenter(), {track.Min.x + 0.42f * track.GetWidth(), track.GetCenter().y});
    const auto* marker = std::get_if<lesson::NumberAnswer>(&question(d, 2).answer);
    ASSERT_NE(marker, nullptr);
    EXPECT_NEAR(marker->value, 42, 5);
    d.screenshot("learn_marker_1920x1080_dark");
    d.ui->ItemClick("$$2/###give");
    d.ui->Yield(3);
    EXPECT_EQ(question(d, 2).mark, lesson::AnswerMark::right);

    // Rows are dragged until the order is right: the last one to the top, then the middle one.
    for (int turn = 0; turn < 6 && !question(d, 3).settled(); ++turn) {
      const ImRect first = d.ui->ItemInfo("$$3/##item_0").RectFull;
      const char* moved = turn % 2 == 0 ? "$$3/##item_2" : "$$3/##item_1";
      drag(d, d.ui->ItemInfo(moved).RectFull.GetCenter(), {first.GetCenter().x, first.Min.y + 2});
      d.ui->ItemClick("$$3/###give");
      d.ui->Yield(3);
    }
    EXPECT_EQ(question(d, 3).mark, lesson::AnswerMark::right) << "rows go where they are dragged";

    for (const int part : {0, 1, 2}) {
      const std::string tile = "$$4/###tile_" + std::to_string(part),
                        box = "$$4/###box_" + std::to_string(part);
      d.ui->ScrollToItemY(tile.c_str());
      d.ui->Yield(2);
      drag(d, d.ui->ItemInfo(tile.c_str()).RectFull.GetCenter(),
           d.ui->ItemInfo(box.c_str()).RectFull.GetCenter());
    }
    d.screenshot("learn_formula_1920x1080_dark");
    d.ui->ItemClick("$$4/###give");
    d.ui->Yield(3);
    EXPECT_EQ(question(d, 4).mark, lesson::AnswerMark::right);

    d.ui->ItemClick("$$5/##choice_B");
    d.ui->Yield(3);
    EXPECT_EQ(question(d, 5).mark, lesson::AnswerMark::right);
    EXPECT_TRUE(d.state().lesson.player.steps[0].done);
    d.screenshot("learn_done_1920x1080_dark");
  });
}

// The plot would tell the answer, so an empty one takes its place until the guess is made.
TEST_F(LearnQuestions, AMarkerIsDraggedOnThePlotThatItSpeaksOf) {
  drive(
      [](Driver& d) {
        open_step(d, "there_and_back", "crossover");
        const auto& own = d.state().lesson.player.progress().questions[0];
        d.screenshot("learn_marker_plot_empty");
        const ImRect plot = d.ui->ItemInfo("//###timing/##plot_marker").RectFull;
        ASSERT_GT(plot.GetWidth(), 100);
        const float y = plot.GetCenter().y;
        drag(d, {plot.Min.x + 0.2f * plot.GetWidth(), y}, {plot.Min.x + 0.6f * plot.GetWidth(), y});
        const auto* guess = std::get_if<lesson::NumberAnswer>(&own.answer);
        ASSERT_NE(guess, nullptr);
        EXPECT_NEAR(std::log10(guess->value), 3, 0.1) << "three of the five decades";
        d.screenshot("learn_marker_plot_guess");
        in_strip(d);
        d.ui->ItemClick("$$0/###give");
        ASSERT_TRUE(d.wait_until([&] { return own.told; }));
        ASSERT_TRUE(d.wait_until([&] { return !d.ui->ItemExists("//###timing/##plot_marker"); }));
        ASSERT_TRUE(d.wait_for_result());
        d.screenshot("learn_marker_plot_truth");
      },
      small_window());
}

TEST_F(LearnQuestions, EachKindIsAnsweredWithKeys) {
  with_all_kinds([](Driver& d) { play_to_the_end(d); });
}

TEST_F(LearnQuestions, TheControlsAreThoseOfTheStep) {
  with_all_kinds([](Driver& d) {
    in_strip(d);
    d.ui->ItemInput("n/##number_n");
    d.ui->KeyCharsReplaceEnter("9");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.values.at("n"), 9);
    EXPECT_FALSE(d.ui->ItemExists("##number_block_x"));
    d.shell.actions().push(ChooseKernel{"grayscale"});
    d.ui->Yield(3);
    EXPECT_EQ(d.state().setup.kernel->name, "index_map_1d");
    EXPECT_EQ(d.state().lesson.refusal, "This step keeps the kernel as it is.");
    press_bar(d, "###reset");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.values.at("n"), 12);
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
