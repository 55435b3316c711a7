// What a launch keeps for the next one changes no result, whether others help with it or not.
#include "core/gpu/exec/kept_workers.h"

#include "core/gpu/exec/jit/compiled.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {
namespace THIS_FILE {

// Loops, diverges, passes values through shared and local memory, counts with an atomic, and reads past n
// not.
const std::string mixed_kernel = module_text(R"(
.visible .entry k(.param .u64 out, .param .u64 in, .param .u32 n)
{
  .reg .pred %p<4>;
  .reg .b32 %r<20>;
  .reg .b64 %d<12>;
  .shared .align 4 .b8 swapped[256];
  .local .align 4 .b8 own[16];
  ld.param.u64 %d0, [out];
  ld.param.u64 %d1, [in];
  ld.param.u32 %r0, [n];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mov.u32 %r8, 0;
  setp.ge.u32 %p0, %r4, %r0;
  mul.wide.u32 %d2, %r4, 4;
  add.u64 %d3, %d1, %d2;
  add.u64 %d4, %d0, %d2;
  @%p0 bra joined;
  ld.global.u32 %r5, [%d3];
  and.b32 %r6, %r5, 7;
again:
  setp.eq.u32 %p1, %r6, 0;
  @%p1 bra joined;
  mad.lo.u32 %r8, %r8, 3, %r4;
  sub.u32 %r6, %r6, 1;
  bra again;
joined:
  mov.u32 %r9, swapped;
  shl.b32 %r10, %r1, 2;
  add.u32 %r11, %r9, %r10;
  st.shared.u32 [%r11], %r8;
  bar.sync 0;
  xor.b32 %r12, %r10, 124;
  add.u32 %r13, %r9, %r12;
  ld.shared.u32 %r14, [%r13];
  mov.u64 %d5, own;
  and.b32 %r15, %r1, 3;
  mul.wide.u32 %d6, %r15, 4;
  add.u64 %d7, %d5, %d6;
  st.local.u32 [%d7], %r14;
  ld.local.u32 %r16, [own];
  @%p0 ret;
  add.u32 %r17, %r16, %r8;
  st.global.u32 [%d4], %r17;
  red.global.add.u32 [%d0+16384], 1;
  ret;
})");

struct Ran {
  GridOutcome outcome;
  std::vector<std::byte> memory;
};

void expect_equal(const Ran& ran, const Ran& wanted, const std::string& what) {
  ASSERT_EQ(ran.outcome.end, wanted.outcome.end) << what;
  EXPECT_EQ(ran.memory, wanted.memory) << what;
  for (size_t i = 0; i < wanted.outcome.counts.size(); ++i) {
    EXPECT_EQ(ran.outcome.counts[i].warps, wanted.outcome.counts[i].warps) << what << i;
    EXPECT_EQ(ran.outcome.counts[i].threads, wanted.outcome.counts[i].threads) << what << i;
  }
  const auto numbers = [](const MemoryOpState& op) {
    return std::vector<uint64_t>{op.requests,
                                 op.sectors,
                                 op.sectors_ideal,
                                 op.lines,
                                 op.wavefronts,
                                 op.conflicts,
                                 op.heat != nullptr ? op.heat->lanes[op.heat->lanes.size() / 2] : 0};
  };
  for (size_t i = 0; i < wanted.outcome.memory_ops.size(); ++i)
    EXPECT_EQ(numbers(ran.outcome.memory_ops[i]), numbers(wanted.outcome.memory_ops[i])) << what << i;
}

// With memory of its own, at addresses that depend on `shift`.
Ran run_mixed(const std::shared_ptr<const program::Program>& program, Dim3 grid, Dim3 block, uint32_t workers,
              KeptWorkers* kept, uint32_t shift = 0) {
  Bench bench(program);
  for (uint32_t i = 0; i < shift; ++i) bench.memory().allocate(4096 * shift, "other");
  std::vector<std::byte> zeros(20'000), numbers(16'384);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::byte>(i * 37 >> 2);
  Allocation& out = bench.buffer(zeros);
  bench.buffer(numbers);
  bench.parameter(static_cast<uint32_t>(grid.count() * block.count() - 5));
  GridLaunch launch = bench.launch_of(grid, block);
  launch.workers = workers;
  launch.kept = kept;
  Ran ran{run_grid(launch, {}, nullptr), {}};
  ran.memory.assign(out.host, out.host + zeros.size());
  return ran;
}

TEST(KeptWorkers, ChangeNoResult) {
  for (const InstructionSet& set : instruction_sets()) {
    const Decoded decoded = decode(mixed_kernel, "k", *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors;
    KeptWorkers kept;
    uint32_t launch = 0;
    for (const uint32_t workers : {1u, 2u, 8u, 1u, 8u}) {
      for (const Dim3 block : {Dim3{64, 1, 1}, Dim3{64, 1, 1}, Dim3{33, 1, 1}}) {
        for (const uint32_t blocks : {1u, 60u, 7u}) {
          const Ran wanted = run_mixed(decode(mixed_kernel, "k", *set.table).program, {blocks, 1, 1}, block,
                                       1, nullptr, launch % 3);
          const Ran ran = run_mixed(decoded.program, {blocks, 1, 1}, block, workers, &kept, launch % 3);
          expect_equal(ran, wanted, std::string(set.name) + " launch " + std::to_string(launch++) + " ");
        }
      }
    }
  }
}

// Helpers have come, since the launch is long.
TEST(KeptWorkers, HelpersChangeNoResult) {
  const Decoded decoded = decode(mixed_kernel, "k", *instruction_sets().back().table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  KeptWorkers kept;
  const Ran wanted = run_mixed(decoded.program, {64, 1, 1}, {64, 1, 1}, 1, nullptr);
  for (int i = 0; i < 50; ++i)
    expect_equal(run_mixed(decoded.program, {64, 1, 1}, {64, 1, 1}, 8, &kept), wanted, std::to_string(i));
}

// A fault in the middle leaves nothing to the next launch.
TEST(KeptWorkers, ForgetAFault) {
  const Decoded decoded = decode(mixed_kernel, "k", *instruction_sets().back().table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  KeptWorkers kept;
  const Ran wanted = run_mixed(decoded.program, {64, 1, 1}, {64, 1, 1}, 1, nullptr);
  for (const uint32_t workers : {1u, 4u}) {
    expect_equal(run_mixed(decoded.program, {64, 1, 1}, {64, 1, 1}, workers, &kept), wanted, "before");
    EXPECT_EQ(run_mixed(decoded.program, {200, 1, 1}, {64, 1, 1}, workers, &kept).outcome.end,
              GridOutcome::End::fault);
    expect_equal(run_mixed(decoded.program, {64, 1, 1}, {64, 1, 1}, workers, &kept), wanted, "after");
  }
}

// The clock of a block counts its work, with the searches of the first access after each launch.
TEST(KeptWorkers, ChangeNoClock) {
  const std::string text = module_text(R"(
.visible .entry k(.param .u64 out, .param .u64 in, .param .u32 n)
{
  .reg .b32 %r<8>;
  .reg .b64 %d<12>;
  .shared .align 4 .b8 words[4096];
  ld.param.u64 %d0, [out];
  ld.param.u64 %d1, [in];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d2, %r0, 68;
  add.u64 %d3, %d1, %d2;
  mov.u32 %r3, words;
  shl.b32 %r4, %r0, 3;
  add.u32 %r5, %r3, %r4;
  mov.u32 %r7, 0;
  ld.global.u32 %r1, [%d3];
  st.shared.u32 [%r5], %r1;
  ld.global.u32 %r2, [%d3+4];
  ld.shared.u32 %r6, [%r5];
  mov.u64 %d4, %clock64;
  mul.wide.u32 %d5, %r0, 8;
  add.u64 %d6, %d0, %d5;
  st.global.u64 [%d6], %d4;
  ret;
})");
  const Decoded decoded = decode(text, "k", *instruction_sets().back().table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  KeptWorkers kept;
  const Ran wanted = run_mixed(decoded.program, {2, 1, 1}, {64, 1, 1}, 1, nullptr);
  for (int i = 0; i < 4; ++i)
    expect_equal(run_mixed(decoded.program, {2, 1, 1}, {64, 1, 1}, 1, &kept), wanted, std::to_string(i));
}

// None of them enters a basic block often enough to compile it.
TEST(KeptWorkers, CompileWhatManySmallLaunchesEnterOften) {
  const Decoded decoded = decode(mixed_kernel, "k", *instruction_sets().back().table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  CompiledProgram* const code =
      compiled_program(*decoded.program, {true, Dim3{64, 1, 1}}, tier_from_environment());
  if (code == nullptr) GTEST_SKIP() << "no compiler for this machine, or the tier is off";
  KeptWorkers kept;
  const auto is_compiled = [&] { return code->find(decoded.program->entry(), CodeFor::all) != nullptr; };
  if (is_compiled()) GTEST_SKIP() << "all is compiled before the first launch";
  for (uint64_t warps = 0; warps < CompiledProgram::many_entries; warps += 8) {
    if (warps < CompiledProgram::many_entries / 8) {
      EXPECT_FALSE(is_compiled()) << warps;
    }
    run_mixed(decoded.program, {4, 1, 1}, {64, 1, 1}, 1, &kept);
  }
  EXPECT_TRUE(is_compiled());
}

}  // namespace THIS_FILE
}  // namespace warplens::exec::test
