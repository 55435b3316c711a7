#include "core/kernels/fill.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

namespace warplens {
namespace THIS_FILE {

template <class T>
std::vector<T> values(const Bytes& bytes) {
  std::vector<T> result(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

TEST(Fill, IndexCounts) {
  EXPECT_EQ(values<int32_t>(fill_index(DType::i32, 4)), (std::vector<int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(values<double>(fill_index(DType::f64, 3)), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(values<uint8_t>(fill_index(DType::u8, 300))[257], 1);
  EXPECT_EQ(values<uint16_t>(fill_index(DType::f16, 2))[1], 0x3c00);
  EXPECT_TRUE(fill_index(DType::f32, 0).empty());
}

TEST(Fill, RandomStaysInItsRangeAndFillsIt) {
  double sum = 0;
  for (float value : values<float>(fill_random(DType::f32, 100'000, -1, 3, 7, 0))) {
    ASSERT_GE(value, -1.f);
    ASSERT_LT(value, 3.f);
    sum += double(value);
  }
  EXPECT_NEAR(sum / 100'000, 1.0, 0.02);
  int seen[3] = {};
  for (int32_t value : values<int32_t>(fill_random(DType::i32, 3000, -1, 2, 7, 0))) {
    ASSERT_TRUE(value >= -1 && value <= 1) << value;
    ++seen[value + 1];
  }
  for (int count : seen) EXPECT_NEAR(count, 1000, 150);
  // A range so narrow that rounding to float reaches its end.
  for (float value : values<float>(fill_random(DType::f32, 1000, 1.0, 1.0 + 0x1p-22, 1, 0)))
    EXPECT_LT(double(value), 1.0 + 0x1p-22);
}

TEST(Fill, RandomDependsOnSeedStreamAndIndexAlone) {
  const Bytes long_one = fill_random(DType::f32, 100, 0, 1, 1, 0),
              short_one = fill_random(DType::f32, 10, 0, 1, 1, 0);
  EXPECT_TRUE(std::equal(short_one.begin(), short_one.end(), long_one.begin()));
  EXPECT_NE(fill_random(DType::f32, 10, 0, 1, 2, 0), short_one);
  EXPECT_NE(fill_random(DType::f32, 10, 0, 1, 1, 1), short_one);
  EXPECT_NE(fill_random(DType::f32, 10, 0, 1, 0, 0), short_one);
}

TEST(Fill, ScalarsKeepTheirBits) {
  EXPECT_EQ(encode_scalar(-1, DType::i32) & 0xffffffffu, 0xffffffffu);
  EXPECT_EQ(encode_scalar(1.5, DType::f32), std::bit_cast<uint32_t>(1.5f));
  EXPECT_EQ(encode_scalar(1.5, DType::f64), std::bit_cast<uint64_t>(1.5));
  EXPECT_EQ(encode_scalar(1.5, DType::f16), 0x3e00u);
  EXPECT_EQ(encode_scalar(18446744073709549568.0, DType::u64), 18446744073709549568u);
  EXPECT_EQ(encode_scalar(1e300, DType::u64), 18446744073709549568u);
  EXPECT_EQ(encode_scalar(-1e300, DType::i64), uint64_t{1} << 63);
}

}  // namespace THIS_FILE
}  // namespace warplens
