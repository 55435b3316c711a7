// printf without a kernel: the arguments and output of each conversion, and which output of a launch is kept.
#include "core/gpu/exec/library/printf_format.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

#include "core/gpu/exec/state/console.h"

namespace warplens::exec {
namespace THIS_FILE {

// Arguments laid out as the ABI does.
class Values {
 public:
  template <class T>
  Values& add(T value) {
    static_assert(sizeof value == 4 || sizeof value == 8);
    m_bytes.resize((m_bytes.size() + sizeof value - 1) / sizeof value * sizeof value);
    const auto* from = reinterpret_cast<const std::byte*>(&value);
    m_bytes.insert(m_bytes.end(), from, from + sizeof value);
    return *this;
  }
  PrintfResult format(const char* text) const {
    PrintfArguments arguments;
    arguments.read = [this](uint64_t offset, uint32_t bytes, uint64_t& value) {
      if (offset + bytes > m_bytes.size()) return false;
      std::memcpy(&value, m_bytes.data() + offset, bytes);
      return true;
    };
    arguments.read_string = [](uint64_t address, std::string& to) {
      to = "text at " + std::to_string(address);
      return address < 1000;
    };
    return format_printf(text, arguments);
  }

 private:
  std::vector<std::byte> m_bytes;
};

TEST(PrintfFormat, PadsBetweenArgumentsAsAStructureDoes) {
  const PrintfResult result = Values().add(1).add(int64_t{-2}).add(3).add(0.5).format("%d %lld %u %g");
  EXPECT_EQ(result.text, "1 -2 3 0.5");
  EXPECT_EQ(result.parsed, 4);
}

TEST(PrintfFormat, WidthAndPrecisionMayBeArguments) {
  EXPECT_EQ(Values().add(6).add(42).add(-6).add(43).format("[%*d][%*d]").text, "[    42][43    ]");
  EXPECT_EQ(Values().add(2).add(1.23456).format("[%.*f]").text, "[1.23]");
  EXPECT_EQ(Values().add(5).add(2).add(1.5).format("%*.*f|").parsed, 3);
  EXPECT_EQ(Values().add(7.25).format("%.f").text, "7");
}

TEST(PrintfFormat, WhatItDoesNotKnowStaysAndTakesNothing) {
  const PrintfResult result = Values().add(5).format("%y %zu %d %");
  EXPECT_EQ(result.text, "%y %zu 5 %");
  EXPECT_EQ(result.parsed, 1);
  EXPECT_EQ(Values().format("100%% sure").text, "100% sure");
}

TEST(PrintfFormat, HugeWidthsAreBounded) {
  EXPECT_LT(Values().add(2'000'000'000).add(1).format("%*d").text.size(), 100'000u);
  EXPECT_LT(Values().add(1).format("%99999999999999999999d").text.size(), 100'000u);
}

TEST(PrintfFormat, SaysWhatItCouldNotRead) {
  EXPECT_FALSE(Values().format("%d").readable);
  const PrintfResult result = Values().add(uint64_t{5}).add(uint64_t{4000}).format("%s %s");
  EXPECT_FALSE(result.readable);
  EXPECT_EQ(result.bad_address, 4000u);
}

TEST(Console, KeepsTheLastMebibyteFromALineOn) {
  Console console;
  for (int i = 0; i < 300'000; ++i) console.append("line " + std::to_string(i) + "\n");
  console.trim();
  EXPECT_LE(console.text.size(), console_bytes);
  EXPECT_GT(console.text.size(), console_bytes - 20);
  EXPECT_EQ(console.text.substr(0, 5), "line ");
  EXPECT_EQ(console.text.substr(console.text.size() - 12), "line 299999\n");
  uint64_t all = 0;
  for (int i = 0; i < 300'000; ++i) all += 6 + std::to_string(i).size();
  EXPECT_EQ(console.dropped + console.text.size(), all);
}

TEST(Console, IsTheSameInWhateverOrderBlocksEnd) {
  const auto text_of = [](uint64_t block) {
    return Console{std::string(1000, static_cast<char>('a' + block % 26)) + "\n", 0};
  };
  ConsoleOrder upward, downward;
  constexpr uint64_t blocks = 5000;
  for (uint64_t b = 0; b < blocks; ++b) {
    upward.add(b, text_of(b));
    downward.add(blocks - 1 - b, text_of(blocks - 1 - b));
  }
  const Console up = upward.take(), down = downward.take();
  EXPECT_EQ(up.text, down.text);
  EXPECT_EQ(up.dropped, down.dropped);
  EXPECT_EQ(up.text.size() + up.dropped, blocks * 1001);
}

}  // namespace THIS_FILE
}  // namespace warplens::exec
