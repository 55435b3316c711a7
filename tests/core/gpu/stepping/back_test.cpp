// Random steps back and forth: every position has the same state as when stepping forward.
#include <algorithm>

#include "core/device/device.h"
#include "core/launch/steps.h"
#include "tests/core/gpu/stepping/support.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

using test::kernel;
using test::Request;
using test::zeros;

// Lanes diverge, call a recursive function, meet, shuffle, wait for each other, and write to all kinds of
// memory.
Request mixed(uint32_t threads) {
  const std::string functions = R"(
.func (.param .b32 out) fib(.param .b32 in)
{
  .reg .b32 %r<8>; .reg .pred %p<2>;
  ld.param.b32 %r1, [in];
  setp.lt.s32 %p1, %r1, 2;
  mov.u32 %r5, %r1;
  @%p1 bra done;
  {
  .param .b32 a; .param .b32 b;
  sub.s32 %r2, %r1, 1;
  st.param.b32 [a], %r2;
  call (b), fib, (a);
  ld.param.b32 %r3, [b];
  }
  {
  .param .b32 a; .param .b32 b;
  sub.s32 %r2, %r1, 2;
  st.param.b32 [a], %r2;
  call (b), fib, (a);
  ld.param.b32 %r4, [b];
  }
  add.s32 %r5, %r3, %r4;
done:
  st.param.b32 [out], %r5;
  ret;
}
)";
  const std::string body = R"(
    .shared .align 4 .b8 s[4096];
    .local .align 4 .b8 l[64];
    mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 7;
    {
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], %r1;
    call (b), fib, (a);
    ld.param.b32 %r2, [b];
    }
    mov.u32 %r3, s;
    shl.b32 %r4, %r0, 2;
    add.s32 %r3, %r3, %r4;
    st.shared.u32 [%r3], %r2;
    bar.sync 0;
    setp.lt.s32 %q0, %r1, 3;
    @%q0 bra low;
    add.s32 %r2, %r2, 100;
    st.local.u32 [l+8], %r2;
    bra join;
  low:
    st.local.u32 [l+8], %r1;
    shl.b32 %r2, %r2, 1;
  join:
    activemask.b32 %r10;
    shfl.sync.bfly.b32 %r5, %r2, 1, 31, %r10;
    ld.local.u32 %r6, [l+8];
    add.s32 %r5, %r5, %r6;
    atom.global.add.u32 %r7, [%p1], 1;
    bar.sync 0;
    ld.shared.u32 %r8, [s];
    add.s32 %r5, %r5, %r8;
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d0, %p0, %d1;
    st.global.u32 [%d0], %r5;
    ret;)";
  Request request(functions + kernel("mixed", 2, body));
  request.buffer("out", zeros(threads)).buffer("count", zeros(1)).launch("mixed", {1, 1, 1}, {threads, 1, 1});
  return request;
}

TEST(StepBack, AThousandJumpsAreEqualToTheWayForward) {
  const Request request = mixed(96);
  stepping::Options options;
  options.spacing = 64;
  stepping::BlockStepper stepped = test::stepper(request.value, {0, 0, 0}, options);
  test::expect_same_anywhere(stepped, 1000);
  EXPECT_GT(stepped.checkpoints(), 10u);
  EXPECT_EQ(stepped.length(), stepped.recorded());
  test::expect_same_end(request.value, {0, 0, 0}, "mixed");
}

TEST(StepBack, WorksAtAnyBlockSize) {
  for (const uint32_t threads : {1u, 31u, 32u, 33u, 64u, 250u}) {
    SCOPED_TRACE(threads);
    const Request request = mixed(threads);
    stepping::Options options;
    options.spacing = 100;
    stepping::BlockStepper stepped = test::stepper(request.value, {0, 0, 0}, options);
    test::expect_same_anywhere(stepped, 60);
    test::expect_same_end(request.value, {0, 0, 0}, "mixed");
  }
}

