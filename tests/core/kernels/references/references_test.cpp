#include "core/kernels/references/references.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "core/kernels/catalogue.h"

namespace warplens {
namespace THIS_FILE {

HostArgument buffer(Bytes& bytes) { return {bytes, {}}; }
HostArgument integer(int32_t value) { return {{}, {DType::i32, static_cast<uint32_t>(value)}}; }

Bytes of_floats(const std::vector<float>& values) {
  Bytes bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
float float_at(const Bytes& bytes, size_t index) {
  float value;
  std::memcpy(&value, bytes.data() + 4 * index, 4);
  return value;
}

bool refer(std::string_view name, const std::vector<HostArgument>& arguments) {
  return find_reference(name)({.arguments = arguments});
}

TEST(References, GrayscaleOfEveryGrayIsItselfAndOfColoursTheWeightedSum) {
  Bytes rgb(256 * 3), gray(256);
  for (size_t i = 0; i < rgb.size(); ++i) rgb[i] = static_cast<std::byte>(i / 3);
  ASSERT_TRUE(refer("grayscale", std::vector{buffer(rgb), buffer(gray), integer(16), integer(16)}));
  for (size_t i = 0; i < 256; ++i) EXPECT_EQ(std::to_integer<size_t>(gray[i]), i);

  Bytes colours{std::byte{255}, {}, {}, {}, std::byte{255}, {}, {}, {}, std::byte{255}}, out(3);
  ASSERT_TRUE(refer("grayscale", std::vector{buffer(colours), buffer(out), integer(3), integer(1)}));
  EXPECT_EQ(out[0], std::byte{76});
  EXPECT_EQ(out[1], std::byte{150});
  EXPECT_EQ(out[2], std::byte{29});
}

TEST(References, MatmulOfOddSizesIsTheSum) {
  Bytes a = of_floats({1, 2, 3, 4, 5, 6}), b = of_floats({7, 8, 9, 10, 11, 12}), c(16);
  ASSERT_TRUE(refer("matmul_tiled",
                    std::vector{buffer(a), buffer(b), buffer(c), integer(2), integer(2), integer(3)}));
  EXPECT_EQ(float_at(c, 0), 58.f);
  EXPECT_EQ(float_at(c, 1), 64.f);
  EXPECT_EQ(float_at(c, 2), 139.f);
  EXPECT_EQ(float_at(c, 3), 154.f);
}

TEST(References, MandelbrotIsBlackInsideAndBlueOutside) {
  Bytes rgb(3 * 3);
  auto real = [](float value) { return HostArgument{{}, {DType::f32, std::bit_cast<uint32_t>(value)}}; };
  // Pixels at -2.5, 0 and 2.5.
  ASSERT_TRUE(refer("mandelbrot", std::vector{buffer(rgb), integer(3), integer(1), real(0), real(0),
                                              real(2.5f), integer(100)}));
  for (size_t i = 3; i < 6; ++i) EXPECT_EQ(rgb[i], std::byte{0});
  EXPECT_GT(std::to_integer<int>(rgb[2]), 0);
  EXPECT_EQ(rgb[2], rgb[8]);
}

TEST(References, RipplesMoveWithTimeAndComeBackAfterASecond) {
  constexpr int width = 31, height = 17;
  Bytes in(3 * width * height), out(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = std::byte(i % 251);
  const auto real = [](float value) {
    return HostArgument{{}, {DType::f32, std::bit_cast<uint32_t>(value)}};
  };
  const auto at = [&](float time, float amplitude) {
    EXPECT_TRUE(refer("ripple", std::vector{buffer(in), buffer(out), integer(width), integer(height),
                                            real(time), real(8), real(amplitude)}));
    return out;
  };
  EXPECT_EQ(at(0.25f, 0), in) << "still water";
  const Bytes first = at(0, 3);
  EXPECT_NE(first, in);
  EXPECT_NE(at(0.5f, 3), first);
  EXPECT_EQ(at(1, 3), first);
  const size_t centre = 3 * (height / 2 * width + width / 2);
  EXPECT_EQ(first[centre], in[centre]);
}

TEST(References, SizesThatDoNotFitAreRefused) {
  Bytes small(8);
  for (const KernelDescription& kernel : built_in_kernels()) {
    Reference reference = find_reference(kernel.reference);
    ASSERT_TRUE(reference);
    EXPECT_FALSE(reference(HostLaunch{})) << kernel.name;
  }
  EXPECT_FALSE(refer("grayscale", std::vector{buffer(small), buffer(small), integer(3), integer(1)}));
  EXPECT_FALSE(refer("vector_add", std::vector{buffer(small), buffer(small), buffer(small), integer(3)}));
  EXPECT_TRUE(refer("vector_add", std::vector{buffer(small), buffer(small), buffer(small), integer(-1)}));
  EXPECT_TRUE(refer("vector_add", std::vector{buffer(small), buffer(small), buffer(small), integer(2)}));
  EXPECT_FALSE(find_reference("nothing"));
}

// A result that holds what the reference gives, or not.
TEST(CheckAgainstCpu, FindsADifferenceAndItsPlace) {
  const KernelDescription& kernel = **find_kernel("grayscale");
  KernelSetup setup = default_setup(kernel);
  Image image{20, 10, 3, std::vector<uint8_t>(600, 90), "flat", {}};
  setup.image = std::make_shared<const Image>(image);
  auto request = make_request(kernel, setup, {});
  ASSERT_TRUE(request);
  Bytes gray(200, std::byte{90});
  RunResult result;
  result.outputs.push_back({1, std::make_shared<const Bytes>(gray), nullptr});
  CheckedAgainstCpu right = check_against_cpu(kernel, *request, result);
  ASSERT_EQ(right.checks.size(), 1u);
  EXPECT_TRUE(right.checks[0].equal) << right.checks[0].message;
  EXPECT_GT(right.cpu_ms, 0);

  gray[47] = std::byte{91};
  result.outputs[0].bytes = std::make_shared<const Bytes>(gray);
  CheckedAgainstCpu wrong = check_against_cpu(kernel, *request, result);
  ASSERT_EQ(wrong.checks.size(), 1u);
  EXPECT_EQ(wrong.checks[0].message, "gray[47] is 91, but should be 90. It stands in column 7, row 2.");

  result.outputs.clear();
  EXPECT_TRUE(check_against_cpu(kernel, *request, result).checks.empty());
}

}  // namespace THIS_FILE
}  // namespace warplens
