// Stepping to the end gives the same result as an ordinary run: memory, counters, faults, output.
#include <algorithm>

#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/exec/block.h"
#include "core/gpu/exec/state/counters.h"
#include "core/gpu/stepping/stops/lane_names.h"
#include "core/gpu/stepping/trace/run_tracer.h"
#include "core/launch/steps.h"
#include "tests/core/gpu/stepping/support.h"
#include "tests/core/kernels/kernel_names.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

using test::kernel;
using test::Request;
using test::zeros;

// Blocks of the debug build take half a microsecond an instruction.
constexpr uint64_t longest_block = 2'000'000;

bool is_short(const LaunchRequest& request, Dim3 block) {
  return test::plain_block(request, block).counters.warp_instructions < longest_block;
}

LaunchRequest request_of(const KernelDescription& kernel) {
  KernelSetup setup = default_setup(kernel);
  setup.grid = *fitted_grid(kernel, setup);
  Result<LaunchRequest> request = make_request(kernel, setup, built_in_devices().front());
  EXPECT_TRUE(request) << kernel.name;
  return std::move(request).value();
}

class EveryKernelStepped : public testing::TestWithParam<std::string> {};

TEST_P(EveryKernelStepped, FirstMiddleAndLastBlockEndAsInARun) {
  const LaunchRequest request = request_of(**find_kernel(GetParam()));
  const Dim3 grid = first_launch(request)->grid;
  if (first_launch(request)->cooperative) GTEST_SKIP() << "its blocks wait for each other";
  for (const Dim3 block :
       {Dim3{0, 0, 0}, Dim3{grid.x / 2, grid.y / 2, grid.z / 2}, Dim3{grid.x - 1, grid.y - 1, grid.z - 1}}) {
    if (!is_short(request, block)) continue;
    test::expect_same_end(request, block, GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryKernelStepped,
                         testing::ValuesIn(test_files::built_in_kernel_names()),
                         [](const auto& tested) { return tested.param; });

TEST(SteppedOutsidePrograms, EndAsInARun) {
  const std::filesystem::path folder = test_files::source_dir() / "tests/data/outside";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  std::ranges::sort(paths);
  size_t tried = 0;
  for (size_t i = 0; i < paths.size(); ++i) {
    Result<LaunchFile> file = read_launch_file(paths[i].string());
    ASSERT_TRUE(file) << paths[i];
    LaunchRequest& request = file->request;
    if (!request.module || request.module->ptx.empty() || request.module->ptx.size() > 100'000) continue;
    // All buffers exist from the start.
    std::erase_if(request.steps, [](const Step& s) { return !std::holds_alternative<LaunchStep>(s); });
    const LaunchStep* launch = first_launch(request);
    if (launch == nullptr || launch->cooperative || !load_programs(request)) continue;
    request.step_budget = 50'000'000;
    const Dim3 last{launch->grid.x - 1, launch->grid.y - 1, launch->grid.z - 1};
    for (const Dim3 block : {Dim3{0, 0, 0}, last}) {
      const test::PlainBlock plain = test::plain_block(request, block);
      // Some wait for other blocks: a run of a single block never ends.
      if (plain.counters.warp_instructions > longest_block / 4 || !plain.fault.empty()) continue;
      test::expect_same_end(request, block, paths[i].filename().string());
      ++tried;
    }
  }
  EXPECT_GT(tried, 150u);
}

// Registers too: the same program, run by Block::run and step by step.
TEST(SteppedBlock, LeavesTheRegistersOfARun) {
  for (const char* name : {"vector_add", "reduce_shared", "matmul_tiled", "grayscale"}) {
    const Result<const KernelDescription*> kernel = find_kernel(name);
    ASSERT_TRUE(kernel) << name;
    const LaunchRequest request = request_of(**kernel);
    stepping::BlockStepper stepped = test::stepper(request);
    stepped.run({});
    const program::Program& program = stepped.table().program();
    Programs programs{program.module, {{first_launch(request)->entry, stepped.table().shared()}}};
    Result<Machine> machine = Machine::create(request, programs);
    for (uint32_t b = 0; b < request.buffers.size(); ++b)
      ASSERT_TRUE(machine->allocate(b) && machine->copy_in(b));
    const exec::GridLaunch launch = *machine->prepare(*first_launch(request), program, 1);
    std::vector<exec::BlockCount> counts(program.flow.blocks.size());
    std::vector<exec::MemoryOpState> memory_ops(program.counted.size());
    exec::Block block(launch, counts.data(), memory_ops.data());
    block.start(0, 0);
    int64_t steps = 1 << 30;
    ASSERT_EQ(block.run(steps), exec::BlockState::finished) << name;
    size_t compared = 0;
    for (uint32_t warp = 0; warp < stepped.warps(); ++warp) {
      for (const stepping::RegisterView& view : stepped.registers(warp, 0)) {
        for (uint32_t r = 0; r < stepped.table().end_register(0); ++r) {
          const stepping::RegisterInfo& info = stepped.table().reg(r);
          if (info.name != view.name) continue;
          for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
            if ((view.set >> lane & 1) == 0) continue;
            EXPECT_EQ(view.bits[lane], stepping::lane_bits(info, block.warps()[warp], lane))
                << name << view.name;
            ++compared;
          }
        }
      }
    }
    EXPECT_GT(compared, 1000u) << name;
  }
}

// The last writer depends on the order of warps and of diverged lanes: threads take tickets without waiting
// for each other.
Request tickets() {
  const char* body = R"(
    mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 3;
    mov.u32 %r5, 0;
  again:
    atom.global.add.u32 %r2, [%p0], 1;
    mul.wide.u32 %d0, %r2, 4;
    add.u64 %d0, %p1, %d0;
    st.global.u32 [%d0], %r0;
    setp.lt.u32 %q0, %r1, 2;
    @%q0 bra few;
    ld.global.u32 %r3, [%p0+4];
    add.u32 %r3, %r3, %r0;
    st.global.u32 [%p0+4], %r3;
  few:
    add.u32 %r5, %r5, 1;
    setp.le.u32 %q1, %r5, %r1;
    @%q1 bra again;
    bar.sync 0;
    ret;)";
  Request request(kernel("tickets", 2, body));
  request.buffer("counts", zeros(2)).buffer("order", zeros(1024)).launch("tickets", {2, 1, 1}, {160, 1, 1});
  return request;
}

TEST(SteppedBlock, FollowsTheScheduleOfASeed) {
  Request request = tickets();
  std::vector<std::vector<Bytes>> seen;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    request.value.seed = seed;
    test::expect_same_end(request.value, {1, 0, 0}, "seed " + std::to_string(seed));
    seen.push_back(test::plain_block(request.value, {1, 0, 0}).buffers);
    for (uint64_t other = 0; other < seed; ++other) EXPECT_NE(seen[other], seen[seed]) << other << seed;
    stepping::Options options;
    options.spacing = 40;
    stepping::BlockStepper stepped = test::stepper(request.value, {1, 0, 0}, options);
    test::expect_same_anywhere(stepped, 200);
    EXPECT_EQ(stepped.jump(UINT64_MAX).why, stepping::Why::finished);
    EXPECT_EQ(test::buffers_of(stepped), seen[seed]);
  }
}