TEST(StepBack, ALargeBlockToo) {
  const Result<const KernelDescription*> kernel = find_kernel("vector_add");
  KernelSetup setup = default_setup(**kernel);
  setup.block = {1024, 1, 1};
  setup.grid = *fitted_grid(**kernel, setup);
  const LaunchRequest request = *make_request(**kernel, setup, built_in_devices().front());
  stepping::BlockStepper stepped = test::stepper(request);
  test::expect_same_anywhere(stepped, 100);
}

// Checkpoints are dropped if there are too many, and every position can still be reached.
TEST(StepBack, MemoryIsBounded) {
  const char* body = R"(
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, 0;
    mov.u32 %r2, 0;
  again:
    mad.lo.u32 %r2, %r2, 1664525, 1013904223;
    shr.u32 %r3, %r2, 20;
    mul.wide.u32 %d1, %r3, 4;
    add.u64 %d0, %p0, %d1;
    st.global.u32 [%d0], %r1;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %q0, %r1, 5000;
    @%q0 bra again;
    ret;)";
  Request request(kernel("scatter", 1, body));
  request.buffer("out", zeros(4096)).launch("scatter", {1, 1, 1}, {32, 1, 1});
  stepping::Options options;
  options.spacing = 16;
  options.max_checkpoints = 20;
  options.max_checkpoint_bytes = 200 << 10;
  stepping::BlockStepper stepped = test::stepper(request.value, {0, 0, 0}, options);
  test::expect_same_anywhere(stepped, 200);
  EXPECT_LE(stepped.checkpoints(), 20u);
  EXPECT_GE(stepped.checkpoints(), 2u);
  EXPECT_LE(stepped.checkpoint_bytes(), size_t{200} << 10);
}

// The recording stays valid when the user gives another warp the turn; the part that became wrong is dropped.
TEST(StepBack, AnotherWarpsTurnMakesAnotherFuture) {
  const Request request = mixed(96);
  stepping::Options options;
  options.spacing = 50;
  stepping::BlockStepper stepped = test::stepper(request.value, {0, 0, 0}, options);
  std::mt19937 random(7);
  while (stepped.end() == stepping::End::none) {
    const auto warp = static_cast<uint32_t>(random() % 3);
    // A waiting warp continues when others let it, which takes more than one instruction.
    if (stepped.step_warp(warp).why == stepping::Why::stepped) {
      EXPECT_EQ(stepped.trace()[stepped.position() - 1].warp, warp);
    }
    if (random() % 64 == 0) stepped.back(random() % 40);
    ASSERT_LT(stepped.position(), 1'000'000u);
  }
  // The turns that the user gave are repeated too.
  const std::vector<TraceEntry> trace(stepped.trace().begin(), stepped.trace().end());
  const uint64_t last = stepped.hash();
  stepped.jump(0);
  test::expect_same_anywhere(stepped, 300);
  stepped.jump(trace.size());
  EXPECT_EQ(stepped.hash(), last);
  EXPECT_TRUE(std::ranges::equal(stepped.trace(), trace));
  // Every thread's result is the same as in a run: only the old values of atomics depend on the order.
  stepped.run({});
  EXPECT_EQ(test::buffers_of(stepped)[0], test::plain_block(request.value, {0, 0, 0}).buffers[0]);
}

TEST(StepBack, FromAFaultToWhatLedToIt) {
  const char* body = R"(
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d0, %p0, %d1;
    st.global.u32 [%d0], %r0;
    ret;)";
  Request request(kernel("past", 1, body));
  request.buffer("out", zeros(40)).launch("past", {1, 1, 1}, {64, 1, 1});
  stepping::BlockStepper stepped = test::stepper(request.value);
  const stepping::Stop stop = stepped.run({});
  EXPECT_EQ(stop.why, stepping::Why::fault);
  EXPECT_EQ(stop.warp, 1u);
  ASSERT_TRUE(stepped.incident());
  EXPECT_EQ(stepped.incident()->kind, IncidentKind::out_of_bounds);
  EXPECT_EQ(stepped.incident()->thread, (Dim3{40, 0, 0}));
  EXPECT_EQ(stepped.incident()->ptx_line, stepped.place(stepped.trace().back().instruction).ptx_line);
  EXPECT_FALSE(stepped.next());
  const uint64_t end = stepped.position();
  stepped.back();
  ASSERT_TRUE(stepped.next());
  EXPECT_EQ(stepped.next()->instruction, stepped.trace().back().instruction);
  EXPECT_EQ(stepped.find_register(1, "r0")->bits[8].low, 40u);
  EXPECT_EQ(stepped.run({}).position, end);
  EXPECT_EQ(stepped.end(), stepping::End::fault);
  test::expect_same_end(request.value, {0, 0, 0}, "past");
}

