#include "app/base/format.h"

#include <gtest/gtest.h>

#include <limits>

namespace warplens {
namespace THIS_FILE {

TEST(Format, SeparatesThousands) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1000), "1,000");
  EXPECT_EQ(with_separators(262144), "262,144");
  EXPECT_EQ(with_separators(std::numeric_limits<uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(Format, SaysHowLongSomethingLasts) {
  EXPECT_EQ(clock_text(-1), "0:00");
  EXPECT_EQ(clock_text(7.9), "0:07");
  EXPECT_EQ(clock_text(725), "12:05");
  EXPECT_EQ(clock_text(3723), "1:02:03");
}

TEST(Format, ReadsNumbersAsPeopleWriteThem) {
  EXPECT_EQ(number_from("33,554,432", true), 33554432);
  EXPECT_EQ(number_from(" 1 000 ", true), 1000);
  EXPECT_EQ(number_from("65\u00a0536", true), 65536);
  EXPECT_EQ(number_from("65\u202f536", true), 65536);
  EXPECT_EQ(number_from("1e6", true), 1e6);
  EXPECT_EQ(number_from("-5", true), -5);
  EXPECT_EQ(number_from("+0.25", false), 0.25);
  for (const char* none : {"", "abc", "12x", "1.5", "nan", "inf", "1e300", "--1"})
    EXPECT_FALSE(number_from(none, true)) << none;
  EXPECT_FALSE(number_from("1e999", false));
}

TEST(Format, KeepsSignificantDigits) {
  EXPECT_EQ(significant(6.0952), "6.1");
  EXPECT_EQ(significant(6.0952, 4), "6.095");
  EXPECT_EQ(significant(66.6667), "66.7");
  EXPECT_EQ(significant(100.0), "100");
  EXPECT_EQ(significant(12345.678), "12,346");
  EXPECT_EQ(significant(0.000123456), "0.000123");
  EXPECT_EQ(significant(0.00000446), "4.46 × 10⁻⁶");
  EXPECT_EQ(significant(-0.00003), "-3 × 10⁻⁵");
  EXPECT_EQ(significant(1e-12), "1 × 10⁻¹²");
  EXPECT_EQ(significant(2.5e20), "2.5 × 10²⁰");
  EXPECT_EQ(significant(-1234.5), "-1,234");
  EXPECT_EQ(significant(0.0), "0");
  EXPECT_EQ(significant(1200.0), "1,200");
  EXPECT_EQ(significant(std::numeric_limits<double>::quiet_NaN()), "not a number");
  EXPECT_EQ(significant(-std::numeric_limits<double>::infinity()), "-∞");
}

TEST(Format, ChoosesUnits) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(100), "100 B");
  EXPECT_EQ(bytes_text(40000), "39.1 KiB");
  EXPECT_EQ(bytes_text(1ull << 31), "2 GiB");
  EXPECT_EQ(microseconds_text(0.42), "420 ns");
  EXPECT_EQ(microseconds_text(9.8), "9.8 µs");
  EXPECT_EQ(microseconds_text(999.9), "1 ms");
  EXPECT_EQ(milliseconds_text(18.25), "18.2 ms");
  EXPECT_EQ(milliseconds_text(61000), "61 s");
  EXPECT_EQ(microseconds_text(0), "0 µs");
}

TEST(Format, WritesExtentsAndPositions) {
  EXPECT_EQ(extent_text({256, 1, 1}), "256");
  EXPECT_EQ(extent_text({16, 16, 1}), "16 × 16");
  EXPECT_EQ(extent_text({1, 1, 4}), "1 × 1 × 4");
  EXPECT_EQ(extent_text({1, 65535, 1}), "1 × 65,535");
  EXPECT_EQ(position_text({19, 7, 0}, {32, 32, 1}), "(19, 7)");
  EXPECT_EQ(position_text({39, 0, 0}, {40, 1, 1}), "(39)");
  EXPECT_EQ(position_text({1, 2, 3}), "(1, 2, 3)");
  EXPECT_EQ(count_text(1, "block", "blocks"), "1 block");
  EXPECT_EQ(count_text(1024, "block", "blocks"), "1,024 blocks");
}

}  // namespace THIS_FILE
}  // namespace warplens
