// Straight code whose results are mostly read by the next instructions and not after the block.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "core/gpu/exec/state/warp.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::program {
namespace THIS_FILE {

using exec::test::Bench;
using exec::test::Decoded;

// Registers %rN, %lN and %fN; each program has eight of each.
constexpr const char* forms[] = {
    "add.u32 {r}, {r}, {r};",
    "sub.s32 {r}, {r}, {r};",
    "mul.lo.u32 {r}, {r}, {r};",
    "mad.lo.s32 {r}, {r}, {r}, {r};",
    "min.s32 {r}, {r}, {r};",
    "max.u32 {r}, {r}, {r};",
    "and.b32 {r}, {r}, {r};",
    "not.b32 {r}, {r};",
    "shl.b32 {r}, {r}, 3;",
    "shr.s32 {r}, {r}, {r};",
    "mov.u32 {r}, {r};",
    "add.s64 {l}, {l}, {l};",
    "sub.u64 {l}, {l}, {l};",
    "xor.b64 {l}, {l}, {l};",
    "shl.b64 {l}, {l}, {r};",
    "mul.wide.s32 {l}, {r}, {r};",
    "mad.wide.u32 {l}, {r}, {r}, {l};",
    "cvt.u64.u32 {l}, {r};",
    "cvt.u32.u64 {r}, {l};",
    "mov.u64 {l}, {l};",
    "add.f32 {f}, {f}, {f};",
    "mul.f32 {f}, {f}, {f};",
    "fma.rn.f32 {f}, {f}, {f}, {f};",
    "add.rz.f32 {f}, {f}, {f};",
    "mul.ftz.f32 {f}, {f}, {f};",
    "cvt.rn.f32.s32 {f}, {r};",
    "mov.b32 {r}, {f};",
    "setp.lt.s32 %p0, {r}, {r};",
    "setp.ge.u64 %p0, {l}, {l};",
    "setp.eq.f32 %p0, {f}, {f};",
    "selp.b32 {r}, {r}, {r}, %p0;",
    "@%p0 add.u32 {r}, {r}, {r};",
    "@!%p0 mov.u64 {l}, {l};",
};

// Few registers, so that most instructions read what one of the last two wrote.
std::string random_line(std::mt19937& random) {
  std::string line;
  for (const char* c = forms[random() % std::size(forms)]; *c != 0; ++c) {
    if (c[0] != '{') {
      line += *c;
      continue;
    }
    line += fmt::format("%{}{}", c[1], random() % 3);
    c += 2;
  }
  return line;
}

// Straight code in a few blocks. Only some of the registers are read at the end.
std::string random_text(uint32_t seed) {
  std::mt19937 random(seed);
  std::string text =
      ".visible .entry test(.param .u64 out) {\n.reg .b32 %r<8>; .reg .b64 %l<8>; .reg .f32 %f<8>; .reg "
      ".pred "
      "%p<2>;\n.reg .b64 %at;\nmov.u32 %r7, %tid.x;\nld.param.u64 %l7, [out];\nmul.wide.u32 %at, %r7, 64;\n"
      "add.s64 %at, %at, %l7;\nsetp.gt.u32 %p0, %r7, 5;\n";
  for (int i = 0; i < 3; ++i) {
    text += fmt::format("mad.lo.u32 %r{0}, %r7, {1}, {2};\nmul.wide.u32 %l{0}, %r{0}, {3};\n", i,
                        random() % 1000, random(), random());
    text += fmt::format("cvt.rn.f32.u32 %f{0}, %r{0};\n", i);
  }
  for (int block = 0; block < 4; ++block) {
    for (int i = 0; i < 12; ++i) text += random_line(random) + "\n";
    if (random() % 2 == 0) text += fmt::format("@%p0 bra L{};\n", block);
    text += random_line(random) + fmt::format("\nL{}:\n", block);
  }
  for (int i = 0; i < 3; ++i) {
    if (random() % 2 == 0) text += fmt::format("st.global.u32 [%at+{}], %r{};\n", 4 * i, i);
    if (random() % 2 == 0) text += fmt::format("st.global.f32 [%at+{}], %f{};\n", 16 + 4 * i, i);
    if (random() % 2 == 0) text += fmt::format("st.global.u64 [%at+{}], %l{};\n", 32 + 8 * i, i);
  }
  return exec::test::module_text(text + "ret;\n}\n");
}

constexpr uint32_t threads = 32 + 7;

std::vector<std::byte> output_of(const std::string& text, const exec::OpsTable& table, DecodeMode mode) {
  const ptx::ParseResult parsed = ptx::parse(text, "test.ptx");
  EXPECT_NE(parsed.module, nullptr) << to_text(parsed.diagnostics) << text;
  if (parsed.module == nullptr) return {};
  const DecodeResult decoded = decode(parsed.module, "test", table, mode);
  EXPECT_NE(decoded.program, nullptr) << to_text(decoded.diagnostics) << text;
  if (decoded.program == nullptr) return {};
  Bench bench(decoded.program);
  const exec::Allocation& out = bench.buffer(std::vector<std::byte>(64 * threads));
  bench.run({1, 1, 1}, {threads, 1, 1});
  return {out.host, out.host + 64 * threads};
}

TEST(StraightCode, GivesTheBitsThatStepsGive) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    const std::string text = random_text(seed);
    const auto wanted = output_of(text, exec::ops_baseline(), DecodeMode::for_stepping);
    for (const exec::test::InstructionSet& set : exec::test::instruction_sets())
      ASSERT_EQ(output_of(text, *set.table, DecodeMode::for_running), wanted)
          << set.name << ", seed " << seed << "\n"
          << text;
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::program
