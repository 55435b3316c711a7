// The contents of a worksheet for each step.
#include <gtest/gtest.h>

#include <set>

#include "app/cli/learn/worksheet_picture.h"
#include "core/lesson/format/show.h"
#include "core/lesson/play/stage.h"

namespace warplens {
namespace THIS_FILE {

lesson::Show shown(const char* view, const char* part) {
  lesson::Show show;
  show.kernel = "vector_add";
  show.values["n"] = 100;
  show.block = Dim3{64, 1, 1};
  show.view = view;
  if (*part != 0) show.part = part;
  return show;
}

// The words of the picture; empty if there is none.
std::set<std::string> words_of(const lesson::Show& show) {
  lesson::Stage stage(lesson::Folder{}, "rtx_3060");
  const auto staged = stage.set(show);
  EXPECT_TRUE(staged) << (staged ? "" : staged.error().message);
  std::set<std::string> words;
  if (!staged) return words;
  const std::optional<Picture> picture = worksheet_picture(**staged);
  if (!picture) return words;
  for (const Shape& shape : picture->shapes)
    if (const auto* text = std::get_if<Text>(&shape)) words.insert(text->words);
  return words;
}

TEST(Worksheet, ShowsThePartThatTheStepNames) {
  const std::set<std::string> steps = words_of(shown("timing", "steps")),
                              timer = words_of(shown("timing", "timer")),
                              roofline = words_of(shown("timing", "roofline"));
  EXPECT_FALSE(steps.empty() || timer.empty() || roofline.empty());
  EXPECT_NE(steps, timer);
  EXPECT_NE(steps, roofline);
  EXPECT_NE(timer, roofline);
  EXPECT_TRUE(words_of(shown("timing", "sizes")).empty()) << "it would need a sweep";
  EXPECT_TRUE(words_of(shown("timing", "blocks")).empty());
  EXPECT_TRUE(words_of(shown("timing", "runs")).empty());
}

TEST(Worksheet, ShowsTheStepViewWhereTheStepSays) {
  const std::set<std::string> begin = words_of(shown("step", "source"));
  lesson::Show show = shown("step", "source");
  show.step = lesson::StepPlace{lesson::StepPlace::Kind::end, 0, std::nullopt};
  const std::set<std::string> end = words_of(show);
  EXPECT_FALSE(begin.empty());
  EXPECT_NE(begin, end);
}

TEST(Worksheet, PrintsNoSourceThatTheStepHides) {
  const std::vector<std::string> none, counters{"counters"}, code{"counters", "code"};
  EXPECT_TRUE(prints_source("code", none));
  EXPECT_TRUE(prints_source("step", counters)) << "costs beside lines are in the picture, not in the source";
  EXPECT_FALSE(prints_source("code", code));
  EXPECT_FALSE(prints_source("step", code));
  EXPECT_FALSE(prints_source("memory", none));
}

TEST(Worksheet, AsksToMarkAndNotToClick) {
  EXPECT_EQ(on_paper("Which threads have no element? Click all of them.", "en", true),
            "Which threads have no element? Mark all of them.");
  EXPECT_EQ(on_paper("In which line does it happen? Click the line.", "en", false),
            "In which line does it happen? Name the line.");
  EXPECT_EQ(on_paper("Point at a thread and click it.", "en", true), "Point at a thread and mark it.");
  EXPECT_EQ(on_paper("Click into the line and type.", "en", true), "Click into the line and type.");
  EXPECT_EQ(on_paper("Wer schreibt es? Klicke ihn an.", "de", true), "Wer schreibt es? Markiere ihn.");
  EXPECT_EQ(on_paper("Zeige darauf und klicke sie an.", "de", false), "Zeige darauf und nenne sie.");
  EXPECT_EQ(on_paper("Klicke auf die Pupille.", "de", true), "Markiere die Pupille.");
  EXPECT_EQ(on_paper("Klicke in die Zeile.", "de", true), "Klicke in die Zeile.");
}

}  // namespace THIS_FILE
}  // namespace warplens
