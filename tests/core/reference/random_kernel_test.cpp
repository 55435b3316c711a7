// Random kernels on every instruction set of the virtual GPU, against the reference interpreter.
#include "tests/core/reference/random_kernel.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/core/gpu/exec/support.h"

namespace warplens::reference {

namespace THIS_FILE {

using exec::test::Bench;
using exec::test::InstructionSet;

constexpr Dim3 shapes[] = {{1, 1, 1}, {31, 1, 1}, {32, 1, 1}, {45, 1, 1}, {64, 1, 1}};

struct Case {
  std::string ptx;
  Dim3 grid, block;
};

Case case_of(uint32_t seed) { return {random_kernel(seed), {1 + seed % 3, 1, 1}, shapes[seed % 5]}; }

void expect_same(const exec::Allocation& got, const std::vector<std::byte>& wanted, const char* buffer) {
  for (size_t i = 0; i < wanted.size(); ++i)
    ASSERT_EQ(got.host[i], wanted[i]) << "byte " << i << " of " << buffer;
}

void compare_with_reference(const Case& c, const InstructionSet& set, uint32_t workers) {
  const ptx::ParseResult parsed = ptx::parse(c.ptx, "random.ptx");
  ASSERT_NE(parsed.module, nullptr) << to_text(parsed.diagnostics);
  KernelMemory wanted(static_cast<uint32_t>(c.grid.count() * c.block.count()));
  const KernelMemory before = wanted;
  const Outcome end = run_reference(*parsed.module, c.grid, c.block, wanted);
  ASSERT_EQ(end.end, End::finished) << end.reason << " in line " << end.line;

  const exec::test::Decoded decoded = exec::test::decode(c.ptx, "test", *set.table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  Bench bench(decoded.program);
  const exec::Allocation& out = bench.buffer(before.out);
  const exec::Allocation& sums = bench.buffer(before.sums);
  const exec::Allocation& scratch = bench.buffer(before.scratch);
  const exec::GridOutcome outcome = bench.run(c.grid, c.block, workers);
  ASSERT_EQ(outcome.end, exec::GridOutcome::End::finished);
  expect_same(out, wanted.out, "out");
  expect_same(sums, wanted.sums, "sums");
  expect_same(scratch, wanted.scratch, "scratch");
}

TEST(RandomKernels, EndAsByTheReference) {
  const auto sets = exec::test::instruction_sets();
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    const InstructionSet& set = sets[seed % sets.size()];
    const Case c = case_of(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + set.name + "\n" + c.ptx);
    compare_with_reference(c, set, 1 + seed % 3);
    if (HasFatalFailure()) return;
  }
}

// To make a kernel that differs smaller: WARPLENS_KERNEL names its file, called as WriteThem does it.
TEST(RandomKernels, DISABLED_CompareOne) {
  const char* file = std::getenv("WARPLENS_KERNEL");
  ASSERT_NE(file, nullptr);
  uint32_t seed = 0;
  Case c{exec::test::read_text(file), {1, 1, 1}, {1, 1, 1}};
  const std::string name = std::filesystem::path(file).filename();
  ASSERT_EQ(std::sscanf(name.c_str(), "%u_%u_%u.ptx", &seed, &c.grid.x, &c.block.x), 3);
  compare_with_reference(c, exec::test::instruction_sets().front(), 1);
}

// FNV-1a of the contents of a kernel's three buffers, one after the other.
uint64_t hash_of(const KernelMemory& memory) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const auto* bytes : {&memory.out, &memory.sums, &memory.scratch})
    for (const std::byte byte : *bytes) hash = (hash ^ static_cast<uint64_t>(byte)) * 0x100000001b3;
  return hash;
}

// Compilers evaluate arguments in orders of their own, and the generator draws in that order.
bool are_those_that_were_recorded() {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : case_of(1).ptx) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash == 0x6cdd37e6abe6ed2f;  // of the first one
}

// tests/data/truth/record_random.py ran them on a GPU: a line each, "seed hash".
TEST(RandomKernels, EndAsOnAGpu) {
  if (!are_those_that_were_recorded())
    GTEST_SKIP() << "this compiler makes other kernels than those that ran on a GPU";
  std::ifstream file(exec::test::source_file("tests/data/truth/random_kernels_h200.txt"));
  uint32_t seed = 0, compared = 0;
  uint64_t hash = 0;
  while (file >> std::dec >> seed >> std::hex >> hash) {
    const Case c = case_of(seed);
    const ptx::ParseResult parsed = ptx::parse(c.ptx, "random.ptx");
    ASSERT_NE(parsed.module, nullptr);
    KernelMemory memory(static_cast<uint32_t>(c.grid.count() * c.block.count()));
    const Outcome end = run_reference(*parsed.module, c.grid, c.block, memory);
    ASSERT_EQ(end.end, End::finished);
    EXPECT_EQ(hash_of(memory), hash) << "seed " << seed << "\n" << c.ptx;
    ++compared;
  }
  EXPECT_EQ(compared, 400u);
}

// For record_random.py: --gtest_also_run_disabled_tests --gtest_filter=RandomKernels.*WriteThem, into the
// folder WARPLENS_PROGRAMS.
TEST(RandomKernels, DISABLED_WriteThem) {
  const char* folder = std::getenv("WARPLENS_PROGRAMS");
  ASSERT_NE(folder, nullptr);
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    const Case c = case_of(seed);
    std::ofstream(std::string(folder) + "/" + std::to_string(seed) + "_" + std::to_string(c.grid.x) + "_" +
                  std::to_string(c.block.x) + ".ptx")
        << c.ptx;
  }
}

}  // namespace THIS_FILE

}  // namespace warplens::reference