TEST(StepBack, WhatKernelsTakeWithMallocComesAndGoes) {
  const std::string declarations =
      ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
      ".extern .func free(.param .b64 p);\n";
  const char* body = R"(
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, 0;
  again:
    mov.u64 %d0, 2000;
    {
    .param .b64 n; .param .b64 r;
    st.param.b64 [n], %d0;
    call (r), malloc, (n);
    ld.param.b64 %d1, [r];
    }
    st.u32 [%d1], %r0;
    st.u32 [%d1+1996], %r1;
    ld.u32 %r2, [%d1];
    {
    .param .b64 p;
    st.param.b64 [p], %d1;
    call free, (p);
    }
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %q0, %r1, 5;
    @%q0 bra again;
    ret;)";
  Request request(kernel("taker", 0, body, declarations));
  request.launch("taker", {1, 1, 1}, {40, 1, 1});
  stepping::Options options;
  options.spacing = 8;
  stepping::BlockStepper stepped = test::stepper(request.value, {0, 0, 0}, options);
  test::expect_same_anywhere(stepped, 300);
}

// Stores of all kinds of instructions: each built-in kernel, and PTX compiled by other tools.
TEST(StepBack, ThroughEveryBuiltInKernel) {
  size_t tried = 0;
  for (const KernelDescription& kernel : built_in_kernels()) {
    SCOPED_TRACE(kernel.name);
    KernelSetup setup = default_setup(kernel);
    setup.grid = *fitted_grid(kernel, setup);
    const LaunchRequest request = *make_request(kernel, setup, built_in_devices().front());
    if (first_launch(request)->cooperative) continue;
    if (test::plain_block(request, {0, 0, 0}).counters.warp_instructions > 20'000) continue;
    stepping::Options options;
    options.spacing = 200;
    stepping::BlockStepper stepped = test::stepper(request, {0, 0, 0}, options);
    test::expect_same_anywhere(stepped, 30);
    ++tried;
  }
  EXPECT_GT(tried, 20u);
}

// Long blocks are left out: the debug build takes half a microsecond an instruction.
TEST(StepBack, AThousandJumpsInEveryBuiltInKernelEndAsARun) {
  size_t tried = 0;
  for (const KernelDescription& kernel : built_in_kernels()) {
    SCOPED_TRACE(kernel.name);
    KernelSetup setup = default_setup(kernel);
    setup.grid = *fitted_grid(kernel, setup);
    const LaunchRequest request = *make_request(kernel, setup, built_in_devices().front());
    const Dim3 grid = first_launch(request)->grid;
    const Dim3 middle{grid.x / 2, grid.y / 2, grid.z / 2};
    if (test::plain_block(request, middle).counters.warp_instructions > 50'000) continue;
    stepping::Options options;
    options.spacing = 300;
    test::expect_same_end_after_jumps(request, middle, 1000, options);
    ++tried;
  }
  EXPECT_GT(tried, 25u);
}

TEST(StepBack, ThroughOutsidePrograms) {
  const std::filesystem::path folder = test_files::source_dir() / "tests/data/outside";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  std::ranges::sort(paths);
  size_t tried = 0;
  for (const std::filesystem::path& path : paths) {
    Result<LaunchFile> file = read_launch_file(path.string());
    ASSERT_TRUE(file) << path;
    LaunchRequest& request = file->request;
    if (!request.module || request.module->ptx.empty() || request.module->ptx.size() > 100'000) continue;
    std::erase_if(request.steps, [](const Step& s) { return !std::holds_alternative<LaunchStep>(s); });
    request.step_budget = 1'000'000;
    const LaunchStep* launch = first_launch(request);
    if (launch == nullptr || launch->cooperative || !load_programs(request)) continue;
    if (test::plain_block(request, {0, 0, 0}).counters.warp_instructions > 3000) continue;
    SCOPED_TRACE(path.filename().string());
    stepping::Options options;
    options.spacing = 50;
    stepping::BlockStepper stepped = test::stepper(request, {0, 0, 0}, options);
    test::expect_same_anywhere(stepped, 12);
    ++tried;
  }
  EXPECT_GT(tried, 60u);
}

// Stores that are reported to no recorder.
TEST(StepBack, ThroughBulkCopies) {
  const char* body = R"(
    .shared .align 16 .b8 s[256];
    .reg .b64 %x<4>;
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, 0;
    mov.u32 %r2, s;
  again:
    mad.lo.u32 %r3, %r0, 4, %r2;
    add.u32 %r4, %r0, %r1;
    st.shared.u32 [%r3], %r4;
    bar.sync 0;
    setp.ne.u32 %q0, %r0, 0;
    @%q0 bra past;
    mul.wide.u32 %x1, %r1, 256;
    add.u64 %x0, %p0, %x1;
    cp.async.bulk.global.shared::cta.bulk_group [%x0], [%r2], 256;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
  past:
    bar.sync 0;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %q1, %r1, 8;
    @%q1 bra again;
    ret;)";
  Request request(kernel("bulk", 1, body));
  auto text = std::make_shared<ModuleText>(*request.value.module);
  text->ptx.replace(text->ptx.find("7.8"), 3, "8.0");
  text->ptx.replace(text->ptx.find("sm_80"), 5, "sm_90");
  request.value.module = std::move(text);
  request.buffer("out", zeros(512)).launch("bulk", {1, 1, 1}, {64, 1, 1});
  stepping::Options options;
  options.spacing = 20;
  stepping::BlockStepper stepped = test::stepper(request.value, {0, 0, 0}, options);
  test::expect_same_anywhere(stepped, 200);
  stepped.run({});
  EXPECT_EQ(test::buffers_of(stepped)[0][4 * 64 * 7], std::byte{7});
  test::expect_same_end(request.value, {0, 0, 0}, "bulk");
}

TEST(StepBack, ThroughSurfaces) {
  const char* body = R"(
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, 0;
    shl.b32 %r2, %r0, 2;
  again:
    suld.b.2d.b32.trap {%r3}, [%p0, {%r2, %r1}];
    add.u32 %r3, %r3, %r0;
    sust.b.2d.b32.trap [%p0, {%r2, %r1}], {%r3};
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %q0, %r1, 8;
    @%q0 bra again;
    ret;)";
  Request request(kernel("surface", 1, body));
  request.buffer("texels", zeros(64 * 8));
  LaunchStep launch;
  launch.entry = "surface";
  launch.grid = {1, 1, 1};
  launch.block = {64, 1, 1};
  TextureArgument argument;  // of the only buffer
  argument.spec.width = 64;
  argument.spec.height = 8;
  argument.spec.surface = true;
  argument.spec.type = DType::u32;
  launch.arguments.emplace_back(argument);
  request.value.steps.emplace_back(launch);
  stepping::Options options;
  options.spacing = 20;
  stepping::BlockStepper stepped = test::stepper(request.value, {0, 0, 0}, options);
  test::expect_same_anywhere(stepped, 200);
  stepped.run({});
  EXPECT_EQ(test::buffers_of(stepped)[0][4 * (64 * 7 + 9)], std::byte{9});
}

}  // namespace THIS_FILE
}  // namespace warplens
