// The cost of stepping through a block of a million warp instructions: opening it, stepping and scrubbing.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <random>

#include "app/state/parts/step.h"
#include "core/gpu/stepping/block_stepper.h"
#include "core/gpu/stepping/walk.h"
#include "core/job/named_variables.h"
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

// The same work in CUDA C++, so that its variables have names, as in the window.
constexpr const char* named_walk = R"(
extern "C" __global__ void walk(unsigned* p) {
  __shared__ unsigned s[1024];
  unsigned state = threadIdx.x;
  s[threadIdx.x] = 0;
  for (int turn = 0; turn < 1000; ++turn) {
    state = state * 1664525u + 1013904223u;
    unsigned at = state >> 14;
    unsigned value = p[at] ^ state;
    p[at] = value;
    s[threadIdx.x] += value;
  }
}
)";

std::shared_ptr<const LaunchRequest> long_named_block() {
  LaunchRequest request = *long_block();
  auto text = std::make_shared<ModuleText>(*request.module);
  text->source = named_walk;
  text->source_name = "walk.cu";
  request.module = std::move(text);
  Result<LaunchRequest> named = with_named_variables(request);
  return named ? std::make_shared<const LaunchRequest>(std::move(named).value()) : nullptr;
}

// The most memory that this process ever had, in MiB.
double most_resident_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// The thread's own time, so that the figures hold on a machine that does other work at the same time.
double thread_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Longest {
  uint64_t count = 0;
  double longest_ms = 0, total_ms = 0;

  void add(double took_ms) {
    longest_ms = std::max(longest_ms, took_ms);
    total_ms += took_ms;
    ++count;
  }
};

// The waiting times of a user who steps through a block of a million warp instructions with named variables.
// Each includes the values of all variables of a warp, as the Step view shows them.
struct StepFigures {
  uint64_t instructions = 0;
  Longest opened, on, back, line_back, scrubbed;
  size_t checkpoint_bytes = 0;
};
StepFigures& figures() {
  static StepFigures measured;
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

// Opens the block again at a position anywhere in it; its end is the worst.
void open_anywhere(benchmark::State& state) {
  const auto request = long_named_block();
  if (!request) return state.SkipWithError("there is no NVRTC");
  std::mt19937_64 random(2);
  for (auto _ : state) {
    const double start = thread_ms();
    auto stepper = stepping::BlockStepper::open(request, {0, 0, 0});
    stepper->jump(figures().opened.count == 0 ? UINT64_MAX : random() % figures().instructions);
    const StepSnapshot shown = snapshot_of(*stepper, 0, nullptr);
    benchmark::DoNotOptimize(&shown);
    figures().opened.add(thread_ms() - start);
    figures().instructions = std::max(figures().instructions, stepper->recorded());
  }
}

void step_there_and_back(benchmark::State& state) {
  const auto request = long_named_block();
  if (!request) return state.SkipWithError("there is no NVRTC");
  auto stepper = stepping::BlockStepper::open(request, {0, 0, 0});
  stepper->run({});
  std::mt19937_64 random(3);
  StepFigures& measured = figures();
  measured.instructions = stepper->position();
  measured.checkpoint_bytes = stepper->checkpoint_bytes();
  StepSnapshot shown = snapshot_of(*stepper, 0, nullptr);
  const auto timed = [&](Longest& longest, auto move) {
    const double start = thread_ms();
    move();
    shown = snapshot_of(*stepper, shown.warp, &shown);
    longest.add(thread_ms() - start);
  };
  for (auto _ : state) {
    timed(measured.scrubbed, [&] { stepper->jump(random() % measured.instructions); });
    timed(measured.on, [&] { stepper->run({.kind = stepping::Goal::Kind::instructions}); });
    timed(measured.back, [&] { stepper->back(); });
    const uint32_t warp = stepper->next() ? stepper->next()->warp : 0;
    timed(measured.line_back, [&] { stepping::back_by_line(*stepper, warp); });
  }
}

void print_row(const char* what, const Longest& longest, const char* goal) {
  if (longest.count == 0) return;
  fmt::print("| {} | {:.1f} | {:.1f} | {} | {} |\n", what,
             longest.total_ms / static_cast<double>(longest.count), longest.longest_ms, longest.count, goal);
}

}  // namespace

void register_steps() {
  benchmark::RegisterBenchmark("step/forward", forward)->Unit(benchmark::kMillisecond)->UseRealTime();
  benchmark::RegisterBenchmark("step/open", open_anywhere)->Unit(benchmark::kMillisecond)->UseRealTime();
  benchmark::RegisterBenchmark("step/there and back", step_there_and_back)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

void print_steps() {
  const StepFigures& measured = figures();
  if (measured.instructions == 0) return;
  fmt::print("Stepping a block of {} warp instructions with named variables:\n\n", measured.instructions);
  fmt::print("| | mean, ms of CPU | longest | times | goal |\n|---|---|---|---|---|\n");
  print_row("open at a position anywhere", measured.opened, "500 ms");
  print_row("a step", measured.on, "16 ms");
  print_row("a step back", measured.back, "16 ms");
  print_row("a line back", measured.line_back, "16 ms");
  print_row("scrub to a position anywhere", measured.scrubbed, "33 ms: 30 a second");
  if (measured.checkpoint_bytes != 0)
    fmt::print("\nCheckpoints hold {:.0f} MiB (goal: the process has at most 300 MiB; it had {:.0f}).\n",
               static_cast<double>(measured.checkpoint_bytes) / (1 << 20), most_resident_mib());
}

}  // namespace warplens::bench
