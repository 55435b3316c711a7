// Random programs on every instruction set, against a reference that knows no warps.
#include "tests/core/gpu/exec/random_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {

namespace THIS_FILE {

uint64_t thread_instructions(const GridOutcome& outcome, const program::Program& program) {
  uint64_t sum = 0;
  for (size_t b = 0; b < outcome.counts.size(); ++b)
    sum += outcome.counts[b].threads * program.flow.blocks[b].count;
  return sum;
}

constexpr Dim3 shapes[] = {{1, 1, 1},  {7, 1, 1},  {31, 1, 1},  {33, 1, 1},
                           {7, 13, 1}, {64, 1, 1}, {1024, 1, 1}};

void compare_with_reference(uint32_t seed, const InstructionSet& set, Dim3 block, uint32_t blocks,
                            Tier tier = tier_from_environment()) {
  const RandomProgram random = random_program(seed);
  const std::string ptx = ptx_of(random);
  const Decoded decoded = decode(ptx, "test", *set.table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors << ptx;
  const auto threads = static_cast<uint32_t>(block.count()) * blocks;
  Bench bench(decoded.program);
  const Allocation& out = bench.buffer(std::vector<std::byte>(size_t{16} * threads));
  const GridOutcome outcome = bench.run({blocks, 1, 1}, block, 1 + seed % 3, true, tier);
  ASSERT_EQ(outcome.end, GridOutcome::End::finished) << ptx;
  const uint64_t prologue =
      12 + 2 * random.tanks + 1 + 2 * RandomProgram::registers + RandomProgram::predicates + 1;
  uint64_t instructions = prologue * threads;
  for (uint32_t t = 0; t < threads; ++t) {
    const ThreadEnd wanted = run_reference(random, t);
    uint32_t got[4];
    std::memcpy(got, out.host + size_t{16} * t, 16);
    for (uint32_t r = 0; r < 4; ++r)
      ASSERT_EQ(got[r], wanted.registers[r])
          << "register " << r << " of thread " << t << ", seed " << seed << "\n"
          << ptx;
    instructions += wanted.instructions;
  }
  ASSERT_EQ(thread_instructions(outcome, *decoded.program), instructions) << "seed " << seed << "\n" << ptx;
}

TEST(RandomPrograms, EndAsEachThreadAloneWould) {
  const auto sets = instruction_sets();
  for (uint32_t seed = 1; seed <= 600; ++seed) {
    const Dim3 block = shapes[seed % 6];
    compare_with_reference(seed, sets[seed % sets.size()], block, 1 + seed % 4);
    if (HasFatalFailure()) return;
  }
}

TEST(RandomPrograms, EndAlikeCompiled) {
  const auto sets = instruction_sets();
  for (uint32_t seed = 2001; seed <= 2240; ++seed) {
    compare_with_reference(seed, sets[seed / 2 % sets.size()], shapes[seed % 2 == 0 ? 5 : 6], 1 + seed % 3,
                           Tier::always);
    if (HasFatalFailure()) return;
  }
}

// With the interpreter of the IR, on every machine: it checks the assumptions of the passes about values.
TEST(RandomPrograms, EndAlikeByTheExecutor) {
  const auto sets = instruction_sets();
  for (uint32_t seed = 3001; seed <= 3120; ++seed) {
    const Dim3 block = shapes[1 + seed % 6];
    compare_with_reference(seed, sets[seed % sets.size()], block, 1 + seed % 3, Tier::executor);
    if (HasFatalFailure()) return;
  }
}

// FNV-1a of the reference's memory.
uint64_t hash_of_reference(const RandomProgram& program, uint32_t threads) {
  uint64_t hash = 0xcbf29ce484222325;
  for (uint32_t t = 0; t < threads; ++t) {
    const ThreadEnd end = run_reference(program, t);
    for (const uint32_t value : end.registers)
      for (int byte = 0; byte < 4; ++byte) hash = (hash ^ ((value >> (8 * byte)) & 255)) * 0x100000001b3;
  }
  return hash;
}

// tests/data/truth/record_random.py ran the programs on a GPU: a line each, "seed hash".
TEST(RandomPrograms, EndAsOnAGpu) {
  std::ifstream file(source_file("tests/data/truth/random_programs_h200.txt"));
  uint32_t seed = 0, compared = 0;
  uint64_t hash = 0;
  while (file >> std::dec >> seed >> std::hex >> hash) {
    const auto threads = static_cast<uint32_t>(shapes[seed % 6].count()) * (1 + seed % 4);
    EXPECT_EQ(hash_of_reference(random_program(seed), threads), hash) << "seed " << seed;
    ++compared;
  }
  EXPECT_EQ(compared, 600u);
}

// For record_random.py: --gtest_also_run_disabled_tests --gtest_filter=*WriteThem, into the folder
// WARPLENS_PROGRAMS.
TEST(RandomPrograms, DISABLED_WriteThem) {
  const char* folder = std::getenv("WARPLENS_PROGRAMS");
  ASSERT_NE(folder, nullptr);
  for (uint32_t seed = 1; seed <= 600; ++seed) {
    const Dim3 block = shapes[seed % 6];
    std::ofstream(fmt::format("{}/{}_{}_{}_{}.ptx", folder, seed, 1 + seed % 4, block.x, block.y))
        << ptx_of(random_program(seed));
  }
}

TEST(RandomPrograms, EndAlikeInLargeBlocks) {
  const auto sets = instruction_sets();
  for (uint32_t seed = 1001; seed <= 1030; ++seed) {
    for (const InstructionSet& set : sets) compare_with_reference(seed, set, shapes[6], 2);
    if (HasFatalFailure()) return;
  }
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::test
