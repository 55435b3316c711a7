// Reading of tests/ptx files, and tests of the reader itself.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/core/gpu/exec/ptx_case.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {

namespace {

void read_note(PtxCase& test, const std::string& line) {
  std::istringstream words(line.substr(2));
  std::string word;
  words >> word;
  if (word == "in" || word == "out") {
    for (uint32_t bytes = 0; words >> bytes;)
      (word == "in" ? test.in_bytes : test.out_bytes).push_back(bytes);
  } else if (word == "within") {
    test.nearness.exact = false;
    for (double amount = 0; words >> word;) {
      if (word == "or" || !(words >> amount)) continue;
      (word == "ulp"        ? test.nearness.ulp
       : word == "absolute" ? test.nearness.absolute
       : word == "f16"      ? test.nearness.f16
       : word == "bf16"     ? test.nearness.bf16
                            : test.nearness.relative) = amount;
    }
  } else if (word == "texture") {
    test.texture = line.substr(line.find("texture") + 8);
  } else if (word == "variants") {
    test.can_be_guarded = line.find("guarded") != std::string::npos;
    test.alone = line.find("alone") != std::string::npos;
  }
}

void read_lane(PtxCase& test, const std::string& line, uint32_t number) {
  std::istringstream words(line.substr(4));
  auto* values = &test.in.emplace_back();
  for (std::string word; words >> word;) {
    if (word == "=") {
      values = &test.out.emplace_back();
    } else {
      values->push_back(std::stoull(word, nullptr, 16));
    }
  }
  test.line.push_back(number);
}

// Floats in the order of their values, so that neighbours differ by one.
int64_t ordered(uint64_t bits, uint32_t bytes) {
  const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
  return bits & sign ? -static_cast<int64_t>(bits & ~sign) : static_cast<int64_t>(bits);
}

// NaNs are equal to one another, and infinity follows the largest number.
bool is_near_16(uint64_t got, uint64_t wanted, uint32_t bytes, uint64_t infinity, double ulp) {
  for (uint32_t i = 0; i < bytes; i += 2) {
    const uint64_t a = got >> (8 * i) & 0xffff, b = wanted >> (8 * i) & 0xffff;
    const bool nan_a = (a & 0x7fff) > infinity, nan_b = (b & 0x7fff) > infinity;
    if (nan_a != nan_b) return false;
    if (!nan_a && std::abs(double(ordered(a, 2) - ordered(b, 2))) > ulp) return false;
  }
  return true;
}

}  // namespace

PtxCase read_ptx_case(const std::filesystem::path& path) {
  PtxCase test;
  std::istringstream text(read_text(path));
  std::string* part = &test.head;
  uint32_t number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (line.starts_with("// :")) {
      read_lane(test, line, number);
    } else if (line.starts_with("// ")) {
      read_note(test, line);
    } else if (line == "  // begin") {
      part = &test.body;
    } else if (line == "  // end") {
      part = &test.tail;
    } else {
      *part += line + "\n";
    }
  }
  return test;
}

std::string text_of(const PtxCase& test, Variant variant) {
  if (variant == Variant::plain) return test.head + test.body + test.tail;
  if (variant == Variant::divergent)
    return test.head + "  @!%guard bra SKIP;\n" + test.body + "SKIP:\n" + test.tail;
  std::string guarded;
  std::istringstream lines(test.body);
  for (std::string line; std::getline(lines, line);) guarded += "  @%guard" + line.substr(1) + "\n";
  return test.head + guarded + test.tail;
}

bool is_near(uint64_t got, uint64_t wanted, uint32_t bytes, const Nearness& nearness) {
  if (got == wanted) return true;
  if (nearness.exact) return false;
  if (nearness.f16 > 0) return is_near_16(got, wanted, bytes, 0x7c00, nearness.f16);
  if (nearness.bf16 > 0) return is_near_16(got, wanted, bytes, 0x7f80, nearness.bf16);
  const auto value = [&](uint64_t bits) {
    return bytes == 8 ? std::bit_cast<double>(bits)
                      : double{std::bit_cast<float>(static_cast<uint32_t>(bits))};
  };
  const double a = value(got), b = value(wanted);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::abs(double(ordered(got, bytes) - ordered(wanted, bytes))) <= nearness.ulp) return true;
  return std::abs(a - b) <= std::max(nearness.absolute, nearness.relative * std::abs(b));
}

TEST(PtxCase, NearnessCountsUlpsAcrossZero) {
  const Nearness two{.exact = false, .ulp = 2};
  EXPECT_TRUE(is_near(0x00000001, 0x80000001, 4, two));
  EXPECT_FALSE(is_near(0x00000002, 0x80000001, 4, two));
  EXPECT_TRUE(is_near(0x3f800000, 0x3f800002, 4, two));
  EXPECT_FALSE(is_near(0x3f800000, 0x3f800003, 4, two));
  EXPECT_FALSE(is_near(0x7fc00000, 0x3f800000, 4, two));
}

}  // namespace warplens::exec::test
