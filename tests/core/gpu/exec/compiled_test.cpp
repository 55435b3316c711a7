// When blocks are compiled, and how compiled code handles paths that diverge, wait and pause.
#include "core/gpu/exec/jit/compiled.h"
#include "core/gpu/exec/jit/targets.h"
#include "core/gpu/exec/state/observer.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>

#include "core/gpu/exec/state/trace_log.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {

namespace THIS_FILE {

// For the code of each target. The name is that of the handlers that run with it.
class CompiledTier : public testing::TestWithParam<const char*> {
 protected:
  // Null if this machine or this build does not have them, or has no encoder.
  static const InstructionSet* compiled_set() {
    static const std::vector<InstructionSet> sets = instruction_sets();
    for (const InstructionSet& set : sets)
      if (std::string_view(set.name) == GetParam() && jit::target_for(set.table) != nullptr) return &set;
    return nullptr;
  }
  // Whether traced runs are compiled too.
  static bool compiles_traces() {
    return compiled_set() != nullptr && jit::target_for(compiled_set()->table)->traces;
  }
};

INSTANTIATE_TEST_SUITE_P(Targets, CompiledTier, testing::Values("avx512", "avx2"),
                         [](const auto& name) { return std::string(name.param); });

constexpr Dim3 loop_block{96, 1, 1};

// Each thread runs a loop with a barrier; some leave it early or skip a turn.
const std::string loop_text = module_text(
    ".visible .entry k(.param .u64 out, .param .u32 turns)\n{\n"
    ".reg .b64 %d<8>; .reg .b32 %r<16>; .reg .f32 %f<4>; .reg .pred %p<6>;\n.shared .align 4 .b8 "
    "tile[4096];\n"
    "ld.param.u64 %d1, [out]; ld.param.u32 %r1, [turns];\n"
    "mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.u32 %r5, %r3, %r4, %r2;\n"
    "mov.u32 %r6, 0; mov.u32 %r7, %r5; mov.u32 %r8, tile; shl.b32 %r9, %r2, 2; add.u32 %r10, %r8, %r9;\n"
    "LOOP:\n"
    "and.b32 %r11, %r6, 7; setp.eq.u32 %p1, %r11, 5; setp.lt.u32 %p2, %r2, 9; and.pred %p1, %p1, %p2;\n"
    "@%p1 bra ASIDE;\n"
    "mad.lo.u32 %r7, %r7, 1664525, %r6;\n"
    "ASIDE:\n"
    "st.shared.u32 [%r10], %r7;\nbar.sync 0;\n"
    "xor.b32 %r12, %r9, 4; add.u32 %r12, %r12, %r8; ld.shared.u32 %r13, [%r12];\nbar.sync 0;\n"
    "add.u32 %r7, %r7, %r13; @%p2 sub.u32 %r7, %r7, 3;\n"
    "add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, %r1; @%p3 bra LOOP;\n"
    "mul.wide.u32 %d2, %r5, 4; add.u64 %d2, %d2, %d1; st.global.u32 [%d2], %r7; ret;\n}\n");

struct Run {
  GridOutcome outcome;
  std::vector<std::byte> out;
};

Run run_loop(const Decoded& decoded, Tier tier, uint32_t turns, uint32_t workers = 1, bool counts = true,
             uint32_t results = 1) {
  constexpr uint32_t blocks = 6, threads = loop_block.x;
  Bench bench(decoded.program);
  const Allocation& out = bench.buffer(std::vector<std::byte>(size_t{4} * blocks * threads * results));
  bench.parameter(turns);
  Run run{bench.run({blocks, 1, 1}, loop_block, workers, true, tier, counts), {}};
  run.out.assign(out.host, out.host + (out.end - out.begin));
  return run;
}

void expect_same(const Run& a, const Run& b) {
  EXPECT_EQ(a.outcome.end, b.outcome.end);
  EXPECT_EQ(a.out, b.out);
  ASSERT_EQ(a.outcome.counts.size(), b.outcome.counts.size());
  for (size_t i = 0; i < a.outcome.counts.size(); ++i) {
    EXPECT_EQ(a.outcome.counts[i].warps, b.outcome.counts[i].warps) << i;
    EXPECT_EQ(a.outcome.counts[i].threads, b.outcome.counts[i].threads) << i;
  }
  expect_same_accesses(a.outcome, b.outcome);
}

bool is_compiled(const program::Program& program, bool counts) {
  CompiledProgram* const compiled = compiled_program(program, {counts, loop_block}, Tier::hot);
  return compiled != nullptr && compiled->find(program.entry(), CodeFor::all) != nullptr;
}

TEST(CompiledTiers, RunsLoopsBarriersAndDivergenceAlike) {
  for (const InstructionSet& set : instruction_sets()) {
    const Decoded decoded = decode(loop_text, "k", *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors;
    for (const uint32_t workers : {1u, 2u, 5u})
      for (const bool counts : {true, false}) {
        SCOPED_TRACE(fmt::format("{}, {} workers, counts {}", set.name, workers, counts));
        expect_same(run_loop(decoded, Tier::always, 40, workers, counts),
                    run_loop(decoded, Tier::off, 40, workers, counts));
      }
  }
}

TEST_P(CompiledTier, CompilesWhatManyWarpsEnterAndNothingElse) {
  if (compiled_set() == nullptr) GTEST_SKIP() << "no such processor, or no AsmJit";
  const Decoded decoded = decode(loop_text, "k", *compiled_set()->table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  CompiledProgram* const compiled = compiled_program(*decoded.program, {true, loop_block}, Tier::hot);
  ASSERT_NE(compiled, nullptr);
  const auto has_code = [&] {
    uint32_t ops = 0;
    for (const Op& op : decoded.program->ops) ops += compiled->find(&op, CodeFor::all) != nullptr;
    return ops;
  };
  run_loop(decoded, Tier::hot, 20);  // 18 warps: 360 entries
  EXPECT_EQ(has_code(), 0u);
  run_loop(decoded, Tier::off, 2000);
  EXPECT_EQ(has_code(), 0u);
  run_loop(decoded, Tier::hot, 2000);
  EXPECT_GT(has_code(), 2u);
  EXPECT_FALSE(is_compiled(*decoded.program, true)) << "each warp enters the first block once";
  EXPECT_FALSE(is_compiled(*decoded.program, false)) << "code that does not count is another";
  run_loop(decoded, Tier::always, 1);
  EXPECT_TRUE(is_compiled(*decoded.program, true));
  // A copy has other ops, and so its own code.
  const program::Program copy = *decoded.program;
  EXPECT_FALSE(is_compiled(copy, true));
  EXPECT_EQ(compiled->refused(), 0u);
}

// Without handlers, only compiled code can run. The store's handler has to remain: it learns the shape of its
// addresses.
TEST_P(CompiledTier, RunsWithoutTheHandlersOfWhatItCompiled) {
  if (compiled_set() == nullptr) GTEST_SKIP() << "no such processor, or no AsmJit";
  const Decoded decoded =
      decode(module_text(".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
                         ".reg .b64 %d<4>; .reg .b32 %r<8>; .reg .pred %p<2>;\n"
                         "ld.param.u64 %d1, [out]; ld.param.u32 %r1, [n];\n"
                         "mov.u32 %r2, %tid.x; xor.b32 %r3, %r2, %r1; mul.lo.u32 %r4, %r3, %r2;\n"
                         "mul.wide.u32 %d2, %r2, 4; add.u64 %d2, %d2, %d1;\n"
                         "st.global.u32 [%d2], %r4; ret;\n}\n"),
             "k", *compiled_set()->table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  auto broken = std::make_shared<program::Program>(*decoded.program);
  for (size_t i = 0; i < broken->selectors.size(); ++i) {
    Handlers& handlers = broken->ops[i].handlers;
    if (!broken->selectors[i].has_value() || broken->ops[i].bytes != 0) continue;
    handlers.run[all_lanes] = handlers.run[some_lanes] = [](const Op*, Warp&) -> const Op* { std::abort(); };
  }
  Bench bench(broken);
  const Allocation& out = bench.buffer(std::vector<std::byte>(size_t{4} * 75));
  bench.parameter(uint32_t{77});
  // The third warp has 11 lanes.
  EXPECT_EQ(bench.run({1, 1, 1}, {75, 1, 1}, 1, true, Tier::always).end, GridOutcome::End::finished);
  for (uint32_t t = 0; t < 75; ++t) {
    uint32_t got = 0;
    std::memcpy(&got, out.host + size_t{4} * t, 4);
    EXPECT_EQ(got, (t ^ 77u) * t);
  }
}

// A loop in which some values change places and some are computed from others, of 16, 32 and 64 bits, more
// than there are vector registers; lanes leave it at several places, some by a guess that differs from lane
// to lane.
std::string random_loop(Dice dice) {
  constexpr uint32_t words = 18, longs = 4, shorts = 3;
  std::string body;
  const auto word = [&] { return fmt::format("%r{}", 10 + dice.below(words)); };
  const auto wide = [&] { return fmt::format("%d{}", 10 + dice.below(longs)); };
  const auto narrow = [&] { return fmt::format("%h{}", dice.below(shorts)); };
  const auto exits = 1 + dice.below(3), steps = 6 + dice.below(20);
  for (uint64_t i = 0; i < exits; ++i) {
    for (uint64_t step = 0; step < steps; ++step) {
      switch (dice.below(9)) {
        case 0:
        case 1: {  // rotates the values, computes nothing
          const std::string a = word(), b = word(), c = word();
          body += fmt::format("mov.u32 %r3, {0}; mov.u32 {0}, {1}; mov.u32 {1}, {2}; mov.u32 {2}, %r3;\n", a,
                              b, c);
          break;
        }
        case 2:
          body += fmt::format("mad.lo.u32 {}, {}, 1664525, {};\n", word(), word(), word());
          break;
        case 3:
          body += fmt::format("xor.b32 {}, {}, {};\n", word(), word(), word());
          break;
        case 4:
          body += fmt::format("mul.wide.u32 {}, {}, {};\n", wide(), word(), word());
          break;
        case 5:
          body += fmt::format("add.u64 {}, {}, {};\n", wide(), wide(), wide());
          break;
        case 6:
          body += fmt::format("cvt.u32.u64 {}, {};\n", word(), wide());
          break;
        case 7:
          body +=
              fmt::format("cvt.u16.u32 {}, {}; cvt.u32.u16 {}, {};\n", narrow(), word(), word(), narrow());
          break;
        default:  // runs in its handler
          body += fmt::format("brev.b32 {}, {};\n", word(), word());
      }
    }
    body += fmt::format("and.b32 %r4, {}, {}; setp.eq.u32 %p1, %r4, %r5; @%p1 bra {};\n", word(),
                        (uint32_t{1} << (3 + dice.below(7))) - 1, dice.below(4) == 0 ? "LATE" : "OUT");
  }
  std::string before, behind;
  for (uint32_t i = 0; i < words; ++i) {
    before += fmt::format("mad.lo.u32 %r{}, %r2, {}, {};\n", 10 + i, dice.below(99999), dice.below(99999));
    behind += fmt::format("mad.lo.u32 %r4, %r4, 31, %r{};\n", 10 + i);
  }
  for (uint32_t i = 0; i < longs; ++i) {
    before += fmt::format("cvt.u64.u32 %d{}, %r{};\n", 10 + i, 11 + i);
    behind += fmt::format(
        "cvt.u32.u64 %r3, %d{0}; xor.b32 %r4, %r4, %r3; shr.u64 %d{0}, %d{0}, 32; cvt.u32.u64 %r3, "
        "%d{0}; mad.lo.u32 %r4, %r4, 31, %r3;\n",
        10 + i);
  }
  for (uint32_t i = 0; i < shorts; ++i) {
    before += fmt::format("cvt.u16.u32 %h{}, %r{};\n", i, 12 + i);
    behind += fmt::format("cvt.u32.u16 %r3, %h{}; mad.lo.u32 %r4, %r4, 31, %r3;\n", i);
  }
  return module_text(
      ".visible .entry k(.param .u64 out, .param .u32 turns)\n{\n"
      ".reg .b64 %d<16>; .reg .b32 %r<30>; .reg .b16 %h<4>; .reg .pred %p<6>;\n"
      "ld.param.u64 %d1, [out]; ld.param.u32 %r1, [turns];\n"
      "mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;\n"
      "mad.lo.u32 %r2, %r3, %r4, %r2; mov.u32 %r6, 0; mov.u32 %r5, 5;\n" +
      before + "LOOP:\n" + body +
      "add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, %r1; @%p3 bra LOOP;\n"
      "bra OUT;\nLATE:\nxor.b32 %r10, %r10, %r6;\n"
      "OUT:\nmov.u32 %r4, %r6;\n" +
      behind + "mul.wide.u32 %d2, %r2, 4; add.u64 %d2, %d2, %d1; st.global.u32 [%d2], %r4; ret;\n}\n");
}

TEST_P(CompiledTier, LoopsKeepTheirValuesInRegisters) {
  const InstructionSet* const set = compiled_set();
  if (set == nullptr) GTEST_SKIP() << "no such processor, or no AsmJit";
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = random_loop(Dice(seed));
    const Decoded decoded = decode(text, "k", *set->table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors << text;
    // The last number of turns takes longer than a warp's slice.
    for (const uint32_t turns : {1u, 2u, 3u, 40u, 3000u}) {
      expect_same(run_loop(decoded, Tier::always, turns), run_loop(decoded, Tier::off, turns));
      if (HasFailure()) FAIL() << text;
    }
  }
}

// Sources that are the same in all lanes, known or not, on either side of an op, and pairs of ops that become
// one.
TEST_P(CompiledTier, LogicAndUpperHalvesOfProductsAreExact) {
  const InstructionSet* const set = compiled_set();
  if (set == nullptr) GTEST_SKIP() << "no such processor, or no AsmJit";
  const std::vector<std::string> sources = {"%r10", "%r11", "%r12", "%r1", "0x9e3779b9"};
  std::string body;
  uint32_t results = 0;
  const auto keep = [&](const std::string& ops) {
    body += ops + fmt::format(" st.global.u32 [%d1+{}], %r5;\n", 4 * 96 * 6 * results++);
  };
  const std::vector<std::string> names = {"and", "or", "xor"};
  for (const std::string& first : names)
    for (const std::string& second : names)
      for (const std::string& other : sources)
        for (const bool before : {true, false})
          keep(fmt::format("{}.b32 %r4, %r10, %r11; {}.b32 %r5, {};", first, second,
                           before ? other + ", %r4" : "%r4, " + other));
  keep("xor.b32 %r4, %r10, %r11; and.b32 %r5, %r4, %r4;");
  keep("xor.b32 %r4, %r10, %r11; xor.b32 %r5, %r4, %r12; add.u32 %r5, %r5, %r4;");
  for (const char type : {'u', 's'})
    for (const std::string& a : sources)
      for (const std::string& b : sources) keep(fmt::format("mul.hi.{}32 %r5, {}, {};", type, a, b));
  const std::string text = module_text(
      ".visible .entry k(.param .u64 out, .param .u32 turns)\n{\n"
      ".reg .b64 %d<4>; .reg .b32 %r<16>;\nld.param.u64 %d1, [out]; ld.param.u32 %r1, [turns];\n"
      "mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r3, %r3, 96, %r2;\n"
      "mul.wide.u32 %d2, %r3, 4; add.u64 %d1, %d1, %d2; mad.lo.u32 %r10, %r3, 2654435761, 77;\n"
      "mul.lo.u32 %r11, %r10, %r10; xor.b32 %r12, %r11, %r10;\n" +
      body + "ret;\n}\n");
  const Decoded decoded = decode(text, "k", *set->table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  for (const uint32_t uniform : {0u, 3u, 0x80000001u, 0xffffffffu}) {
    const auto on = run_loop(decoded, Tier::always, uniform, 1, true, results);
    const auto off = run_loop(decoded, Tier::off, uniform, 1, true, results);
    expect_same(on, off);
    // Otherwise handlers and code could both leave all of it at 0.
    EXPECT_TRUE(std::ranges::any_of(on.out, [](std::byte byte) { return byte != std::byte{0}; }));
  }
}

// All pairs of sixteen numbers, read from constant memory: at an address for each lane, and at a known one.
TEST_P(CompiledTier, SixteenBitsAndTheSmallerAndLargerFloatAreExact) {
  const InstructionSet* const set = compiled_set();
  if (set == nullptr) GTEST_SKIP() << "no such processor, or no AsmJit";
  std::string body;
  uint32_t results = 0;
  const auto keep = [&](const std::string& ops) {
    body += ops + fmt::format(" st.global.u32 [%d1+{}], %r5;\n", 4 * 96 * 6 * results++);
  };
  const auto keep_half = [&](const std::string& ops) { keep(ops + " cvt.u32.u16 %r5, %h4;"); };
  const std::vector<std::string> sources = {"%h1", "%h2", "%h3", "-3", "40000"};
  for (const std::string& a : sources)
    for (const std::string& b : sources) {
      for (const char* op : {"add.u16", "sub.s16", "mul.lo.s16", "mul.hi.u16", "min.u16", "min.s16",
                             "max.u16", "max.s16", "and.b16", "or.b16", "xor.b16"})
        keep_half(fmt::format("{} %h4, {}, {};", op, a, b));
      keep_half(fmt::format("mad.lo.u16 %h4, {}, {}, %h2;", a, b));
      for (const char type : {'u', 's'}) {
        keep(fmt::format("mul.wide.{}16 %r5, {}, {};", type, a, b));
        keep(fmt::format("mad.wide.{}16 %r5, {}, {}, %r11;", type, a, b));
        for (const char* compare : {"eq", "ne", "lt", "le", "gt", "ge"})
          keep_half(
              fmt::format("setp.{}.{}16 %p1, {}, {}; selp.b16 %h4, {}, %h2, %p1;", compare, type, a, b, a));
      }
    }
  for (const char* op : {"not.b16", "neg.s16", "abs.s16"}) keep_half(fmt::format("{} %h4, %h1;", op));
  for (const char* amount : {"%r2", "0", "3", "16", "17", "40"})
    for (const char* op : {"shl.b16", "shr.u16", "shr.s16"})
      keep_half(fmt::format("{} %h4, %h1, {};", op, amount));
  for (const char* op : {"min.f32", "max.f32"}) {
    keep(fmt::format("{} %f3, %f1, %f2; mov.b32 %r5, %f3;", op));
    for (const char* number : {"0f00000000", "0f80000000", "0f7FC00001", "0f7F800000", "0f437F0000"})
      keep(fmt::format("{0} %f3, %f1, {1}; {0} %f3, {1}, %f3; mov.b32 %r5, %f3;", op, number));
  }
  keep("ld.const.u32 %r5, [table+8];");
  keep("ld.const.u16 %h4, [table+14]; cvt.u32.u16 %r5, %h4;");
  keep("ld.const.u8 %r5, [table+15];");
  const std::string text = module_text(
      ".const .align 4 .b32 table[16] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, "
      "0x7f800001, "
      "0xff923456, 0x3f800000, 0xbf808001, 1, 0x80007fff, 0x7fffffff, 0x4f00ffff, 0x0001fffe, 0xcafe1234};\n"
      ".visible .entry k(.param .u64 out, .param .u32 turns)\n{\n"
      ".reg .b64 %d<8>; .reg .b32 %r<16>; .reg .b16 %h<8>; .reg .f32 %f<4>; .reg .pred %p<2>;\n"
      "ld.param.u64 %d1, [out]; ld.param.u32 %r1, [turns];\n"
      "mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r3, %r3, 96, %r2;\n"
      "mul.wide.u32 %d2, %r3, 4; add.u64 %d1, %d1, %d2; mov.u64 %d3, table;\n"
      "and.b32 %r6, %r3, 15; mul.wide.u32 %d4, %r6, 4; add.u64 %d4, %d4, %d3; ld.const.u32 %r10, [%d4];\n"
      "shr.u32 %r7, %r3, 4; and.b32 %r7, %r7, 15; mul.wide.u32 %d5, %r7, 4; add.u64 %d5, %d5, %d3;\n"
      "ld.const.u32 %r11, [%d5]; mov.b32 %f1, %r10; mov.b32 %f2, %r11;\n"
      "cvt.u16.u32 %h1, %r10; cvt.u16.u32 %h2, %r11; cvt.u16.u32 %h3, %r1;\n" +
      body + "ret;\n}\n");
  const Decoded decoded = decode(text, "k", *set->table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  for (const uint32_t uniform : {0u, 0x8000u, 0xffffu}) {
    const auto on = run_loop(decoded, Tier::always, uniform, 1, true, results);
    const auto off = run_loop(decoded, Tier::off, uniform, 1, true, results);
    expect_same(on, off);
    EXPECT_TRUE(std::ranges::any_of(on.out, [](std::byte byte) { return byte != std::byte{0}; }));
  }
}

// Lanes that leave a loop one by one: code for warps with lanes missing is compiled, and runs.
TEST_P(CompiledTier, CompilesForWarpsThatHaveParted) {
  if (compiled_set() == nullptr) GTEST_SKIP() << "no such processor, or no AsmJit";
  const std::string text = module_text(
      ".visible .entry k(.param .u64 out, .param .u32 turns)\n{\n"
      ".reg .b64 %d<3>; .reg .b32 %r<8>; .reg .pred %p;\n"
      "ld.param.u64 %d1, [out]; ld.param.u32 %r1, [turns];\n"
      "mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.u32 %r5, %r3, %r4, %r2;\n"
      "mov.u32 %r6, 0; mov.u32 %r7, %r5; and.b32 %r2, %r2, 31; shr.u32 %r3, %r1, 4;\n"
      "mad.lo.u32 %r1, %r2, %r3, %r1;\n"
      "LOOP:\n"
      "mad.lo.u32 %r7, %r7, 1664525, %r6; add.u32 %r6, %r6, 1; setp.lt.u32 %p, %r6, %r1; @%p bra LOOP;\n"
      "mul.wide.u32 %d2, %r5, 4; add.u64 %d2, %d2, %d1; st.global.u32 [%d2], %r7; ret;\n}\n");
  const Decoded decoded = decode(text, "k", *compiled_set()->table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  const CompiledProgram* const compiled = compiled_program(*decoded.program, {true, loop_block}, Tier::hot);
  ASSERT_NE(compiled, nullptr);
  const auto has_code = [&] {
    return std::ranges::any_of(decoded.program->ops,
                               [&](const Op& op) { return compiled->find(&op, CodeFor::some) != nullptr; });
  };
  run_loop(decoded, Tier::hot, 3);
  EXPECT_FALSE(has_code());
  expect_same(run_loop(decoded, Tier::hot, 20000), run_loop(decoded, Tier::off, 20000));
  EXPECT_TRUE(has_code());
}

std::vector<std::shared_ptr<const program::Program>> built_in_programs(const OpsTable& table,
                                                                       const program::DecodeMode& mode) {
  std::vector<std::shared_ptr<const program::Program>> programs;
  for (const auto& file : std::filesystem::directory_iterator(source_file("tests/data/golden/ptx"))) {
    const ptx::ParseResult parsed = ptx::parse(read_text(file.path()), file.path().filename().string());
    if (parsed.module == nullptr) continue;
    for (const ptx::Function& function : parsed.module->functions) {
      if (!function.is_entry) continue;
      auto decoded = program::decode(parsed.module, function.name, table, mode);
      if (decoded.program != nullptr) programs.push_back(std::move(decoded.program));
    }
  }
  return programs;
}

// Ops that the encoder refuses have no code. Without this test it would not be noticed, since handlers give
// the same results.
TEST_P(CompiledTier, RefusesNothingWhoeverLooks) {
  const InstructionSet* const set = compiled_set();
  if (set == nullptr) GTEST_SKIP() << "no such processor, or no AsmJit";
  for (const bool traced : {false, true}) {
    if (traced && !compiles_traces()) continue;
    const program::DecodeMode mode{.stepping = traced, .watching = program::Watching::all};
    const auto programs = built_in_programs(*set->table, mode);
    ASSERT_GT(programs.size(), 30u);
    for (const auto& program : programs) {
      for (const bool hears_all : {false, true}) {
        const program::Program copy = *program;  // without code
        TraceLog log;
        log.untraced = program.get();
        Observers observers(true, {hears_all ? 8u : 32u, 8, 1});
        observers.recorded = true;
        observers.traced = traced;
        observers.global = observers.shared = hears_all;
        CompiledProgram* const compiled =
            compiled_program(copy, observers, Tier::always, traced ? &log : nullptr);
        ASSERT_NE(compiled, nullptr);
        EXPECT_EQ(compiled->refused(), 0u) << program->function->name << traced << hears_all;
        EXPECT_NE(compiled->find(copy.entry(), CodeFor::all), nullptr) << program->function->name;
      }
    }
  }
}

// Receives some accesses, and then has no memory for more.
class FullRecorder final : public AccessRecorder {
 public:
  explicit FullRecorder(uint32_t room) : m_room(room) {}
  bool listens_to(Space space) const override { return space == Space::shared; }
  void record(const Op&, uint32_t, uint32_t, Space, AccessKind, const uint64_t*) override {
    if (m_room-- == 0) throw std::bad_alloc();
  }

 private:
  uint32_t m_room;
};

TEST(CompiledTiers, WhatARecorderThrowsComesOutOfTheCode) {
  for (const InstructionSet& set : instruction_sets()) {
    const Decoded decoded = decode(loop_text, "k", *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors;
    for (const Tier tier : {Tier::off, Tier::always}) {
      for (const uint32_t room : {0u, 1u, 70u, 1000u}) {
        Bench bench(decoded.program);
        bench.buffer(std::vector<std::byte>(size_t{4} * 6 * 96));
        bench.parameter(uint32_t{100});
        FullRecorder recorder(room);
        GridLaunch launch = bench.launch_of({6, 1, 1}, {96, 1, 1});
        launch.tier = tier;
        launch.recorder = &recorder;
        EXPECT_EQ(run_grid(launch, {}, nullptr).end, GridOutcome::End::out_of_memory) << set.name << room;
      }
    }
  }
}

TEST_P(CompiledTier, ATraceThatFindsNoRoomEndsTheRun) {
  const InstructionSet* const set = compiled_set();
  if (!compiles_traces()) GTEST_SKIP() << "no target that notes instructions";
  const ptx::ParseResult parsed = ptx::parse(loop_text, "test.ptx");
  ASSERT_NE(parsed.module, nullptr);
  const auto decoded = program::decode(parsed.module, "k", *set->table, {.stepping = true});
  ASSERT_NE(decoded.program, nullptr);
  const auto copy = std::make_shared<program::Program>(*decoded.program);
  struct Log : TraceLog {
    std::array<TracedRun, 100> runs{};
    uint32_t asked = 0;
  } log;
  log.at = log.runs.data();
  log.end = log.at + log.runs.size();
  log.left = INT64_MAX;
  log.untraced = decoded.program.get();
  log.add = [](TraceLog& full, const Warp& warp, const TracedRun&) noexcept {
    ++static_cast<Log&>(full).asked;
    warp.block->thrown = std::make_exception_ptr(std::bad_alloc());
    return false;
  };
  Bench bench(copy);
  bench.buffer(std::vector<std::byte>(size_t{4} * 6 * 96));
  bench.parameter(uint32_t{100});
  GridLaunch launch = bench.launch_of({6, 1, 1}, {96, 1, 1});
  launch.tier = Tier::always;
  launch.trace = &log;
  EXPECT_EQ(run_grid(launch, {}, nullptr).end, GridOutcome::End::out_of_memory);
  EXPECT_EQ(log.at, log.end);
  EXPECT_EQ(log.asked, 1u);
}

using Noted = std::vector<std::pair<uint32_t, uint32_t>>;  // the first instruction, and how many

// What compiled code notes in a traced run of two warps. Handlers note nothing here.
Noted noted_by_code(const InstructionSet& set, const std::string& body, Tier tier) {
  const std::string text = module_text(
      ".visible .entry k(.param .u64 out)\n{\n"
      ".reg .b32 %r<9>; .reg .b64 %d<3>; .reg .pred %p<3>;\n"
      "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.s64 %d2, %d0, %d1;\n" +
      body + "st.global.u32 [%d2], %r7; ret;\n}\n");
  const ptx::ParseResult parsed = ptx::parse(text, "test.ptx");
  if (!parsed.module) return {};
  const auto decoded = program::decode(parsed.module, "k", *set.table, {.stepping = true});
  if (!decoded.program) return {};
  const auto copy = std::make_shared<program::Program>(*decoded.program);
  std::array<TracedRun, 100> runs{};
  TraceLog log;
  log.at = runs.data();
  log.end = log.at + runs.size();
  log.left = INT64_MAX;
  log.untraced = decoded.program.get();
  Bench bench(copy);
  bench.buffer(std::vector<std::byte>(size_t{4} * 64));
  GridLaunch launch = bench.launch_of({1, 1, 1}, {64, 1, 1});
  launch.tier = tier;
  launch.trace = &log;
  EXPECT_EQ(run_grid(launch, {}, nullptr).end, GridOutcome::End::finished);
  Noted noted;
  for (const TracedRun* run = runs.data(); run != log.at; ++run) noted.emplace_back(run->first, run->count());
  return noted;
}

// If a mask names half of the lanes, handlers continue.
TEST_P(CompiledTier, TracesNoteInstructionsBeforeAMaskOfHalfTheLanes) {
  if (!compiles_traces()) GTEST_SKIP() << "no target that notes instructions";
  const std::string body =
      "and.b32 %r1, %r0, 16; mov.u32 %r2, 65535; shl.b32 %r3, %r2, %r1; add.u32 %r4, %r3, %r0;\n"
      "vote.sync.ballot.b32 %r5, %p1, %r3; setp.gt.u32 %p1, %r0, 3; vote.sync.ballot.b32 %r6, %p1, -1;\n"
      "add.u32 %r7, %r6, %r5;\n";
  // The instructions of both warps before the vote.
  const Noted wanted = {{0, 8}, {0, 8}};
  EXPECT_EQ(noted_by_code(*compiled_set(), body, Tier::executor), wanted);
  EXPECT_EQ(noted_by_code(*compiled_set(), body, Tier::always), wanted);
}

// If the lanes of a row wrap around, handlers continue.
TEST_P(CompiledTier, TracesNoteInstructionsBeforeAComparisonOfLanesThatWrapAround) {
  if (!compiles_traces()) GTEST_SKIP() << "no target that notes instructions";
  const std::string body =
      "sub.u32 %r1, %r0, 40; xor.b32 %r2, %r0, 5; setp.gt.u32 %p1, %r1, 5; selp.u32 %r7, 1, 2, %p1;\n";
  // All instructions of warp 0, and those of warp 1 before the comparison: %r1 is -8 to 23 there.
  const Noted wanted = {{0, 6}, {6, 3}, {9, 1}, {0, 6}};
  EXPECT_EQ(noted_by_code(*compiled_set(), body, Tier::executor), wanted);
  EXPECT_EQ(noted_by_code(*compiled_set(), body, Tier::always), wanted);
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::test