TEST(SteppedBlock, FollowsTheScheduleOfASeedInBuiltInKernels) {
  for (const char* name : {"histogram_shared", "reduce_shared", "matmul_tiled", "pi_atomic_thread"}) {
    const Result<const KernelDescription*> kernel = find_kernel(name);
    ASSERT_TRUE(kernel) << name;
    LaunchRequest request = request_of(**kernel);
    for (request.seed = 1; request.seed < 4; ++request.seed)
      if (is_short(request, {0, 0, 0})) test::expect_same_end(request, {0, 0, 0}, name);
  }
}

// Blocks of a cooperative launch: a single one gets as far as grid.sync(), and a grid of one block to its
// end.
TEST(SteppedBlock, OfACooperativeLaunchComesToTheBarrierOfTheGrid) {
  const Result<LaunchFile> file =
      read_launch_file((test_files::source_dir() / "tests/data/outside/cuda_cg_grid_sync.json").string());
  ASSERT_TRUE(file);
  LaunchRequest request = file->request;
  std::erase_if(request.steps, [](const Step& s) { return !std::holds_alternative<LaunchStep>(s); });
  request.steps.resize(1);
  auto& launch = std::get<LaunchStep>(request.steps[0]);
  ASSERT_TRUE(launch.cooperative);
  ASSERT_GT(launch.grid.count(), 1u);
  for (const Dim3 block : {Dim3{0, 0, 0}, Dim3{launch.grid.x - 1, 0, 0}}) {
    stepping::BlockStepper stepped = test::stepper(request, block);
    const stepping::Stop stop = stepped.run({});
    EXPECT_EQ(stop.why, stepping::Why::waits) << stop.message;
    EXPECT_NE(stop.message.find("grid.sync()"), std::string::npos) << stop.message;
    EXPECT_EQ(stepped.length(), stepped.position());
    const uint64_t state = stepped.hash();
    for (const uint64_t position : {uint64_t{3}, stepped.position() / 2, stepped.position() - 1}) {
      stepped.jump(position);
      EXPECT_EQ(stepped.position(), position);
      EXPECT_EQ(stepped.jump(UINT64_MAX).why, stepping::Why::waits);
      EXPECT_EQ(stepped.hash(), state);
    }
  }
  stepping::Options behind;
  behind.earlier_blocks = true;
  EXPECT_FALSE(stepping::BlockStepper::open(std::make_shared<LaunchRequest>(request), {1, 0, 0}, behind));
  launch.grid = {1, 1, 1};
  test::expect_same_end(request, {0, 0, 0}, "one block");
}

