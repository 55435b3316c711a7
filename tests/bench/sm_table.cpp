// How fast the model of an SM is: the warp instructions that it replays a second.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/image/image.h"
#include "core/job/run_job.h"
#include "core/job/sm_pass.h"
#include "tests/bench/tables.h"

namespace warplens::bench {

namespace {

constexpr double wanted_a_second = 2e6;
constexpr int sm_rounds = 25;

struct Modelled {
  const char *kernel, *what;
  std::map<std::string, double> values;
  bool has_picture = false;
};

const std::array<Modelled, 9>& modelled_kernels() {
  static const std::array<Modelled, 9> all = {{
      {"vector_add", "4,000,000", {{"n", 4'000'000}}},
      {"matmul_tiled", "768³", {{"m", 768}, {"n", 768}, {"k", 768}}},
      {"mandelbrot", "1024 × 1024, 256 steps", {{"width", 1024}, {"height", 1024}, {"max_iterations", 256}}},
      {"grayscale", "2048 × 2048", {}, true},
      {"histogram_global", "2048 × 2048", {}, true},
      {"pi_atomic_thread", "400,000 × 16", {{"n", 400'000}, {"turns", 8}}},
      {"reduce_shared", "4,000,000", {{"n", 4'000'000}}},
      {"reduce_shuffle", "4,000,000", {{"n", 4'000'000}}},
      {"transpose_naive", "2048 × 2048", {{"width", 2048}, {"height", 2048}}},
  }};
  return all;
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double seconds_of(const auto& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

Result<RunResult> run_of(const Modelled& modelled) {
  const auto kernel = find_kernel(modelled.kernel);
  if (!kernel) return kernel.error();
  KernelSetup setup = default_setup(**kernel);
  for (const auto& [name, value] : modelled.values) setup.values[name] = value;
  if (modelled.has_picture) setup.image = std::make_shared<Image>(rendered_sample(2048, 2048));
  setup.grid = *fitted_grid(**kernel, setup);
  RunOptions options;
  options.check = false;
  const auto job = make_job(borrowed(**kernel), setup, *find_device("H200"), options);
  if (!job) return job.error();
  return run_job(*job, *make_virtual_gpu(), {}, nullptr);
}

}  // namespace

void print_sm() {
  fmt::print(
      "Warp instructions a second of the model of an SM on one core, for an NVIDIA H200: by the processor's "
      "time, the fastest of {} rounds, and as a multiple of the {:.0f} million that it has to reach. *With "
      "the sample* includes the run of the blocks that records what they execute.\n\n"
      "| kernel | warp instructions | million/s | multiple | with the sample, million/s |\n"
      "|---|---|---|---|---|\n",
      sm_rounds, wanted_a_second / 1e6);
  for (const Modelled& modelled : modelled_kernels()) {
    const Result<RunResult> result = run_of(modelled);
    const auto model = result ? model_sm(*result, affordable_sm_instructions, false, {}) : result.error();
    if (!model) {
      fmt::print(stderr, "{}: {}\n", modelled.kernel, model.error().message);
      continue;
    }
    const SmModel& made = **model;
    const auto instructions = static_cast<double>(made.run.instructions);
    double replay = 1e9, whole = 1e9;
    for (int round = 0; round < sm_rounds; ++round) {
      replay = std::min(replay, seconds_of([&] { (void)simulate(*made.work, made.settings); }));
      whole = std::min(whole,
                       seconds_of([&] { (void)model_sm(*result, affordable_sm_instructions, false, {}); }));
    }
    fmt::print("| `{}` {} | {} | {:.1f} | {:.1f} | {:.1f} |\n", modelled.kernel, modelled.what,
               made.run.instructions, instructions / replay / 1e6, instructions / replay / wanted_a_second,
               instructions / whole / 1e6);
  }
  fmt::print("\n");
}

}  // namespace warplens::bench
