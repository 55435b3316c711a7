// Variables that are small enough each, and too many together.
#include <gtest/gtest.h>

#include <string>

#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {
namespace THIS_FILE {

std::string many(const std::string& space, uint32_t bytes, uint32_t count) {
  std::string text = ".visible .entry k()\n{\n";
  for (uint32_t i = 0; i < count; ++i)
    text += "." + space + " .b8 v" + std::to_string(i) + "[" + std::to_string(bytes) + "];\n";
  return module_text(text + "ret;\n}\n");
}

std::string errors(const std::string& ptx) { return decode(ptx, "k", ops_baseline()).errors; }

TEST(Space, MoreVariablesThanASpaceHoldsAreRefused) {
  // Together 4 GiB and 1 MiB: as a number of 32 bits they would look small.
  EXPECT_NE(errors(many("local", 512 << 10, 8194)).find("the variables in .local"), std::string::npos);
  EXPECT_NE(errors(many("shared", 1 << 20, 4097)).find("the variables in .shared"), std::string::npos);
  EXPECT_NE(errors(many("shared", 1 << 20, 2)).find("take 2097152 bytes"), std::string::npos);
  EXPECT_EQ(errors(many("local", 512 << 10, 2)), "");
  EXPECT_EQ(errors(many("shared", 1 << 20, 1)), "");
}

}  // namespace THIS_FILE
}  // namespace warplens::exec::test
