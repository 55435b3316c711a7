// The grammar of docs/lessons.md: its example is read without a word, and each of many broken lessons is
// refused with the right line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/lesson/format/lesson.h"
#include "core/lesson/format/words.h"
#include "tests/core/lesson/examples.h"

namespace warplens::lesson {
namespace THIS_FILE {

using testing::HasSubstr;

uint32_t line_of(const std::string& text, const std::string& words) {
  const size_t at = text.find(words);
  EXPECT_NE(at, std::string::npos) << words;
  return uint32_t(std::count(text.begin(), text.begin() + long(std::min(at, text.size())), '\n')) + 1;
}

TEST(LessonFormat, TheDocumentedExampleIsRight) {
  const LoadedLesson read = load_lesson(example_lesson());
  EXPECT_EQ(to_text(read.diagnostics), "");
  ASSERT_EQ(read.lesson.steps.size(), 3u);
  EXPECT_EQ(read.lesson.title, "Two threads without work");
  EXPECT_EQ(read.lesson.minutes, 10u);
  const LessonStep& tail = read.lesson.steps[1];
  EXPECT_EQ(tail.id, "tail");
  EXPECT_EQ(tail.show.kernel, "index_map_1d") << "taken over from the step before";
  EXPECT_EQ(tail.show.values.at("n"), 10);
  EXPECT_EQ(tail.show.block, (Dim3{4, 1, 1}));
  EXPECT_FALSE(tail.show.pins) << "what was held is never taken over";
  ASSERT_EQ(tail.questions.size(), 2u);
  EXPECT_TRUE(tail.questions[0].find_all);
  EXPECT_EQ(tail.questions[1].formula.size(), 6u);
  EXPECT_EQ(read.lesson.steps[0].then.text,
            "Thread {{pinned.thread.x}} of block {{pinned.block.x}} writes element {{pinned.index}}.");
  EXPECT_EQ(tail.hints.size(), 2u);
}

struct Broken {
  const char* from;
  const char* to;
  const char* at;       // words in the broken text whose line is named
  const char* message;  // part of it
};

const Broken broken_lessons[] = {
    {"title: Two threads without work\n", "", "---", "no title"},
    {"minutes: 10", "minutes: ten", "minutes: ten", "no whole number"},
    {"device: rtx_3060", "devise: rtx_3060", "devise", "did you mean \"device\""},
    {"device: rtx_3060", "device: rtx_306", "---", "there is no device rtx_306"},
    {"{#point}", "", "## Point at a thread", "needs an id"},
    {"{#tail}", "{#point}", "## Two threads", "is that of the step in line"},
    {"kernel: index_map_1d", "kernel: index_map", "kernel: index_map", "there is no kernel index_map"},
    {"kernel: index_map_1d\n", "", "## Point", "needs a block ```show with kernel"},
    {"values: n = 12", "values: m = 12", "values: m", "the kernel has no number m"},
    {"values: n = 12", "values: n = twelve", "values: n = twelve", "no number with a name"},
    {"block: 4", "block: 0", "block: 0", "each 1 or more"},
    {"view: grid", "view: grit", "view: grit", "did you mean \"grid\""},
    {"view: grid", "part: heat", "part: heat", "has no part heat"},
    {"change: n 8..12", "change: m 8..12", "change: m", "is no number of the kernel"},
    {"change: n 8..12", "change: n 12..8", "change: n 12", "is no range"},
    {"pinned.thread else", "pinned.thred else", "pinned.thred", "did you mean \"pinned.thread\""},
    {"pinned.thread else", "pinned.thread = 1 else", "pinned.thread = 1", "cannot be evaluated"},
    {"{{pinned.index}}", "{{pinned.idx}}", "{{pinned.idx}}", "nothing called pinned.idx"},
    {"what: thread\n", "what: threads\n", "what: threads", "write thread, block"},
    {"kind: click", "kind: clic", "kind: clic", "write number, choice"},
    {"find: all\n", "find: all\ntolerance: 2\n", "tolerance: 2", "of the kind click has no tolerance"},
    {"[threadIdx.x]\ntiles", "[threadIdx.y]\ntiles", "formula: x", "is no tile"},
    {"right: B", "right: D", "right: D", "is none of the answers"},
    {"answer: B\n```\n\n```wrong", "answer: E\n```\n\n```wrong", "answer: E", "the letter of an answer"},
    {"answer: 4\n", "answer: four\n", "answer: four", "a number, as in 157"},
    {"answer: 4\nanswer: B\n", "answer: 4\n", "```solution\nanswer: 4",
     "1 answers here, and the step asks 2"},
    {"```solution\npin: thread (1, 0, 0) of block (2, 0, 0)\n```\n", "", "## Point",
     "needs a block ```solution"},
    {"```wrong\npin: line 5\n```\n", "", "## Point", "needs a block ```wrong"},
    {"pin: line 5", "pin: linie 5", "pin: linie", "is not understood"},
    {"```done\npinned.thread else Click one of the numbered threads.\n```\n", "", "## Point",
     "nothing is asked"},
    {"### Hint\nThe threads", "### Hnit\nThe threads", "### Hnit", "did you mean \"Hint\""},
    {"```done", "```dome", "```dome", "there is no block ```dome; did you mean \"done\""},
    {"hide: launch.blocks, occupancy.waves", "hide: launch.block, occupancy.wafes",
     "hide:", "occupancy.wafes"},
    {"A: They write past the end.\n", "", "```ask\nkind: choice", "at least the answers A"},
};

TEST(LessonFormat, BrokenLessonsAreRefusedWithTheirLine) {
  const std::string good = example_lesson().files.at("lesson.md");
  size_t tried = 0;
  for (const Broken& broken : broken_lessons) {
    Folder folder = example_lesson();
    const std::string text = replaced(good, broken.from, broken.to);
    folder.files["lesson.md"] = text;
    const LoadedLesson read = load_lesson(folder);
    EXPECT_FALSE(read.ok()) << broken.to;
    const uint32_t line = line_of(text, broken.at);
    const bool said = std::any_of(read.diagnostics.begin(), read.diagnostics.end(), [&](const Diagnostic& d) {
      return d.line == line && d.message.find(broken.message) != std::string::npos && d.file == "lesson.md";
    });
    EXPECT_TRUE(said) << "line " << line << ": " << broken.message << "\n" << to_text(read.diagnostics);
    ++tried;
  }
  EXPECT_GE(tried, 20u);
}

TEST(LessonFormat, AllMistakesAreSaidAtOnce) {
  Folder folder = example_lesson();
  std::string text = folder.files["lesson.md"];
  text = replaced(text, "minutes: 10", "minutes: ten");
  text = replaced(text, "block: 4", "block: none");
  text = replaced(text, "right: B", "right: Z");
  folder.files["lesson.md"] = text;
  EXPECT_EQ(load_lesson(folder).diagnostics.size(), 3u) << to_text(load_lesson(folder).diagnostics);
}

TEST(LessonFormat, ATranslationOnlyWordsAnew) {
  Folder folder = example_lesson();
  folder.files["lesson.de.md"] =
      "---\ntitle: Zwei Threads ohne Arbeit\nabout: Jeder Thread rechnet aus, welches Element seines "
      "ist.\n---\n"
      "## Zeige auf einen Thread {#point}\n\nDrei Blöcke.\n\n```done\nelse Klicke auf einen Thread.\n```\n"
      "## Wer hat nichts zu tun? {#tail}\n\n```ask\ntext: Welche Threads?\n```\n\n```ask\nright: 1\n```\n";
  const LoadedLesson read = load_lesson(folder, "de");
  EXPECT_EQ(read.lesson.title, "Zwei Threads ohne Arbeit");
  EXPECT_EQ(read.lesson.steps[0].text.text, "Drei Blöcke.");
  EXPECT_EQ(read.lesson.steps[0].done[0].expression.text, "pinned.thread");
  EXPECT_EQ(read.lesson.steps[0].done[0].otherwise.text, "Klicke auf einen Thread.");
  EXPECT_EQ(read.lesson.steps[1].questions[0].text.text, "Welche Threads?");
  const std::string said = to_text(read.diagnostics);
  EXPECT_THAT(said, HasSubstr("lesson.de.md:19: error: right: is no text"));
  EXPECT_THAT(said, HasSubstr("the step {#blocks} is not translated"));
  EXPECT_FALSE(read.ok());
}

TEST(LessonFormat, WhatIsNoTextIsRefused) {
  for (const std::string& text : {std::string(), std::string(3000, '\0'), std::string("---\n\xff\xfe\n---\n"),
                                  std::string(2 << 20, 'a'), std::string("## \n```\n")})
    EXPECT_FALSE(parse_lesson(text, "lesson.md").ok());
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson
