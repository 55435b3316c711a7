#include "core/compile/one_entry.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

constexpr std::string_view head = R"(.version 8.8
.target sm_80
.address_size 64
)";

TEST(OneEntry, KeepsFunctionsVariablesAndTheHead) {
  const std::string text = std::string(head) + R"(
.global .align 4 .u32 counter;
	// .entry is a word here, with a } behind it
.visible .entry first(
	.param .u64 first_param_0
)
.maxntid 128, 1, 1
{
	.pragma "nounroll } ";
	{
	ret;
	}
}
.func helper()
{
	ret;
}
.weak
.entry second()
{
	ret; /* } */
}
.entry first_of_all() { ret; }
.section .debug_str { }
)";
  const std::string first = with_one_entry(text, "first");
  EXPECT_EQ(first, std::string(head) + R"(
.global .align 4 .u32 counter;
	// .entry is a word here, with a } behind it
.visible .entry first(
	.param .u64 first_param_0
)
.maxntid 128, 1, 1
{
	.pragma "nounroll } ";
	{
	ret;
	}
}
.func helper()
{
	ret;
}


.section .debug_str { }
)");
  const std::string second = with_one_entry(text, "second");
  EXPECT_TRUE(second.starts_with(head));
  EXPECT_EQ(second.find("first"), std::string::npos);
  EXPECT_NE(second.find(".weak\n.entry second()\n{\n\tret; /* } */\n}"), std::string::npos);
  EXPECT_NE(second.find(".func helper()"), std::string::npos);
}

TEST(OneEntry, TakesTextThatEndsEarly) {
  for (const std::string_view text :
       {"", ".entry", ".visible .entry a(", ".entry a() {", "/*", "\"", ".entry b() {} }"})
    EXPECT_LE(with_one_entry(text, "a").size(), text.size());
  EXPECT_EQ(with_one_entry(".entry a() { ret; }", "a"), ".entry a() { ret; }");
  EXPECT_EQ(with_one_entry(".extern .entry b();.entry a() { ret; }", "a"), ".entry a() { ret; }");
}

}  // namespace THIS_FILE
}  // namespace warplens
