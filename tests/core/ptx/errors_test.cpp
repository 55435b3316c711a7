// What parse says about broken texts, and that none of them breaks parse.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/ptx/print/print.h"
#include "tests/core/ptx/support.h"
#include "tests/processor_time.h"

namespace warplens::ptx {
namespace THIS_FILE {

const std::string k_head = ".version 8.8\n.target sm_75\n.address_size 64\n";

struct Case {
  std::string text;
  uint32_t line;
  std::string message;  // a part of it
};

TEST(PtxErrors, NameTheLineAndTheRemedy) {
  const Case cases[] = {
      {"", 1, "must start with .version"},
      {"hello", 1, "Expected a directive"},
      {k_head + ".global .b8 x[", 4, "the end of the text"},
      {k_head + ".global .b8 x[99999999999999];", 4, "too large"},
      {k_head + ".const .b8 x[70000];", 4, "too large"},
      {k_head + ".shared .b8 x[4] = {1};", 4, "initial value"},
      {k_head + ".global .b8 x[];", 4, "no size"},
      {k_head + ".global .u32 x = y;", 4, "does not declare"},
      {k_head + ".global .u8 x = k;\n.entry k() { ret; }", 4, "does not fit"},
      {k_head + ".global .b8 x[2] = {1, 2, 3};", 4, "no more elements"},
      {k_head + ".global .f32 x;\n.global .f32 x;", 5, "twice, first in line 4"},
      {k_head + ".global .align 3 .b8 x;", 4, "power of two"},
      {k_head + ".global .samplerref t;", 4, "not supported"},
      {k_head + ".entry k() { ret; }\n.entry k() { ret; }", 5, "defined twice"},
      {k_head + ".entry k() { ret;", 4, "never closed"},
      {k_head + ".entry k() { ret; } }", 4, "closes nothing"},
      {k_head + ".entry k(.param .u32 a, .param .u32 a) { ret; }", 4, "Two parameters"},
      {k_head + ".func f(.param .u32 a);\n.func f(.param .u64 a) { ret; }", 5, "other parameters"},
      {k_head + ".entry e() { ret; }\n.entry k() {\n call e;\n ret; }", 6, "launched, not called"},
      {k_head + ".entry k() {\n bra x;\n bra y;\nx: ret; }", 6, "no label 'y'"},
      {k_head + ".entry k()\n.reqnctapercluster 2\n{ ret; }", 5, "clusters"},
      {k_head +
           ".global .texref t;\n.entry k() {\n .reg .f32 %f<4>;\n tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, "
           "[t];\n ret; }",
       7, "has no coordinates"},
      {k_head + ".entry k() {\n wgmma.fence;\n ret; }", 5, "not supported"},
      {k_head + ".entry k() {\n fmad %r1;\n ret; }", 5, "did you mean 'mad'"},
      {k_head + ".entry k() {\n .reg .b32 %r<2>;\n add.s32 %r1, %r1, %r2;\n ret; }", 6, "'%r2' is neither"},
      {k_head + ".entry k() {\n .reg .b32 %r<2>;\n add.s32 %r1, %r1, 1\n ret; }", 7, "Expected ';'"},
      {k_head + ".entry k() {\n mov.u32 %clusterid.x, 1;\n ret; }", 5, "%clusterid"},
      {".version x\n", 1, "a version such as 8.8"},
      {".version 8.8\n.target tm_75\n", 2, "no target"},
      {".version 8.8\n.address_size 48\n", 2, "32 or 64"},
  };
  for (const Case& each : cases) {
    const ParseResult result = parse(each.text, "broken.ptx");
    EXPECT_FALSE(result.module) << each.text;
    ASSERT_FALSE(result.diagnostics.empty()) << each.text;
    const Diagnostic& first = result.diagnostics[0];
    EXPECT_EQ(first.line, each.line) << each.text << "\n" << first.message;
    EXPECT_NE(first.message.find(each.message), std::string::npos) << each.text << "\n" << first.message;
    EXPECT_EQ(first.file, "broken.ptx");
  }
}

TEST(PtxErrors, AllOfATextAreFoundUpToABound) {
  const ParseResult three =
      parse(test::kernel("add.s32 %r1;\nmov.u32 %r9, 1;\nxyz;\nadd.s32 %r1, %r2, 3;"), "t");
  ASSERT_EQ(three.diagnostics.size(), 3u);
  EXPECT_EQ(three.diagnostics[1].line, test::k_body_line + 1);
  EXPECT_EQ(three.diagnostics[2].line, test::k_body_line + 2);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "xyz;\n";
  EXPECT_EQ(parse(test::kernel(many), "t").diagnostics.size(), 50u);
}

TEST(PtxErrors, HostileTextsCostLittle) {
  const std::string deep(100000, '{'), brackets(100000, '['), minus(100000, '-'), parentheses(100000, '(');
  const std::string texts[] = {
      test::kernel(deep),
      test::kernel("mov.u32 %r1, " + minus + "1;"),
      test::kernel("mov.u32 %r1, " + parentheses + "1;"),
      test::kernel("mov.u32 %r1, " + brackets),
      k_head + ".global .b8 x" + brackets,
      k_head + ".global .b8 x[2][2] = " + deep,
      k_head + ".global .b8 x[2][60000000] = {{},{1}};\n.global .b8 y[2][60000000] = {{},{1}};",
      std::string(1000000, '\0'),
      std::string(1000000, '"'),
      k_head + ".section .debug_str " + deep,
      k_head + "/*" + deep,
  };
  for (const std::string& text : texts) EXPECT_FALSE(parse(text, "hostile.ptx").module);
}

std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](size_t bound) { return bound == 0 ? size_t{0} : random() % bound; };
  constexpr std::string_view k_bytes = "{}[]()<>,;:.@%\"/*-0123456789_ \nabdefrsux";
  for (size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
    const size_t at = below(text.size()), begin = text.rfind('\n', at) + 1;
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(static_cast<uint8_t>(below(256)));
        break;
      case 1:
        text[at] = k_bytes[below(k_bytes.size())];
        break;
      case 2:
        if (begin < end) text.erase(begin, end - begin);
        break;
      case 3:
        if (begin < end) text.insert(begin, text.substr(begin, end - begin));
        break;
      case 4:
        text.insert(at, std::to_string(random()));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

// Whatever parses must print to what parses to the same.
TEST(PtxErrors, MutationsNeverBreakTheParser) {
  std::mt19937 random(1);
  std::vector<std::string> texts;
  for (const auto& path : test::samples()) texts.push_back(test::read(path));
  for (int i = 0; i < 2000; ++i) {
    const ParseResult result =
        parse(mutated(texts[static_cast<size_t>(i) % texts.size()], random), "mutated.ptx");
    EXPECT_EQ(result.module == nullptr, !result.diagnostics.empty());
    if (!result.module) continue;
    const std::string printed = print(*result.module);
    const ParseResult again = parse(printed, "printed.ptx");
    ASSERT_TRUE(again.module) << to_text(again.diagnostics) << printed;
    ASSERT_EQ(print(*again.module), printed);
  }
}

// What a text of so many lines takes of the processor, the best of three.
double milliseconds_to_parse(int lines) {
  std::string body;
  for (int i = 0; i < lines; i += 4) {
    body += "ld.global.f32 %f1, [%rd1+4];\nfma.rn.f32 %f2, %f1, %f3, 0f3F800000;\nadd.s64 %rd1, %rd1, 64;\n";
    body += "setp.lt.s32 %p1, %r1, %r2;\n";
  }
  const std::string text = test::kernel(body);
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double before = processor_seconds();
    EXPECT_TRUE(parse(text, "large.ptx").module);
    best = std::min(best, 1e3 * (processor_seconds() - before));
  }
  return best;
}

// A text of 10,000 lines must load at once; the bound is lenient, for builds without optimisation. And one
// that is four times as long must not take sixteen times as long.
TEST(PtxErrors, LargeTextsParseFast) {
  const double milliseconds = milliseconds_to_parse(10'000);
  RecordProperty("parse_ms", std::to_string(milliseconds));
  EXPECT_LT(milliseconds, 2000);
  EXPECT_LT(milliseconds_to_parse(40'000), 8 * milliseconds);
}

}  // namespace THIS_FILE
}  // namespace warplens::ptx
