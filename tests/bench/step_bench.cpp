// What it costs to step a block: forward, and to jump to any position of a trace of a million instructions.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>

#include "core/gpu/step/block_stepper.h"
#include "tests/bench/benches.h"

namespace warplens::bench {

namespace {

// Thirty-two warps that write to random places of a mebibyte, each for 3,000 turns.
constexpr const char* walk = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry walk(.param .u64 p)
{
  .reg .b32 %r<12>; .reg .b64 %d<4>; .reg .pred %q<2>;
  .shared .align 4 .b8 s[4096];
  ld.param.u64 %d0, [p];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, 0;
  mov.u32 %r2, %r0;
  mov.u32 %r6, s;
  mad.lo.u32 %r6, %r0, 4, %r6;
again:
  mad.lo.u32 %r2, %r2, 1664525, 1013904223;
  shr.u32 %r3, %r2, 14;
  mul.wide.u32 %d1, %r3, 4;
  add.u64 %d2, %d0, %d1;
  ld.global.u32 %r4, [%d2];
  xor.b32 %r4, %r4, %r2;
  st.global.u32 [%d2], %r4;
  ld.shared.u32 %r5, [%r6];
  add.u32 %r5, %r5, %r4;
  st.shared.u32 [%r6], %r5;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %q0, %r1, 3000;
  @%q0 bra again;
  ret;
}
)";

std::shared_ptr<const LaunchRequest> long_block() {
  auto text = std::make_shared<ModuleText>();
  text->ptx = walk;
  text->ptx_name = "walk.ptx";
  auto request = std::make_shared<LaunchRequest>();
  request->kernel = "walk";
  request->module = std::move(text);
  BufferSpec buffer;
  buffer.name = "p";
  buffer.bytes = 1 << 20;
  request->buffers.push_back(std::move(buffer));
  LaunchStep launch;
  launch.entry = "walk";
  launch.grid = {1, 1, 1};
  launch.block = {1024, 1, 1};
  launch.arguments.emplace_back(BufferArgument{0, 0});
  request->steps.emplace_back(std::move(launch));
  return request;
}

struct Jumps {
  uint64_t instructions = 0, count = 0;
  double longest_ms = 0;
};
Jumps& jumps() {
  static Jumps measured;
  return measured;
}

void forward(benchmark::State& state) {
  const auto request = long_block();
  for (auto _ : state) {
    auto stepper = stepping::BlockStepper::open(request, {0, 0, 0});
    stepper->run({});
    state.counters["ns an instruction"] =
        benchmark::Counter(static_cast<double>(stepper->position()) / 1e9,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  }
}

void jump(benchmark::State& state) {
  auto stepper = stepping::BlockStepper::open(long_block(), {0, 0, 0});
  stepper->run({});
  std::mt19937_64 random(1);
  Jumps& measured = jumps();
  measured.instructions = stepper->position();
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    stepper->jump(random() % measured.instructions);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    measured.longest_ms = std::max(measured.longest_ms, took.count());
    ++measured.count;
  }
}

}  // namespace

void register_steps() {
  benchmark::RegisterBenchmark("step/forward", forward)->Unit(benchmark::kMillisecond)->UseRealTime();
  benchmark::RegisterBenchmark("step/jump", jump)->Unit(benchmark::kMillisecond)->UseRealTime();
}

void print_steps() {
  const Jumps& measured = jumps();
  if (measured.count == 0) return;
  fmt::print("Scrubbing a trace of {} warp instructions: the longest of {} jumps took {:.1f} ms.\n",
             measured.instructions, measured.count, measured.longest_ms);
}

}  // namespace warplens::bench
