// How long kernels take on the virtual GPU, as ratios to scalar loops that are measured in the same run.
// Google Benchmark measures; the table of ratios follows its own output.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/device/device.h"
#include "core/exec/selector.h"
#include "core/kernels/catalogue.h"
#include "tests/bench/benches.h"
#include "tests/bench/scalar.h"

namespace warplens::bench {

namespace {

struct Case {
  std::string name;
  std::shared_ptr<const LaunchRequest> request;
  std::function<void()> scalar;
};

// Built-in kernels with these values in place of their defaults.
std::shared_ptr<const LaunchRequest> request_for(const std::string& kernel,
                                                 const std::map<std::string, double>& values,
                                                 std::shared_ptr<const Image> image = nullptr) {
  const Result<const KernelDescription*> found = find_kernel(kernel);
  KernelSetup setup = default_setup(**found);
  for (const auto& [name, value] : values) setup.values[name] = value;
  setup.image = std::move(image);
  setup.grid = *fitted_grid(**found, setup);
  return std::make_shared<const LaunchRequest>(*make_request(**found, setup, built_in_devices().front()));
}

template <class T>
const T* input(const LaunchRequest& request, size_t buffer) {
  return reinterpret_cast<const T*>(request.buffers[buffer].initial->data());
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  auto picture = std::make_shared<Image>(rendered_sample(1920, 1080));
  const auto gray_request = request_for("grayscale", {}, picture);
  cases.push_back({"grayscale 1920x1080", gray_request, [=] {
                     static std::vector<uint8_t> out(1920 * 1080);
                     gray(picture->pixels.data(), out.data(), 1920, 1080);
                     benchmark::DoNotOptimize(out.data());
                   }});
  const auto add_request = request_for("vector_add", {{"n", 1'000'000}});
  cases.push_back({"add 1,000,000", add_request, [=] {
                     static std::vector<float> out(1'000'000);
                     add(input<float>(*add_request, 0), input<float>(*add_request, 1), out.data(), 1'000'000);
                     benchmark::DoNotOptimize(out.data());
                   }});
  const auto multiply_request = request_for("matmul_tiled", {{"m", 256}, {"n", 256}, {"k", 256}});
  cases.push_back({"tiled matmul 256", multiply_request, [=] {
                     static std::vector<float> out(256 * 256);
                     multiply(input<float>(*multiply_request, 0), input<float>(*multiply_request, 1),
                              out.data(), 256);
                     benchmark::DoNotOptimize(out.data());
                   }});
  const auto fractal_request = request_for("mandelbrot", {{"width", 512},
                                                          {"height", 512},
                                                          {"max_iterations", 256},
                                                          {"center_x", -.5},
                                                          {"center_y", 0},
                                                          {"scale", 2.5 / 512}});
  cases.push_back({"mandelbrot 512x512, 256", fractal_request, [=] {
                     static std::vector<uint8_t> out(512 * 512 * 3);
                     mandelbrot(out.data(), 512, 512, -.5f, 0, 2.5f / 512, 256);
                     benchmark::DoNotOptimize(out.data());
                   }});
  return cases;
}

struct Setting {
  const char* name;
  uint32_t workers;
  Observe observe;
};
constexpr Setting settings[] = {{"1 core", 1, Observe::none},
                                {"1 core, counters", 1, Observe::counters},
                                {"2 cores", 2, Observe::none},
                                {"2 cores, counters", 2, Observe::counters}};

void run_virtual(benchmark::State& state, Backend& backend, const std::shared_ptr<const LaunchRequest>& base,
                 const Setting& setting) {
  auto request = std::make_shared<LaunchRequest>(*base);
  request->workers = setting.workers;
  request->observe = setting.observe;
  for (auto _ : state) {
    const Result<RunResult> result = backend.run(request, {}, nullptr);
    if (!result || result->status != RunStatus::ok) {
      state.SkipWithError(result ? result->message.c_str() : result.error().message.c_str());
      return;
    }
    state.SetIterationTime(result->host.execute_ms / 1e3);  // execution only, without copies and parsing
  }
}

// Keeps the median of every benchmark for the table.
class Keeper : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.aggregate_name == "median") medians[run.run_name.function_name] = run.GetAdjustedRealTime();
    }
  }
  std::map<std::string, double> medians;
};

void print_ratios(const std::vector<Case>& cases, const std::map<std::string, double>& medians) {
  fmt::print("\nRatios to a scalar g++ -O2 loop on one core, in this run ({}):\n{:<26}",
             exec::best_ops_name(), "");
  for (const Setting& setting : settings) fmt::print("{:>20}", setting.name);
  fmt::print("{:>20}\n", "2 cores are faster by");
  for (const Case& c : cases) {
    const auto time = [&](const std::string& what) {
      const auto found = medians.find(c.name + "/" + what);
      return found == medians.end() ? 0.0 : found->second;
    };
    if (time("scalar") == 0) continue;
    fmt::print("{:<26}", c.name);
    for (const Setting& setting : settings) fmt::print("{:>20.2f}", time(setting.name) / time("scalar"));
    fmt::print("{:>20.2f}\n", time("1 core") / time("2 cores"));
  }
}

}  // namespace

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::vector<Case> cases = all_cases();
  const std::unique_ptr<Backend> backend = make_virtual_gpu();
  for (const Case& c : cases) {
    const auto add_one = [](benchmark::internal::Benchmark* b) {
      b->Repetitions(5)->ReportAggregatesOnly()->Unit(benchmark::kMillisecond)->MinTime(0.1);
    };
    add_one(benchmark::RegisterBenchmark((c.name + "/scalar").c_str(), [&](benchmark::State& state) {
      for (auto _ : state) c.scalar();
    }));
    for (const Setting& setting : settings) {
      auto* b = benchmark::RegisterBenchmark(
          (c.name + "/" + setting.name).c_str(),
          [&](benchmark::State& state) { run_virtual(state, *backend, c.request, setting); });
      add_one(b);
      b->UseManualTime();
    }
  }
  register_frames();
  Keeper keeper;
  benchmark::RunSpecifiedBenchmarks(&keeper);
  print_ratios(cases, keeper.medians);
  const double few = keeper.medians["frame/1,024 blocks"], many = keeper.medians["frame/1,000,000 blocks"];
  if (few > 0) {
    fmt::print(
        "A frame of the Grid view: {:.0f} us with 1,024 blocks, {:.0f} us with 1,000,000: {:.2f} times as "
        "long.\n",
        few, many, many / few);
  }
  return 0;
}

}  // namespace warplens::bench

int main(int argc, char** argv) { return warplens::bench::run(argc, argv); }
