// The values that findings name.
#include <gtest/gtest.h>

#include "core/gpu/sanitize/places.h"
#include "tests/core/gpu/engine/support.h"

namespace warplens {
namespace THIS_FILE {

using ptx::Modifier;
using test::kernel;
using test::Request;

template <class T>
std::string text(Modifier type, std::optional<DType> element, T value) {
  return sanitize::value_text(type, element, &value, sizeof value);
}

TEST(FindingValues, AreThoseOfTheArraysType) {
  EXPECT_EQ(text(Modifier::u32, DType::i32, int32_t{-3}), "-3");
  EXPECT_EQ(text(Modifier::u32, DType::u32, uint32_t{4294967293}), "4294967293");
  EXPECT_EQ(text(Modifier::b32, DType::f32, -0.5f), "-0.5");
  EXPECT_EQ(text(Modifier::u64, DType::i64, int64_t{-1}), "-1");
  EXPECT_EQ(text(Modifier::u64, DType::f64, 2.5), "2.5");
  EXPECT_EQ(text(Modifier::u16, DType::i16, int16_t{-2}), "-2");
}

// PTX calls an int .u32, so without the array's type both readings are given, if they differ.
TEST(FindingValues, AreBothWhereNobodyKnowsTheSign) {
  EXPECT_EQ(text(Modifier::u32, std::nullopt, int32_t{7}), "7");
  EXPECT_EQ(text(Modifier::u32, std::nullopt, int32_t{-3}), "-3 (unsigned: 4294967293)");
  EXPECT_EQ(text(Modifier::u64, DType::u8, int64_t{-1}), "-1 (unsigned: 18446744073709551615)");
  EXPECT_EQ(text(Modifier::u32, DType::f64, int32_t{-3}), "-3 (unsigned: 4294967293)")
      << "elements of another width say nothing";
  EXPECT_EQ(text(Modifier::s32, std::nullopt, int32_t{-3}), "-3");
  EXPECT_EQ(text(Modifier::u8, std::nullopt, uint8_t{200}), "200");
}

TEST(FindingValues, OfARaceOfIntsAreNegative) {
  Request request(kernel("race", 1, "mov.u32 %r0, %tid.x; not.b32 %r1, %r0; st.global.u32 [%p0], %r1; ret;"));
  request.buffer("out", std::vector<int32_t>(1), DType::i32);
  request.launch("race", {1, 1, 1}, {64, 1, 1});
  request.value.sanitize = Sanitize::all;
  const auto result = request.run();
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_FALSE(result->findings.empty());
  const Incident& race = result->findings.front();
  EXPECT_EQ(race.kind, IncidentKind::race);
  EXPECT_EQ(race.value[0], '-') << race.value;
  EXPECT_EQ(race.message.find("42949"), std::string::npos) << race.message;
}

}  // namespace THIS_FILE
}  // namespace warplens
