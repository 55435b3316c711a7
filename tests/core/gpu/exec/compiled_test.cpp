// When blocks are compiled, and what the code does where paths part, wait and pause.
#include "core/gpu/exec/tier/compiled.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {

namespace {

// Null where this machine has no AVX-512, or this build has it not or has no encoder.
const InstructionSet* compiled_set() {
  static const std::vector<InstructionSet> sets = instruction_sets();
  return tier::can_compile() && std::string_view(sets.back().name) == "avx512" ? &sets.back() : nullptr;
}

// Each thread takes part in a loop with a barrier; some leave it early or wait aside for a turn.
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

Run run_loop(const Decoded& decoded, Tier tier, uint32_t turns, uint32_t workers = 1, bool counts = true) {
  constexpr uint32_t blocks = 6, threads = 96;
  Bench bench(decoded.program);
  const Allocation& out = bench.buffer(std::vector<std::byte>(size_t{4} * blocks * threads));
  bench.parameter(turns);
  Run run{bench.run({blocks, 1, 1}, {threads, 1, 1}, workers, true, tier, counts), {}};
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
  for (size_t i = 0; i < a.outcome.memory_ops.size(); ++i) {
    EXPECT_EQ(a.outcome.memory_ops[i].requests, b.outcome.memory_ops[i].requests) << i;
    EXPECT_EQ(a.outcome.memory_ops[i].sectors, b.outcome.memory_ops[i].sectors) << i;
    EXPECT_EQ(a.outcome.memory_ops[i].wavefronts, b.outcome.memory_ops[i].wavefronts) << i;
    EXPECT_EQ(a.outcome.memory_ops[i].conflicts, b.outcome.memory_ops[i].conflicts) << i;
  }
}

bool is_compiled(const program::Program& program, bool counts) {
  CompiledProgram* const compiled = compiled_program(program, counts, Tier::hot);
  return compiled != nullptr && compiled->find(program.entry()) != nullptr;
}

TEST(CompiledTier, RunsLoopsBarriersAndDivergenceAlike) {
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

TEST(CompiledTier, CompilesWhatManyWarpsEnterAndNothingElse) {
  if (compiled_set() == nullptr) GTEST_SKIP() << "no AVX-512, or no AsmJit";
  const Decoded decoded = decode(loop_text, "k", *compiled_set()->table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  CompiledProgram* const compiled = compiled_program(*decoded.program, true, Tier::hot);
  ASSERT_NE(compiled, nullptr);
  const auto has_code = [&] {
    uint32_t ops = 0;
    for (const Op& op : decoded.program->ops) ops += compiled->find(&op) != nullptr;
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
  // A copy has other ops, and so other code.
  const program::Program copy = *decoded.program;
  EXPECT_FALSE(is_compiled(copy, true));
  EXPECT_EQ(compiled->refused(), 0u);
}

// That the code runs shows where there are no handlers. The store's has to stay: it learns how its lanes lie.
TEST(CompiledTier, RunsWithoutTheHandlersOfWhatItCompiled) {
  if (compiled_set() == nullptr) GTEST_SKIP() << "no AVX-512, or no AsmJit";
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
  const Allocation& out = bench.buffer(std::vector<std::byte>(size_t{4} * 64));
  bench.parameter(uint32_t{77});
  EXPECT_EQ(bench.run({1, 1, 1}, {64, 1, 1}, 1, true, Tier::always).end, GridOutcome::End::finished);
  for (uint32_t t = 0; t < 64; ++t) {
    uint32_t got = 0;
    std::memcpy(&got, out.host + size_t{4} * t, 4);
    EXPECT_EQ(got, (t ^ 77u) * t);
  }
}

}  // namespace

}  // namespace warplens::exec::test
