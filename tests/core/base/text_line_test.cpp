#include "core/base/text_line.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

TEST(TextLine, IsFoundByItsNumber) {
  EXPECT_EQ(line_of("a\n  b;\r\n\nc", 2), "  b;\r");
  EXPECT_EQ(line_of("a\n", 2), "");
  EXPECT_EQ(line_of("a", 0), "");
  EXPECT_EQ(trimmed_line_of("a\n  b;\r\n\nc", 2), "b;");
  EXPECT_EQ(trimmed_line_of("a\n  b;\r\n\nc", 3), "");
  EXPECT_EQ(trimmed_line_of("a\n  b;\r\n\nc", 4), "c");
  EXPECT_EQ(trimmed_line_of("a\n  b;\r\n\nc", 5), "");
  EXPECT_EQ(trimmed_line_of("", 1), "");
}

}  // namespace THIS_FILE
}  // namespace warplens
