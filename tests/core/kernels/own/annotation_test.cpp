#include "core/kernels/own/annotation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

Annotation read(const std::string& text) { return parse_annotation(text, "my.cu", 0, text.size()); }

TEST(Annotation, ReadsTheLineOfTheDocumentation) {
  const Annotation a = read(
      "// warplens: x=float32[n] random(1), y=float32[n] index, out=float32[n] zero, n=10000, "
      "grid=ceil(n/256), block=256, image=rgb8\n");
  EXPECT_TRUE(a.diagnostics.empty()) << to_text(a.diagnostics);
  ASSERT_EQ(a.arguments.size(), 5u);
  EXPECT_EQ(a.arguments[0].name, "x");
  EXPECT_EQ(a.arguments[0].dtype, DType::f32);
  EXPECT_EQ(a.arguments[0].fill, Fill::random);
  EXPECT_EQ(a.arguments[0].seed, 1u);
  EXPECT_EQ(a.arguments[0].extents[0].text, "n");
  EXPECT_EQ(a.arguments[1].fill, Fill::index);
  EXPECT_EQ(a.arguments[2].fill, Fill::zero);
  EXPECT_EQ(a.arguments[3].value, 10000);
  EXPECT_EQ(a.grid[0].text, "ceil(n/256)");
  EXPECT_EQ(a.block, (Dim3{256, 1, 1}));
  EXPECT_EQ(a.picture_channels, 3u);
}

TEST(Annotation, TakesSeveralLinesRangesAxesAndExpressions) {
  const Annotation a = read(
      "int x;  // warplens: a=uint8[width, height, 3] image input\n"
      "//warplens:   n=5 in 1..9 , scale = width / 2\n"
      "/// warplens: block=16x8, threads=(width, min(height, 4))\r\n"
      "// warplens: r=int32[4] random(7, -3, 3) output\n");
  EXPECT_TRUE(a.diagnostics.empty()) << to_text(a.diagnostics);
  ASSERT_EQ(a.arguments.size(), 4u);
  EXPECT_EQ(a.arguments[0].extents.size(), 3u);
  EXPECT_EQ(a.arguments[0].output, false);
  EXPECT_EQ(a.arguments[1].range, (std::pair<double, double>{1, 9}));
  EXPECT_EQ(a.arguments[2].expression.text, "width / 2");
  EXPECT_EQ(a.arguments[3].low, -3);
  EXPECT_EQ(a.arguments[3].seed, 7u);
  EXPECT_EQ(a.block, (Dim3{16, 8, 1}));
  EXPECT_EQ(a.threads[1].text, "min(height, 4)");
}

struct Wrong {
  const char* line;
  uint32_t column;
  const char* says;
};

TEST(Annotation, SaysWhereAndWhatToWrite) {
  const Wrong wrongs[] = {
      {"// warplens: n", 14, "name=value"},
      {"// warplens: n=", 16, "n has no value"},
      {"// warplens: x=float[n]", 16, "float32"},
      {"// warplens: x=float32", 23, "float32[n]"},
      {"// warplens: x=float32[n", 23, "not closed"},
      {"// warplens: x=float32[n] zeros", 27, "zero, index, random"},
      {"// warplens: x=float32[n] zero(1)", 31, "random(seed"},
      {"// warplens: x=float32[n] random(-1)", 33, "random(seed"},
      {"// warplens: x=float32[n] random(1, 2)", 33, "random(seed"},
      {"// warplens: x=float32[n] formula(3 * (i + 1)", 34, "formula(10 * i)"},
      {"// warplens: x=float32[n] formula()", 34, "formula(10 * i)"},
      {"// warplens: x=float32[1,2,3,4]", 30, "at most three"},
      {"// warplens: x=float32[]", 24, "a size is missing"},
      {"// warplens: n=3 in 4..5", 21, "low..high"},
      {"// warplens: n=3, n=4", 19, "has a value already, in line 1"},
      {"// warplens: block=0", 20, "is no block"},
      {"// warplens: block=1x2x3x4", 20, "is no block"},
      {"// warplens: block=8, block=9", 29, "given already"},
      {"// warplens: grid=1, threads=2", 30, "given already"},
      {"// warplens: grid=(1,,2)", 19, "up to three"},
  };
  for (const Wrong& wrong : wrongs) {
    const Annotation a = read(wrong.line);
    ASSERT_EQ(a.diagnostics.size(), 1u) << wrong.line << "\n" << to_text(a.diagnostics);
    EXPECT_EQ(a.diagnostics[0].line, 1u);
    EXPECT_EQ(a.diagnostics[0].column, wrong.column) << wrong.line << ": " << a.diagnostics[0].message;
    EXPECT_THAT(a.diagnostics[0].message, HasSubstr(wrong.says));
  }
}

TEST(Annotation, ReadsOnlyItsPartOfTheText) {
  const std::string text = "// warplens: n=1\nfirst\n// warplens: n=2\n";
  EXPECT_EQ(parse_annotation(text, "f", 0, 17).arguments.at(0).value, 1);
  EXPECT_EQ(parse_annotation(text, "f", 17, text.size()).arguments.at(0).value, 2);
  EXPECT_EQ(parse_annotation(text, "f", 17, text.size()).arguments.at(0).place.line, 3u);
  EXPECT_FALSE(has_annotation("// warplen: n=2\n\"warplens: n=2\"", 0, 99));
}

}  // namespace THIS_FILE
}  // namespace warplens
