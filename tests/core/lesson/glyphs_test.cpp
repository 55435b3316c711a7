// Characters of a lesson that the window cannot draw are reported, with line and column.
#include "core/lesson/format/glyphs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/system/embedded.h"
#include "core/lesson/format/challenge.h"
#include "tests/core/lesson/examples.h"

namespace warplens::lesson {
namespace THIS_FILE {

using testing::HasSubstr;

std::string said(std::string_view text) { return to_text(undrawn_characters(text, "lesson.md")); }

bool has_fonts() { return !find_embedded("fonts/Inter-Regular").empty(); }

TEST(Glyphs, LettersOfEuropeAndOurSignsAreDrawn) {
  EXPECT_EQ(said("Straße, façade, Žluťoučký kůň, Ελληνικά, Кириллица, ⌈n / 4⌉ ≤ 5 × 2 → „ja“ … ★ µs"), "");
}

TEST(Glyphs, WhatNoFontHasIsSaidWithItsPlace) {
  if (!has_fonts()) GTEST_SKIP() << "this build has no fonts";
  EXPECT_THAT(
      said("one\ntwo 中 and 文\n中"),
      HasSubstr(
          "lesson.md:2:5: warning: the program's fonts have no sign for 中 (U+4E2D), here and once more"));
  EXPECT_THAT(said("one\ntwo 中 and 文"),
              HasSubstr("lesson.md:2:11: warning: the program's fonts have no sign "
                        "for 文 (U+6587):"));
  EXPECT_THAT(said("😀"), HasSubstr("(U+1F600)"));
}

TEST(Glyphs, OfManyCharactersTheFirstAreSaid) {
  if (!has_fonts()) GTEST_SKIP() << "this build has no fonts";
  const std::vector<Diagnostic> all = undrawn_characters("一丁七万丈三上下\n不与丐丑", "lesson.md");
  ASSERT_EQ(all.size(), 9u);
  EXPECT_EQ(all.back().line, 2u);
  EXPECT_THAT(all.back().message, HasSubstr("no sign for 4 other characters"));
}

TEST(Glyphs, ScriptsThatAreNotDrawnRightlyAreSaidOnce) {
  EXPECT_THAT(said("a\nשלום עולם"),
              HasSubstr("lesson.md:2:1: warning: ש (U+05E9) is Hebrew, here and 7 times"));
  EXPECT_THAT(said("مرحبا"),
              HasSubstr("is Arabic, here and 4 times more: the window writes from left to right"));
  EXPECT_THAT(said("नमस्ते"), HasSubstr("is Devanagari, here and 5 times more: its letters change"));
  EXPECT_THAT(said("  สวัสดี"), HasSubstr("lesson.md:1:3: warning: ส (U+0E2A) is Thai"));
  EXPECT_EQ(undrawn_characters("שלום\nעולם", "lesson.md").size(), 1u);
}

TEST(Glyphs, LettersInTwoPartsAreSaid) {
  EXPECT_THAT(said("U\xcc\x88"
                   "ber"),
              HasSubstr("lesson.md:1:2: warning: U+0308 is a mark that joins the letter before it"));
}

TEST(Glyphs, WhatIsNoUtf8IsNoneOfIt) {
  EXPECT_EQ(said("\xff\xfe\x80\xc3"), "");
  EXPECT_EQ(said(std::string_view("\xe4\xb8", 2)), "");
}

TEST(Glyphs, ALessonAndAChallengeSayItOfTheirFiles) {
  Folder folder = example_lesson();
  folder.files["lesson.md"] = replaced(folder.files["lesson.md"], "Three blocks", "שלום blocks");
  folder.files["lesson.he.md"] = "---\ntitle: א\nabout: א\n---\n";
  folder.files["own.cu"] = "// नमस्ते\n";
  folder.files["notes.txt"] = "नमस्ते";
  const LoadedLesson read = load_lesson(folder);
  EXPECT_TRUE(read.ok());
  EXPECT_THAT(to_text(read.diagnostics), HasSubstr("lesson.md:18:1: warning: ש"));
  EXPECT_THAT(to_text(read.diagnostics), HasSubstr("own.cu:1:4: warning: न"));
  EXPECT_EQ(to_text(read.diagnostics).find("notes.txt"), std::string::npos);
  EXPECT_EQ(to_text(read.diagnostics).find("lesson.he.md"), std::string::npos);
  EXPECT_THAT(to_text(load_lesson(folder, "he").diagnostics), HasSubstr("lesson.he.md:2:8: warning: א"));
  Folder challenge = example_challenge();
  challenge.files["challenge.md"] = replaced(challenge.files["challenge.md"], "title: Mind", "title: ถ");
  EXPECT_THAT(to_text(load_challenge(challenge).diagnostics), HasSubstr("challenge.md:3:8: warning: ถ"));
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson
