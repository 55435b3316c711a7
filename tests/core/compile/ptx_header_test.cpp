#include "core/compile/ptx_header.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

TEST(PtxHeader, ReadsVersionAndTarget) {
  auto header =
      read_ptx_header("//\n// .version 1.0 in a comment\n\n.version 8.8\n.target sm_50\n.address_size 64\n");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->isa_major, 8u);
  EXPECT_EQ(header->isa_minor, 8u);
  EXPECT_EQ(header->target, 50u);
  EXPECT_EQ(header->target_suffix, "");
}

TEST(PtxHeader, ReadsSuffixesAndOddSpacing) {
  auto header = read_ptx_header("  .version\t9.0\r\n  .target\tsm_120f, debug\r\n");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->isa_major, 9u);
  EXPECT_EQ(header->target, 120u);
  EXPECT_EQ(header->target_suffix, "f");
  EXPECT_EQ(read_ptx_header(".version 8.0\n.target sm_90a")->target_suffix, "a");
}

TEST(PtxHeader, RefusesOtherTexts) {
  for (const char* text :
       {"", ".version", ".version 8.8", ".version x.y\n.target sm_50\n", ".version 8.8\n.target compute_50\n",
        ".versions 8.8\n.target sm_50", ".version 8\n.target sm_50", "// .version 8.8\n// .target sm_50"})
    EXPECT_FALSE(read_ptx_header(text)) << text;
}

}  // namespace THIS_FILE
}  // namespace warplens
