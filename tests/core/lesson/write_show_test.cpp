// A state that is written as a show block is read as the same state.
#include "core/lesson/read/write_show.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/lesson/read/field_readers.h"
#include "tests/core/lesson/examples.h"

namespace warplens::lesson {
namespace THIS_FILE {

Show read_lines(const std::string& lines) {
  Mistakes mistakes("lesson.md");
  Block block;
  block.name = "show";
  uint32_t number = 1;
  for (size_t at = 0; at < lines.size(); ++number) {
    const size_t end = lines.find('\n', at), colon = lines.find(": ", at);
    block.entries.push_back({lines.substr(at, colon - at), lines.substr(colon + 2, end - colon - 2), number});
    at = end + 1;
  }
  Show show = read_show(block, mistakes);
  EXPECT_EQ(to_text(mistakes.take()), "") << lines;
  return show;
}

TEST(WriteShow, EachKeyIsReadAsItWasWritten) {
  const std::string all[] = {
      "kernel: vector_add\nvalues: n = 1000, radius = 2.5\nblock: 64\ngrid: 4\nshared: 4096\nseed: 7\norder: "
      "3\n",
      "code: mine.cu\nentry: add\nblock: 16x8\ngrid: fit\nimage: astronaut\ndevice: t4\nview: grid\npart: "
      "warp\n",
      "kernel: index_map_3d\nblock: (2, 3, 4)\ngrid: (1, 1, 5)\npin: thread (1, 0, 0) of block (2, 0, "
      "0)\npin: line 6\n",
      "view: step\npin: block (2, 0, 0)\nstep: position 120\nlane: 17\ntext: 150\n",
      "step: line 9 of warp 1\n",
      "step: line 9\n",
      "step: barrier\n",
      "step: divergence\n",
      "step: conflict\n",
      "step: end\n",
      "pin: out[69]\n",
      "pin: nothing\n",
  };
  for (const std::string& lines : all) EXPECT_EQ(show_lines(read_lines(lines)), lines);
  EXPECT_EQ(show_lines(Show{}), "");
}

constexpr const char* lesson =
    "---\nlesson: 1\n---\n"
    "## First {#first}\n"
    "\n"
    "Text.\n"
    "\n"
    "```show\n"
    "# why it is so\n"
    "kernel: vector_add\n"
    "hide: counters,\n"
    "  time\n"
    "block: 64\n"
    "change: n 1..40\n"
    "```\n"
    "\n"
    "```done\nlaunch.block.x == 64\n```\n"
    "## Second {#second}\n"
    "\n"
    "More text.\n"
    "\n"
    "```cpp\n## no step\n```\n"
    "### Hint\nLook.\n";

TEST(WriteShow, TheBlockOfTheStepIsReplacedAndWhatIsNoStateStays) {
  Show show;
  show.kernel = "grayscale";
  show.block = Dim3{8, 8, 1};
  for (const uint32_t line : {1u, 4u, 6u, 12u, 19u}) {
    const Result<std::string> text = with_recorded_show(lesson, line, show);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_NE(text->find("```show\nkernel: grayscale\nblock: 8x8\n# why it is so\nhide: counters,\n  time\n"
                         "change: n 1..40\n```\n"),
              std::string::npos)
        << *text;
    EXPECT_EQ(text->find("vector_add"), std::string::npos);
    EXPECT_TRUE(text->ends_with("### Hint\nLook.\n")) << *text;
    EXPECT_EQ(std::ranges::count(*text, '\n'), std::ranges::count(std::string_view(lesson), '\n'));
  }
}

TEST(WriteShow, AStepWithoutABlockGetsOneBehindItsText) {
  Show show;
  show.view = "grid";
  const Result<std::string> text = with_recorded_show(lesson, 22, show);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("More text.\n\n```show\nview: grid\n```\n\n```cpp\n## no step\n```\n### Hint"),
            std::string::npos)
      << *text;
  EXPECT_NE(text->find("kernel: vector_add\n"), std::string::npos) << "the other step stays as it was";
  const Result<std::string> bare = with_recorded_show("## Only {#only}", 1, show);
  ASSERT_TRUE(bare);
  EXPECT_EQ(*bare, "## Only {#only}\n\n```show\nview: grid\n```\n");
  const Result<std::string> open = with_recorded_show("## Only {#only}\n```show\nkernel: x\n", 2, show);
  ASSERT_TRUE(open);
  EXPECT_EQ(*open, "## Only {#only}\n```show\nview: grid\n```\n") << "a fence that was not closed yet";
}

TEST(WriteShow, WithoutAStepItSaysSo) {
  for (const char* text : {"", "---\nlesson: 1\n---\n", "# Title\ntext\n", "```\n## no step\n```\n"}) {
    const Result<std::string> written = with_recorded_show(text, 1, Show{});
    ASSERT_FALSE(written) << text;
    EXPECT_NE(written.error().message.find("## Title {#id}"), std::string::npos);
  }
}

TEST(WriteShow, TheStepOfALineAndTheFirstChangedLine) {
  const LoadedLesson read = load_lesson(example_lesson());
  ASSERT_EQ(read.lesson.steps.size(), 3u);
  EXPECT_EQ(step_at_line(read.lesson, 1), 0u);
  EXPECT_EQ(step_at_line(read.lesson, read.lesson.steps[1].line), 1u);
  EXPECT_EQ(step_at_line(read.lesson, read.lesson.steps[1].line - 1), 0u);
  EXPECT_EQ(step_at_line(read.lesson, 1'000'000), 2u);
  EXPECT_EQ(step_at_line(Lesson{}, 1), std::nullopt);
  EXPECT_EQ(first_changed_line("a\nb\nc\n", "a\nb\nc\n"), 0u);
  EXPECT_EQ(first_changed_line("a\nb\nc\n", "a\nB\nc\n"), 2u);
  EXPECT_EQ(first_changed_line("a\nb\n", "a\nb\nc\n"), 3u);
  EXPECT_EQ(first_changed_line("", "a"), 1u);
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson
