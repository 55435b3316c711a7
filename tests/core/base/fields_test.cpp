// Structures that are described once: core/base/fields.h.
#include "core/base/fields.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

// Not an unnamed namespace: counting members names a conversion to each type.
namespace warplens::fields_test {

enum class Three : uint8_t { a, b, c };
enum class Wide : int { one };

struct Inner {
  int number = 0;
};
struct Outer {
  std::string text;
  std::optional<Inner> maybe = {};
  std::vector<Inner> many = {};
  std::array<uint32_t, 3> triple{};
  Three three = Three::a;
};

auto fields(Is<Outer> auto& o) {
  return std::tuple(Field("text", o.text), Field("maybe", o.maybe), Field("many", o.many),
                    Field("triple", o.triple), Field("three", o.three));
}

TEST(Fields, MembersAreCountedAsTheyAre) {
  EXPECT_EQ(fields_detail::members<Inner>(), 1u);
  EXPECT_EQ(fields_detail::members<Outer>(), 5u);
}

TEST(Fields, EachMemberIsVisitedOnceByName) {
  Outer outer{.text = "words", .three = Three::c};
  std::vector<std::string_view> names;
  each_field(outer, [&](std::string_view name, auto&) { names.push_back(name); });
  EXPECT_EQ(names, (std::vector<std::string_view>{"text", "maybe", "many", "triple", "three"}));
  each_field(outer, []<class T>(std::string_view, T& member) {
    if constexpr (std::is_same_v<T, std::string>) member = "changed";
  });
  EXPECT_EQ(outer.text, "changed");
}

TEST(Fields, PairsAreTheSameMembers) {
  Outer a, b{.text = "from b", .three = Three::b};
  each_pair(a, b, [](auto& to, const auto& from) { to = from; });
  EXPECT_EQ(a.text, "from b");
  EXPECT_EQ(a.three, Three::b);
}

TEST(Fields, NumbersThatAreNoEnumeratorsAreKnown) {
  for (int i = 0; i < 256; ++i) EXPECT_EQ(is_enumerator(static_cast<Three>(i)), i < 3) << i;
  EXPECT_TRUE(is_enumerator(Wide::one));
  EXPECT_FALSE(is_enumerator(static_cast<Wide>(1)));
  EXPECT_FALSE(is_enumerator(static_cast<Wide>(-1)));
}

}  // namespace warplens::fields_test
