// If this machine's memory is used up, the launch ends, but never the program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/core/gpu/exec/little_memory.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {
namespace THIS_FILE {

constexpr size_t mebibyte = size_t{1} << 20;

// Each thread has so many bytes of local memory, runs a while, and adds 1 to a word.
std::string text(uint32_t local_bytes) {
  return module_text(
      ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %d<4>; .reg .b32 %r<4>; .reg .pred %p<2>;\n"
      ".local .align 4 .b8 room[" +
      std::to_string(local_bytes) +
      "];\nld.param.u64 %d0, [out];\nmov.u32 %r0, %tid.x;\nst.local.u32 [room], %r0;\nmov.u32 %r1, 0;\n"
      "AGAIN: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p0, %r1, 20000;\n@%p0 bra AGAIN;\n"
      "red.global.add.u32 [%d0], 1;\nret;\n}\n");
}

struct Ran {
  GridOutcome outcome;
  uint32_t sum = 0;
};

Ran run(uint32_t local_bytes, Dim3 grid, Dim3 block, uint32_t workers, size_t memory) {
  const Decoded decoded = decode(text(local_bytes), "k", best_ops());
  if (decoded.program == nullptr) {
    std::cerr << decoded.errors;
    return {};
  }
  Bench bench(decoded.program);
  const Allocation& out = bench.buffer(std::vector<std::byte>(4));
  limit_memory(memory);
  Ran ran{bench.run(grid, block, workers)};
  std::memcpy(&ran.sum, out.host, 4);
  return ran;
}

// Ends the process: the numbers of GridOutcome::End.
[[noreturn]] void end_with(const Ran& ran) {
  std::cerr << "end " << int(ran.outcome.end) << " sum " << ran.sum << "\n";
  std::_Exit(0);
}

constexpr int finished = int(GridOutcome::End::finished),
              out_of_memory = int(GridOutcome::End::out_of_memory);
std::string ends(int end, const std::string& sum) {
  return "end " + std::to_string(end) + " sum " + sum + "\n";
}

// The maximum of a variable's size times the maximum number of threads in a block: 512 MiB.
TEST(NoMemory, ABlockTooLargeEndsTheLaunchOnEveryNumberOfWorkers) {
  if (!memory_can_be_limited) GTEST_SKIP() << "a sanitizer needs the memory";
  for (const uint32_t workers : {1u, 4u}) {
    EXPECT_EXIT(end_with(run(512 << 10, {8, 1, 1}, {1024, 1, 1}, workers, 256 * mebibyte)),
                testing::ExitedWithCode(0), ends(out_of_memory, "0"))
        << workers;
  }
}

TEST(NoMemory, FewerThreadsDoTheWorkWhereTheSystemGivesNoMore) {
  if (!memory_can_be_limited) GTEST_SKIP() << "a sanitizer needs the memory";
  // A thread's stack has 8 MiB as a rule.
  EXPECT_EXIT(end_with(run(16, {256, 1, 1}, {32, 1, 1}, 64, 48 * mebibyte)), testing::ExitedWithCode(0),
              ends(finished, "8192"));
}

// Each block uses up several slices, so a worker would start all of them.
TEST(NoMemory, ABlockMoreIsLeftOutWhereOthersAreUnderWay) {
  if (!memory_can_be_limited) GTEST_SKIP() << "a sanitizer needs the memory";
  EXPECT_EXIT(end_with(run(40 << 10, {12, 1, 1}, {1024, 1, 1}, 1, 160 * mebibyte)),
              testing::ExitedWithCode(0), ends(finished, "12288"));
}

}  // namespace THIS_FILE
}  // namespace warplens::exec::test
