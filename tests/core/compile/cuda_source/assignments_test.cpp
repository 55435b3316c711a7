#include "core/compile/cuda_source/assignments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(Assignments, AreFoundByLine) {
  auto lines = assignments_in(
      "int x = 1, y;\n"
      "y = x == 2;\n"
      "x += y; ++y;\n"
      "z <<= 3; w -- ;\n"
      "if (x <= y || x >= y || x != y) f(x);\n");
  EXPECT_THAT(lines["x"], ElementsAre(1, 3));
  EXPECT_THAT(lines["y"], ElementsAre(2, 3));
  EXPECT_THAT(lines["z"], ElementsAre(4));
  EXPECT_THAT(lines["w"], ElementsAre(4));
  EXPECT_THAT(lines["f"], IsEmpty());
}

TEST(Assignments, LeaveOutMembersElementsCommentsAndTexts) {
  auto lines = assignments_in(
      "p.x = 1; q->x = 2; a[i] = 3;\n"
      "// x = 4\n"
      "/* x = 5\n x = 6 */ printf(\"x = 7\"); char c = '='; x = 1'000;\n");
  EXPECT_THAT(lines["x"], ElementsAre(4));
  EXPECT_THAT(lines["a"], IsEmpty());
  EXPECT_THAT(lines["c"], ElementsAre(4));
}

TEST(Assignments, ThroughAPointerAreNone) {
  auto lines = assignments_in("p = q;\n*p = 1;\n* p += 2;\n*p++ = 3;\nint* r = p;\n");
  EXPECT_THAT(lines["p"], ElementsAre(1, 4));
  EXPECT_THAT(lines["r"], IsEmpty());
}

// A text may end anywhere: in a comment, in quotes, before the assigned value.
TEST(Assignments, EndWhereTheTextDoes) {
  for (const char* text :
       {"", "x", "x +", "x ==", "++", "\"", "\"x = 1", "'", "'\\", "/*", "/* x = 1", "//", "// x = 1"})
    EXPECT_THAT(assignments_in(text), IsEmpty()) << text;
  for (const char* text : {"x =", "x +=", "x <<=", "++x", "x--", "x = \"", "x = /*", "x = '\\"})
    EXPECT_THAT(assignments_in(text), ElementsAre(Pair("x", ElementsAre(1)))) << text;
}

}  // namespace THIS_FILE
}  // namespace warplens
