// The counts of each thread of a replayed block, compared with the run's counts and the CPU's results.
#include <cmath>

#include "core/gpu/engine/replay.h"
#include "core/kernels/catalogue.h"
#include "tests/core/gpu/engine/support.h"

namespace warplens::test {
namespace THIS_FILE {

// Thread t of a block runs the loop t + 1 times; threads from 40 on exit before it.
const std::string staircase =
    "mov.u32 %r0, %tid.x; setp.ge.u32 %q0, %r0, 40; @%q0 bra END;\n"
    "mov.u32 %r1, 0;\n"
    "AGAIN:\nadd.u32 %r1, %r1, 1; setp.le.u32 %q1, %r1, %r0; @%q1 bra AGAIN;\n"
    "mul.wide.u32 %d0, %r0, 4; add.u64 %d0, %d0, %p0; st.global.u32 [%d0], %r1;\n"
    "END:\nret;";

TEST(ThreadCounts, OfALoopAreThoseOfTheCpu) {
  Request request(kernel("k", 1, staircase));
  request.buffer("out", std::vector<uint32_t>(40)).launch("k", {1, 1, 1}, {48, 1, 1});
  const auto replay = replay_block(request.value, {0, 0, 0}, {});
  ASSERT_TRUE(replay.ok()) << replay.error().message;
  ASSERT_EQ(replay->threads.size(), 48u);
  for (uint32_t t = 0; t < 48; ++t) {
    const bool loops = t < 40;
    EXPECT_EQ(replay->threads[t].loop_passes, loops ? t + 1 : 0) << t;
    // ld.param, three before the loop, then one to start it, three in each pass, three after it, ret.
    EXPECT_EQ(replay->threads[t].instructions, loops ? 4 + 1 + 3 * (t + 1) + 3 + 1 : 4 + 1) << t;
  }
}

// The sum over all threads of a launch, from replays of its blocks, is what the run counted.
void expect_the_same_sum(const LaunchRequest& request) {
  const auto result = make_virtual_gpu()->run(std::make_shared<LaunchRequest>(request), {}, nullptr);
  ASSERT_TRUE(result.ok()) << result.error().message;
  ASSERT_TRUE(result->counters);
  const Dim3 grid = result->shape.grid;
  uint64_t sum = 0;
  for (uint64_t b = 0; b < grid.count(); ++b) {
    const auto replay = replay_block(request, position_at(b, grid), {});
    ASSERT_TRUE(replay.ok()) << replay.error().message;
    EXPECT_EQ(replay->threads.size(), result->shape.block.count());
    for (const ThreadCounts& thread : replay->threads) sum += thread.instructions;
  }
  EXPECT_EQ(sum, result->counters->thread_instructions) << request.kernel;
}

TEST(ThreadCounts, AddUpToTheCountersOfTheRun) {
  const Device device = *find_device("3060");
  const auto with = [&](const char* name, std::map<std::string, double> values, Dim3 block) {
    const KernelDescription& description = **find_kernel(name);
    KernelSetup setup = default_setup(description);
    setup.values = std::move(values);
    setup.block = block;
    const auto request = make_request(description, setup, device);
    ASSERT_TRUE(request) << name << ": " << request.error().message;
    expect_the_same_sum(*request);
  };
  with("vector_add", {{"n", 1000}}, {96, 1, 1});
  with("mandelbrot", {{"width", 40}, {"height", 24}, {"max_iterations", 200}}, {7, 5, 1});
  with("reduce_shuffle", {{"n", 1000}}, {128, 1, 1});  // lanes that work together
  with("matmul_tiled", {}, {16, 16, 1});               // barriers and shared memory
  with("lucas_recursive", {}, {64, 1, 1});             // calls
}

TEST(ThreadCounts, EndAtTheFault) {
  Request request(kernel("k", 1,
                         "mov.u32 %r0, %tid.x; mul.wide.u32 %d0, %r0, 4; add.u64 %d0, %d0, %p0;\n"
                         "st.global.u32 [%d0], %r0; add.u32 %r0, %r0, 1; ret;"));
  request.buffer("out", std::vector<uint32_t>(8)).launch("k", {1, 1, 1}, {16, 1, 1});
  const auto replay = replay_block(request.value, {0, 0, 0}, {});
  ASSERT_TRUE(replay.ok()) << replay.error().message;
  EXPECT_NE(replay->fault, "");
  for (const ThreadCounts& thread : replay->threads) EXPECT_EQ(thread.instructions, 5u);
  const auto result = request.run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->counters->thread_instructions, 16u * 5);
  ASSERT_EQ(result->faults.size(), 1u);
  EXPECT_EQ(result->faults[0].allocation, "out") << "the array that was meant";
  EXPECT_EQ(result->faults[0].offset, 32u);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
