// The marker of a lesson's question on the plot that it speaks of.
#include "app/views/model/lesson_marks.h"

#include <gtest/gtest.h>

#include "tests/app/driven_state.h"

namespace warplens {
namespace THIS_FILE {

constexpr const char* text = R"(---
title: Two markers
about: One on a plot, one on a bare scale.
minutes: 1
---

## Where? {#where}

```show
kernel: loop_test
values: n = 1000, loops = 10
block: 64
view: timing
part: sizes
hide: time
```

```ask
kind: marker
predict: yes
plot: sizes
from: 1
to: 100000
scale: log
text: Where?
right: 4 * n
unit: elements
```

```ask
kind: marker
plot: line
from: 0
to: 10
text: Five?
right: 5
```

```solution
answer: 4000
answer: 5
```

```wrong
answer: 10
answer: 4
```
)";

void open(DrivenState& window) {
  lesson::Folder folder;
  folder.name = "markers";
  folder.files["lesson.md"] = text;
  lesson::LoadedLesson read = lesson::load_lesson(folder);
  ASSERT_TRUE(read.ok()) << to_text(read.diagnostics);
  window.push(LessonLoaded{
      std::make_shared<const LoadedLesson>(LoadedLesson{folder, std::move(read.lesson), read.diagnostics})});
}

TEST(LessonMarks, TheGuessFirstAndThenTheTruth) {
  DrivenState window;
  EXPECT_TRUE(lesson_marks(window.state, "sizes").empty()) << "no lesson is open";
  EXPECT_FALSE(marker_question(window.state, View::timing));
  open(window);
  ASSERT_TRUE(window.until([&] { return window.state.lesson.is_open() && window.state.runs.result; }));
  EXPECT_TRUE(lesson_marks(window.state, "sizes").empty()) << "nothing is guessed yet";
  EXPECT_EQ(marker_question(window.state, View::timing), 0u);
  EXPECT_FALSE(marker_question(window.state, View::occupancy));
  window.push(SetAnswer{0, lesson::NumberAnswer{1500}});
  ASSERT_EQ(lesson_marks(window.state, "sizes").size(), 1u) << "it moves while it is dragged";
  EXPECT_EQ(lesson_marks(window.state, "sizes")[0].words, "your guess: 1500 elements");
  EXPECT_TRUE(lesson_marks(window.state, "sizes")[0].guess);
  EXPECT_TRUE(lesson_marks(window.state, "blocks").empty()) << "another plot";
  window.push(GiveAnswer{0});
  EXPECT_FALSE(marker_question(window.state, View::timing)) << "the next question stands on a bare scale";
  EXPECT_EQ(lesson_marks(window.state, "sizes").size(), 1u) << "the truth comes when all is answered";
  window.push(SetAnswer{1, lesson::NumberAnswer{5}});
  window.push(GiveAnswer{1});
  ASSERT_TRUE(window.until([&] { return lesson_marks(window.state, "sizes").size() == 2; }));
  const PlotMark truth = lesson_marks(window.state, "sizes")[1];
  EXPECT_EQ(truth.words, "the truth: 4000 elements");
  EXPECT_DOUBLE_EQ(truth.at, 4000);
  EXPECT_FALSE(truth.guess);
}

// A wrong click is marked where it was, until the next one; what is still to be found is not.
TEST(LessonMarks, OfClicksAreWhatWasFoundAndTheLastWrongOne) {
  AppState state = *initial_state("vector_add", "");
  EXPECT_TRUE(click_marks(state).empty()) << "no lesson is open";
  update(state, OpenLesson{"who_am_i", 1});
  ASSERT_TRUE(state.lesson.is_open());
  lesson::QuestionProgress& own = state.lesson.player.progress().questions.at(0);
  lesson::Target found, off;
  found.kind = off.kind = lesson::Target::Kind::thread;
  found.thread = {2, 0, 0};
  off.thread = {3, 0, 0};
  own.answer = lesson::ClickAnswer{{found}};
  own.off = off;
  own.mark = lesson::AnswerMark::wrong;
  const std::vector<ClickMark> marks = click_marks(state);
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].target, found);
  EXPECT_FALSE(marks[0].wrong);
  EXPECT_EQ(marks[1].target, off);
  EXPECT_TRUE(marks[1].wrong);
  own.mark = lesson::AnswerMark::shown;
  EXPECT_EQ(click_marks(state).size(), 1u);
}

}  // namespace THIS_FILE
}  // namespace warplens
