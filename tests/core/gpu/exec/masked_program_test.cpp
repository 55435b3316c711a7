// Random kernels under masks: machine code of both targets against the handlers, memory and counters.
#include "tests/core/gpu/exec/masked_program.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <string_view>

#include "core/gpu/exec/jit/targets.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {

namespace THIS_FILE {

constexpr std::array<Dim3, 8> blocks{
    {{16, 16, 1}, {32, 4, 1}, {8, 8, 1}, {16, 1, 1}, {64, 1, 1}, {10, 7, 1}, {33, 2, 1}, {128, 1, 1}}};
constexpr Dim3 grid{3, 1, 1};

struct Run {
  GridOutcome outcome;
  std::vector<std::byte> out;
  std::vector<uint8_t> stored;  // by byte of `out`, if that is noted
};

// Made once: tests are not optimised, and this would take a third of their time.
const std::vector<std::byte>& input() {
  static const std::vector<std::byte> made = [] {
    std::vector<std::byte> bytes(MaskedProgram::in_bytes);
    std::mt19937 random(7);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
  }();
  return made;
}

Run run(const std::shared_ptr<const program::Program>& program, Dim3 block, Tier tier, bool counts,
        bool notes = false) {
  Bench bench(program);
  bench.buffer(input());
  Allocation& out =
      bench.buffer(std::vector<std::byte>(grid.count() * block.count() * MaskedProgram::out_bytes_of_thread));
  Run made;
  if (notes) {
    made.stored.resize(out.end - out.begin);
    out.stored = made.stored.data();
  }
  made.outcome = bench.run(grid, block, 1, true, tier, counts);
  made.out.resize(out.end - out.begin);
  std::memcpy(made.out.data(), out.host, made.out.size());
  return made;
}

void expect_alike(const Run& a, const Run& b) {
  ASSERT_EQ(a.outcome.end, GridOutcome::End::finished);
  ASSERT_EQ(b.outcome.end, GridOutcome::End::finished);
  ASSERT_EQ(a.out.size(), b.out.size());
  ASSERT_EQ(std::memcmp(a.out.data(), b.out.data(), a.out.size()), 0);
  ASSERT_EQ(a.stored.size(), b.stored.size());
  ASSERT_TRUE(a.stored.empty() || std::memcmp(a.stored.data(), b.stored.data(), a.stored.size()) == 0);
  for (size_t i = 0; i < a.outcome.counts.size(); ++i) {
    ASSERT_EQ(a.outcome.counts[i].warps, b.outcome.counts[i].warps) << i;
    ASSERT_EQ(a.outcome.counts[i].threads, b.outcome.counts[i].threads) << i;
  }
  for (size_t i = 0; i < a.outcome.memory_ops.size(); ++i) {
    const MemoryOpState &x = a.outcome.memory_ops[i], &y = b.outcome.memory_ops[i];
    const std::array wanted{x.requests, x.sectors, x.sectors_ideal, x.lines, x.wavefronts, x.conflicts},
        got{y.requests, y.sectors, y.sectors_ideal, y.lines, y.wavefronts, y.conflicts};
    ASSERT_EQ(wanted, got) << "access " << i;
  }
}

// The name is that of the handlers that run with the code.
class MaskedPrograms : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, MaskedPrograms, testing::Values("avx512", "avx2"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(MaskedPrograms, EndAlikeByHandlersAndInMachineCode) {
  const auto sets = instruction_sets();
  const auto set = std::ranges::find_if(sets, [](const InstructionSet& each) {
    return std::string_view(each.name) == GetParam() && jit::target_for(each.table) != nullptr;
  });
  if (set == sets.end()) GTEST_SKIP() << "This machine or build has no such code.";
  for (uint32_t seed = 1; seed <= 1000; ++seed) {
    const MaskedProgram made = masked_program(seed);
    const Decoded decoded = decode(made.ptx, "test", *set->table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors << made.ptx;
    const Dim3 block = blocks[seed % blocks.size()];
    const bool counts = seed % 5 != 0, notes = seed % 3 == 0;
    expect_alike(run(decoded.program, block, Tier::off, counts, notes),
                 run(decoded.program, block, Tier::always, counts, notes));
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << "\n" << made.ptx;
  }
}

TEST(MaskedProgramsOfTheExecutor, EndAlike) {
  const auto sets = instruction_sets();
  for (uint32_t seed = 1001; seed <= 1100; ++seed) {
    const MaskedProgram made = masked_program(seed);
    const Decoded decoded = decode(made.ptx, "test", *sets[seed % sets.size()].table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors << made.ptx;
    const Dim3 block = blocks[seed % blocks.size()];
    expect_alike(run(decoded.program, block, Tier::off, true),
                 run(decoded.program, block, Tier::executor, true));
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << "\n" << made.ptx;
  }
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::test
