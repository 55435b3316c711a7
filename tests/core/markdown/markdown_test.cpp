// Texts of lessons and the manual as blocks.
#include "core/markdown/markdown.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warplens::markdown {
namespace THIS_FILE {

using Kind = Block::Kind;

// "*strong*", "`code`", and other words as they are.
std::string text_of(const Spans& spans) {
  std::string text;
  for (const Span& span : spans) {
    const std::string mark = span.code ? "`" : span.strong ? "*" : "";
    text.append(mark).append(span.text).append(mark);
  }
  return text;
}

// A line for each block: its kind, level and mark, and its words.
std::string blocks_of(std::string_view text) {
  std::string all;
  for (const Block& block : read(text)) {
    const char* kinds[] = {"paragraph", "heading", "code", "table", "picture", "rule"};
    all += kinds[size_t(block.kind)];
    if (block.level > 0) all += " " + std::to_string(block.level);
    if (!block.mark.empty()) all += " " + block.mark;
    if (!block.spans.empty()) all += ": " + text_of(block.spans);
    if (!block.text.empty()) all += " <" + block.text + ">";
    for (const std::vector<Spans>& row : block.rows) {
      all += " [";
      for (const Spans& cell : row) all += text_of(cell) + "|";
      all += "]";
    }
    all += "\n";
  }
  return all;
}

TEST(Markdown, LinesOfAParagraphAreOne) {
  EXPECT_EQ(blocks_of("one\ntwo\n\n\nthree\r\nfour\n"), "paragraph: one two\nparagraph: three four\n");
  EXPECT_EQ(blocks_of("one  \ntwo\\\nthree"), "paragraph: one\ntwo\nthree\n");
  EXPECT_EQ(blocks_of(""), "");
  EXPECT_EQ(blocks_of(" \n\t\n"), "");
}

TEST(Markdown, StrongAndCodeAreSpans) {
  EXPECT_EQ(blocks_of("a **b `c*d` e** *f* `g`."), "paragraph: a *b *`c*d`* e* f `g`.\n");
  EXPECT_EQ(blocks_of("**a *b **c** d* e**"), "paragraph: *a b c d e*\n");
  EXPECT_EQ(blocks_of("***both***, in**si**de"), "paragraph: *both*, in*si*de\n");
  EXPECT_EQ(blocks_of("`` a`b ``, ` `` `"), "paragraph: `a`b`, ````\n");
}

TEST(Markdown, MarksWithoutPartnerAreWords) {
  EXPECT_EQ(blocks_of("2 * 3 * 4, a*b, **c, `d, _e, [f], <g>, &lt;"),
            "paragraph: 2 * 3 * 4, a*b, **c, `d, _e, [f], <g>, &lt;\n");
  EXPECT_EQ(blocks_of("thread_idx_x and `__global__`, \\*kept\\*"),
            "paragraph: thread_idx_x and `__global__`, *kept*\n");
  EXPECT_EQ(blocks_of("    indented\n\n<b>\nHTML"), "paragraph: indented\nparagraph: <b> HTML\n");
}

TEST(Markdown, HeadingsAndRules) {
  EXPECT_EQ(blocks_of("# A `b`\ntext\n### C ###\n#d\n\n---\nE\n==="),
            "heading 1: A `b`\nparagraph: text\nheading 3: C\nparagraph: #d\nrule\nheading 1: E\n");
}

TEST(Markdown, ListsHaveMarksAndLevels) {
  EXPECT_EQ(
      blocks_of("words\n- a\n  b\n- c\n\n9. d\n1. e"),
      "paragraph: words\nparagraph 1 •: a b\nparagraph 1 •: c\nparagraph 1 9.: d\nparagraph 1 10.: e\n");
  EXPECT_EQ(blocks_of("- a\n  1) b\n\n     c\n- ```\n  d\n  ```\n-"),
            "paragraph 1 •: a\nparagraph 2 1): b\nparagraph 2: c\ncode 1 • <d>\nparagraph 1 •\n");
  EXPECT_EQ(blocks_of("> quoted\n> - a\n\nb"), "paragraph 1: quoted\nparagraph 2 •: a\nparagraph: b\n");
  // A number that a text has filled in begins no list within a paragraph.
  EXPECT_EQ(blocks_of("The grid has\n3. In a program"), "paragraph: The grid has 3. In a program\n");
}

TEST(Markdown, CodeKeepsItsLines) {
  EXPECT_EQ(blocks_of("```diff\n-a\n\n +b **c**\n```\nd"), "code <-a\n\n +b **c**>\nparagraph: d\n");
  EXPECT_EQ(blocks_of("a\n```\nnot closed"), "paragraph: a\ncode <not closed>\n");
  EXPECT_EQ(blocks_of("```\n```"), "code\n");
}

TEST(Markdown, TablesHaveRowsOfCells) {
  EXPECT_EQ(blocks_of("|a|**b**|\n|---|:-:|\n|`c`|\n|d|e|f|\n\ng"),
            "table [a|*b*|] [`c`||] [d|e|]\nparagraph: g\n");
  EXPECT_EQ(blocks_of("|a|\nno table"), "paragraph: |a| no table\n");
}

TEST(Markdown, ATableThatIsTooWideStaysText) {
  std::string wide = "**a**\n\n|", line = "|";
  for (int i = 0; i < 16; ++i) {
    wide += "x|";
    line += "-|";
  }
  const std::vector<Block> blocks = read(wide + "\n" + line + "\n|y|");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(text_of(blocks[0].spans), "*a*");
  EXPECT_EQ(blocks[1].kind, Kind::paragraph);
}

TEST(Markdown, APictureIsABlock) {
  EXPECT_EQ(
      blocks_of("a ![b **c**](d.png) e\n![](f.png)\n\n- ![g](h.png \"i\")"),
      "paragraph: a \npicture: b *c* <d.png>\nparagraph:  e \npicture <f.png>\npicture 1 •: g <h.png>\n");
  EXPECT_EQ(blocks_of("# a ![b](c.png)"), "heading 1: a b\n");
  const std::string name(1000, 'n');
  EXPECT_EQ(read("![a](" + name + ")")[0].text.size(), 255u);
}

TEST(Markdown, OfLinksTheWordsStay) {
  EXPECT_EQ(blocks_of("[a `b`](c.md), <https://d.example>, [e][f]\n\n[f]: g"),
            "paragraph: a `b`, https://d.example, e\n");
}

TEST(Markdown, ALineBeginsNoBlock) {
  for (const std::string text :
       {"1. warp", "- 3", "+ x", "> 5", "# a", "```", "---", "|a|", "    a", "[a]: b", ""})
    EXPECT_EQ(plain_text(read_line(text)), text);
  EXPECT_EQ(text_of(read_line("**a** and `b`")), "*a* and `b`");
  EXPECT_EQ(text_of(read_line("\"**a**\"\n- b")), "\"*a*\" - b");
  EXPECT_EQ(text_of(read_line("*\"a\"*, **`b`**")), "\"a\", `b`");
  EXPECT_EQ(text_of(strong(read_line("a `b` c"))), "*a *`b`* c*");
  EXPECT_EQ(plain_text(read_line("a `b` **c** ![d](e)")), "a b c ");
}

TEST(Markdown, AnyBytesAreRead) {
  EXPECT_EQ(plain_text(read(std::string_view("a\0b", 3))[0].spans), "a\uFFFDb");
  EXPECT_EQ(plain_text(read("\xff\xc3 **\x80**")[0].spans), "\xff\xc3 \x80");
  EXPECT_EQ(read(std::string(1000, '>') + "a")[0].level, 1000u);
  EXPECT_TRUE(read(std::string(100'000, '>')).empty());
  EXPECT_EQ(read(std::string(100'000, '`')).size(), 1u);
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "**a *b [c](d) `e\n";
  EXPECT_FALSE(read(text).empty());
}

}  // namespace THIS_FILE
}  // namespace warplens::markdown