// A traced run gives the same result as an untraced one, and the trace matches the blocks' execution.
TEST(TracedRun, RecordsWhatItDidAndChangesNothing) {
  for (const char* name : {"vector_add", "histogram_shared", "reduce_shared", "transpose_tiled"}) {
    const Result<const KernelDescription*> kernel = find_kernel(name);
    ASSERT_TRUE(kernel) << name;
    LaunchRequest request = request_of(**kernel);
    const std::unique_ptr<Backend> backend = make_virtual_gpu();
    const Result<RunResult> plain = backend->run(std::make_shared<LaunchRequest>(request), {}, nullptr);
    ASSERT_TRUE(plain) << plain.error().message;
    request.trace_limit = 20'000;
    const Result<RunResult> traced = backend->run(std::make_shared<LaunchRequest>(request), {}, nullptr);
    ASSERT_TRUE(traced) << traced.error().message;
    EXPECT_EQ(plain->counters, traced->counters) << name;
    ASSERT_EQ(plain->outputs.size(), traced->outputs.size());
    for (size_t i = 0; i < plain->outputs.size(); ++i)
      EXPECT_EQ(*plain->outputs[i].bytes, *traced->outputs[i].bytes) << name;
    ASSERT_NE(traced->trace, nullptr);
    EXPECT_EQ(plain->trace, nullptr);
    const Trace& trace = *traced->trace;
    EXPECT_EQ(trace.entries().size(), std::min<uint64_t>(20'000, traced->counters->warp_instructions))
        << name;
    EXPECT_EQ(trace.complete, traced->counters->warp_instructions <= 20'000);
    ASSERT_FALSE(trace.turns.empty());
    for (size_t i = 0; i < trace.turns.size(); ++i) {
      EXPECT_EQ(trace.turns[i].block, i) << name;  // each ran in one turn
      EXPECT_FALSE(trace.of_turn(i).empty()) << name;
    }
    const std::span<const TraceEntry> first = trace.of_turn(0);
    // The first block runs on the launch's initial memory, like the block that is stepped.
    stepping::BlockStepper stepped = test::stepper(request);
    stepped.run({});
    const size_t common = std::min(stepped.trace().size(), first.size());
    ASSERT_GT(common, 0u);
    for (size_t i = 0; i < common; ++i) {
      ASSERT_EQ(stepped.trace()[i].instruction, first[i].instruction) << name << i;
      ASSERT_EQ(stepped.trace()[i], first[i]) << name << i;
    }
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
