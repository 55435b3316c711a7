#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/kernels/catalogue.h"

namespace warplens {
namespace THIS_FILE {

template <class T>
Bytes bytes_of_values(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Check floats(const std::vector<float>& got, const std::vector<float>& want, double rtol) {
  return compare_buffers("out", DType::f32, bytes_of_values(got), bytes_of_values(want), rtol);
}

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

TEST(Compare, EqualBuffers) {
  Check check = floats({1, 2, nan, inf}, {1, 2, -nan, inf}, 0);
  EXPECT_TRUE(check.equal);
  EXPECT_EQ(check.elements, 4u);
  EXPECT_EQ(check.mismatches, 0u);
  EXPECT_FALSE(check.first_mismatch);
  EXPECT_EQ(check.message, "");
  EXPECT_TRUE(floats({}, {}, 0).equal);
}

TEST(Compare, TheFirstMismatchIsNamedWithItsValues) {
  Check check = floats({1, 3, 8}, {1, 4, 4}, 0);
  EXPECT_FALSE(check.equal);
  EXPECT_EQ(check.mismatches, 2u);
  EXPECT_EQ(check.first_mismatch, 1u);
  EXPECT_EQ(check.max_abs, 4);
  EXPECT_EQ(check.max_rel, 1);
  EXPECT_EQ(check.message, "out[1] is 3, but should be 4.");
}

TEST(Compare, ZeroToleranceIsBitForBit) {
  EXPECT_FALSE(floats({0.f}, {-0.f}, 0).equal);
  EXPECT_FALSE(floats({std::nextafter(1.f, 2.f)}, {1.f}, 0).equal);
  EXPECT_TRUE(floats({0.f}, {-0.f}, 1e-6).equal);
}

TEST(Compare, ToleranceIsRelativeToTheValueOrTheRms) {
  EXPECT_TRUE(floats({101}, {100}, 0.01).equal);
  EXPECT_FALSE(floats({102}, {100}, 0.01).equal);
  // rms of {100, 0} is 70.7: a small value may be off by as much as a large one.
  EXPECT_TRUE(floats({100, 0.7f}, {100, 0}, 0.01).equal);
  EXPECT_FALSE(floats({100, 0.8f}, {100, 0}, 0.01).equal);
}

TEST(Compare, InfinityAndNanMatchOnlyThemselves) {
  EXPECT_FALSE(floats({1}, {nan}, 1).equal);
  EXPECT_FALSE(floats({nan}, {1}, 1).equal);
  EXPECT_FALSE(floats({1}, {inf}, 1).equal);
  EXPECT_FALSE(floats({-inf}, {inf}, 1).equal);
  Check check = floats({nan, 2}, {1, 2}, 0);
  EXPECT_EQ(check.mismatches, 1u);
  EXPECT_EQ(check.max_abs, 0);  // a distance to NaN is no number
}

TEST(Compare, EveryType) {
  EXPECT_EQ(
      compare_buffers("g", DType::u8, bytes_of_values<uint8_t>({200}), bytes_of_values<uint8_t>({10}), 0)
          .message,
      "g[0] is 200, but should be 10.");
  EXPECT_EQ(
      compare_buffers("g", DType::i8, bytes_of_values<int8_t>({-3}), bytes_of_values<int8_t>({4}), 0).max_abs,
      7);
  EXPECT_FALSE(compare_buffers("g", DType::u64, bytes_of_values<uint64_t>({(1ull << 60) + 1}),
                               bytes_of_values<uint64_t>({1ull << 60}), 0)
                   .equal);
  EXPECT_TRUE(
      compare_buffers("g", DType::f64, bytes_of_values<double>({1e300}), bytes_of_values<double>({1e300}), 0)
          .equal);
  Check half = compare_buffers("h", DType::f16, bytes_of_values<uint16_t>({0x3c00, 0x0001}),
                               bytes_of_values<uint16_t>({0x3e00, 0x0001}), 0);
  EXPECT_EQ(half.message, "h[0] is 1, but should be 1.5.");
  EXPECT_EQ(half.mismatches, 1u);
  EXPECT_TRUE(compare_buffers("h", DType::f16, bytes_of_values<uint16_t>({0x7e00}),
                              bytes_of_values<uint16_t>({0xfe01}), 0)
                  .equal);
}

TEST(Compare, SizesMustBeEqual) {
  Check check = floats({1, 2}, {1, 2, 3}, 0);
  EXPECT_FALSE(check.equal);
  EXPECT_FALSE(check.message.empty());
  EXPECT_FALSE(compare_buffers("o", DType::f32, Bytes(3), Bytes(3), 0).equal);
}

}  // namespace THIS_FILE
}  // namespace warplens
