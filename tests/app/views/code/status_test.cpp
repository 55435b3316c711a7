#include "app/views/code/status.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

// A tag that says "measured" is only shown next to a time.
TEST(CodeStatus, IsMeasuredOnlyWhereItHoldsATime) {
  CodeState code;
  EXPECT_EQ(status_of(code).words, "built in");
  code.own = true;
  code.text = code.compiled = "kernel";
  code.compile_ms = 78.5;
  EXPECT_EQ(status_of(code).words, "compiled in 78.5 ms");
  EXPECT_TRUE(status_of(code).measured);
  code.diagnostics.emplace_back();  // an error
  EXPECT_EQ(status_of(code).words, "has errors");
  EXPECT_TRUE(status_of(code).errors);
  EXPECT_FALSE(status_of(code).measured) << "the time of an earlier compilation says nothing here";
  code.diagnostics.clear();
  code.text = "other";
  EXPECT_EQ(status_of(code).words, "edited, not run yet");
  EXPECT_FALSE(status_of(code).measured);
  code.wanted = 3;
  EXPECT_EQ(status_of(code).words, "compiling…");
}

}  // namespace THIS_FILE
}  // namespace warplens
