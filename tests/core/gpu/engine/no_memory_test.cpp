// The error of a run, a replay and a stepper if this machine's memory is used up.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "core/gpu/engine/heat.h"
#include "core/gpu/engine/replay.h"
#include "core/gpu/stepping/block_stepper.h"
#include "tests/core/gpu/engine/support.h"
#include "tests/core/gpu/exec/little_memory.h"

namespace warplens::test {
namespace THIS_FILE {

using exec::test::limit_memory;
using exec::test::memory_can_be_limited;

constexpr size_t mebibyte = size_t{1} << 20;

// Threads with so much local memory each, which run a while and write their number.
Request large_blocks(uint32_t local_bytes, uint32_t blocks, uint32_t threads, uint32_t rounds = 1000) {
  Request request(kernel(
      "deep", 1,
      ".local .align 4 .b8 room[" + std::to_string(local_bytes) +
          "];\nmov.u32 %r0, %tid.x; st.local.u32 [room], %r0; mov.u32 %r1, 0;\nAGAIN: add.u32 %r1, %r1, 1;\n"
          "setp.lt.u32 %q0, %r1, " +
          std::to_string(rounds) +
          "; @%q0 bra AGAIN;\nmul.wide.u32 %d0, %r0, 4; add.u64 %d0, %p0, %d0; st.global.u32 [%d0], %r0;"));
  request.buffer("out", zeros(1024)).launch("deep", {blocks, 1, 1}, {threads, 1, 1});
  request.value.sanitize = Sanitize::off;
  return request;
}

template <class T>
[[noreturn]] void end_with(const Result<T>& result) {
  std::cerr << (result ? "it ran" : result.error().message) << "\n";
  std::_Exit(0);
}

constexpr const char* sentence =
    "There is not enough memory on this machine to run deep .*51[23] MiB: it has 1024 threads, with 524288 "
    "bytes";

TEST(NoMemory, ARunSaysWhatABlockTakes) {
  if (!memory_can_be_limited) GTEST_SKIP() << "a sanitizer needs the memory";
  for (const uint32_t workers : {1u, 4u}) {
    Request request = large_blocks(512 << 10, 8, 1024);
    request.value.workers = workers;
    EXPECT_EXIT(
        {
          limit_memory(256 * mebibyte);
          end_with(request.run());
        },
        testing::ExitedWithCode(0), sentence)
        << workers;
  }
}

TEST(NoMemory, ARunOnManyWorkersIsRunAgainOnOne) {
  if (!memory_can_be_limited) GTEST_SKIP() << "a sanitizer needs the memory";
  // Long enough that several workers have a block at the same time, also where the loop is machine code.
  Request request = large_blocks(64 << 10, 24, 1024, 10000);
  request.value.workers = 8;
  EXPECT_EXIT(
      {
        limit_memory(200 * mebibyte);
        const Result<RunResult> result = request.run();
        if (result) std::cerr << output<uint32_t>(*result, 0)[1023] << " by " << result->host.workers << "\n";
        end_with(result);
      },
      testing::ExitedWithCode(0), "1023 by 1\nit ran");
}

TEST(NoMemory, ReplaysAndSteppersSayItToo) {
  if (!memory_can_be_limited) GTEST_SKIP() << "a sanitizer needs the memory";
  const Request request = large_blocks(512 << 10, 8, 1024);
  EXPECT_EXIT(
      {
        limit_memory(256 * mebibyte);
        end_with(replay_block(request.value, {1, 0, 0}, {}));
      },
      testing::ExitedWithCode(0), sentence);
  EXPECT_EXIT(
      {
        limit_memory(256 * mebibyte);
        end_with(record_heat(request.value, {}));
      },
      testing::ExitedWithCode(0), sentence);
  EXPECT_EXIT(
      {
        limit_memory(256 * mebibyte);
        end_with(stepping::BlockStepper::open(std::make_shared<LaunchRequest>(request.value), {0, 0, 0}));
      },
      testing::ExitedWithCode(0), "There is not enough memory on this machine to step through the block");
  stepping::Options options;
  options.earlier_blocks = true;
  EXPECT_EXIT(
      {
        limit_memory(256 * mebibyte);
        end_with(
            stepping::BlockStepper::open(std::make_shared<LaunchRequest>(request.value), {3, 0, 0}, options));
      },
      testing::ExitedWithCode(0), sentence);
}

TEST(NoMemory, ARunWhoseRecordsFindNoRoomSaysSo) {
  if (!memory_can_be_limited) GTEST_SKIP() << "a sanitizer needs the memory";
  Request request = large_blocks(16, 64, 1024);
  request.value.sanitize = Sanitize::all;
  request.value.trace_limit = uint64_t{1} << 40;
  request.value.model_caches = true;
  request.value.device.l1_bytes_per_sm = request.value.device.l2_bytes = uint64_t{1} << 40;
  EXPECT_EXIT(
      {
        limit_memory(64 * mebibyte);
        end_with(request.run());
      },
      testing::ExitedWithCode(0), "There is not enough memory on this machine for the run");
}

// What is kept of the way back grows until nothing is left; then the way back is what is left.
TEST(NoMemory, AStepperStopsAndGoesBack) {
  if (!memory_can_be_limited) GTEST_SKIP() << "a sanitizer needs the memory";
  const Request request = large_blocks(16, 1, 64, 1'000'000);
  stepping::Options options;
  options.trace_limit = UINT64_MAX;
  EXPECT_EXIT(
      {
        auto opened =
            stepping::BlockStepper::open(std::make_shared<LaunchRequest>(request.value), {0, 0, 0}, options);
        limit_memory(24 * mebibyte);
        const stepping::Stop stop = opened->run({});
        const uint64_t reached = opened->position();
        const stepping::Stop back = opened->back(10);
        std::cerr << (stop.why == stepping::Why::no_memory) << (back.why == stepping::Why::stepped)
                  << (opened->position() + 10 == reached) << (opened->end() == stepping::End::none)
                  << opened->next().has_value() << " " << stop.message << "\n";
        std::_Exit(0);
      },
      testing::ExitedWithCode(0),
      "11111 There is not enough memory on this machine to run instruction [0-9]+");
}

}  // namespace THIS_FILE
}  // namespace warplens::test
