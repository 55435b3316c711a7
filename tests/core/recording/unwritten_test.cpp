// What is said of bytes that come back although nothing has written them.
#include "core/recording/unwritten.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace warplens::recording {
namespace THIS_FILE {

using testing::HasSubstr;

std::vector<uint8_t> notes(size_t bytes, size_t by_kernel, uint8_t rest = 0) {
  std::vector<uint8_t> all(bytes, rest);
  std::fill_n(all.begin(), by_kernel, static_cast<uint8_t>(rest | written_by_kernel));
  return all;
}

// A whole array is copied, at line 23.
std::string said(const std::vector<uint8_t>& written, uint32_t element, const ArrayWriter& writer,
                 bool all = false) {
  const auto text = unwritten_text({.written = written,
                                    .width = written.size(),
                                    .pitch = written.size(),
                                    .element_bytes = element,
                                    .writer = &writer,
                                    .was_given = true,
                                    .tell_all = all,
                                    .line = 23});
  return text ? text->what + " " + text->advice : "";
}

const ArrayWriter three_blocks{{3, 1, 1}, {256, 1, 1}, {1000}};

TEST(Unwritten, TheEdgeOfTheGridIsNamed) {
  const std::string text =
      "232 of the 1,000 elements that line 23 copies back were never written: elements 768 to 999. 3 blocks "
      "of "
      "256 threads cover 768; (n + 255) / 256 covers all.";
  EXPECT_EQ(said(notes(4000, 3072), 4, three_blocks), text);
  // Without a type, what a thread writes is an element.
  EXPECT_EQ(said(notes(4000, 3072), 0, three_blocks), text);
  EXPECT_EQ(said(notes(1000, 768), 0, three_blocks), text);
  EXPECT_THAT(said(notes(769, 768), 0, three_blocks),
              HasSubstr("1 of the 769 elements that line 23 copies back was "
                        "never written: element 768. "));
  EXPECT_THAT(said(notes(16000, 12288), 4, {{3, 1, 1}, {256, 1, 1}, {}}),
              HasSubstr("3 blocks of 256 threads, with 4 elements each, cover 3,072; (n + 1023) / 1024"));
}

TEST(Unwritten, WhereTheRestWasClearedTheKernelKnowsTheSizeAndTheGridIsRoundedDown) {
  EXPECT_THAT(said(notes(4000, 3072, written_by_host), 4, three_blocks),
              HasSubstr("were written by no kernel: elements 768 to 999. 3 blocks"));
  EXPECT_EQ(said(notes(4000, 3072, written_by_host), 4, {{3, 1, 1}, {256, 1, 1}, {768}}), "");
  // Half of the array is no rounding.
  EXPECT_EQ(said(notes(4000, 2048, written_by_host), 4, {{2, 1, 1}, {256, 1, 1}, {1000}}), "");
}

TEST(Unwritten, APartOfAnotherSizeIsLeftToTheProgram) {
  EXPECT_EQ(said(notes(4000, 2000), 4, three_blocks), "");  // a filter's output
  auto border = notes(4000, 4000);
  border[0] = border[3999] = 0;
  EXPECT_EQ(said(border, 4, three_blocks), "");
  EXPECT_THAT(
      said(border, 1, three_blocks, true),
      HasSubstr("2 of the 4,000 elements that line 23 copies back were never written, the first at byte 0"));
  EXPECT_EQ(said(notes(4000, 4000), 4, three_blocks, true), "");
}

TEST(Unwritten, NothingAtAll) {
  EXPECT_THAT(
      said(notes(4000, 0), 4, three_blocks),
      HasSubstr("None of the 1,000 elements that line 23 copies back was ever written. A kernel was given"));
  const auto empty = notes(4000, 0);
  const auto text = unwritten_text({.written = empty, .begin = 16, .width = 8, .pitch = 8});
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(text->what, "None of the 8 bytes that a copy brings back was ever written.");
  EXPECT_THAT(text->advice, HasSubstr("No kernel was given this array before the copy"));
}

TEST(Unwritten, RowsAndColumns) {
  const ArrayWriter writer{{6, 4, 1}, {16, 16, 1}, {100, 60}};
  std::vector<uint8_t> plane(6000);
  for (size_t y = 0; y < 60; ++y)
    std::fill_n(plane.begin() + static_cast<std::ptrdiff_t>(y * 100), 96, uint8_t{1});
  EXPECT_THAT(said(plane, 1, writer),
              HasSubstr("240 of the 6,000 elements that line 23 copies back were never "
                        "written: columns 96 to 99. In x, 6 blocks of 16 threads cover 96"));
  plane[97] = 1;  // no thread of the grid has that column
  EXPECT_EQ(said(plane, 1, writer), "");
  EXPECT_THAT(
      said(notes(6000, 4800), 1, {{7, 3, 1}, {16, 16, 1}, {100}}),
      HasSubstr(
          "1,200 of the 6,000 elements that line 23 copies back were never written: rows 48 to 59. In y, "
          "3 blocks of 16 threads cover 48; (height + 15) / 16"));
}

}  // namespace THIS_FILE
}  // namespace warplens::recording
