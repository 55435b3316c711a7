// How long kernels take on the virtual GPU, as ratios to scalar loops that are measured in the same run.
// Google Benchmark measures; the table of ratios follows its own output.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
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

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// No built-in kernel repeats itself, so this one lies beside the benchmark.
std::shared_ptr<const LaunchRequest> repeated_lucas(uint32_t threads, uint32_t n, uint32_t times) {
  const std::string ptx = text_of(WARPLENS_SOURCE_DIR "/tests/bench/lucas_repeated.ptx");
  if (ptx.empty()) return nullptr;
  auto request = std::make_shared<LaunchRequest>();
  request->kernel = "lucas_repeated";
  request->module = std::make_shared<ModuleText>(
      ModuleText{.ptx = ptx, .ptx_name = "lucas_repeated.ptx", .source = {}, .source_name = {}});
  request->buffers = {{.name = "out",
                       .bytes = 8 * uint64_t{threads},
                       .dtype = DType::i64,
                       .initial = nullptr,
                       .output = true,
                       .width = threads}};
  const auto number = [](uint32_t value) { return ScalarArgument{DType::i32, value}; };
  request->steps = {
      LaunchStep{.entry = "lucas_repeated",
                 .grid = {threads / 128, 1, 1},
                 .block = {128, 1, 1},
                 .arguments = {BufferArgument{0, 0}, number(n), number(times), number(threads)}}};
  request->device = built_in_devices().front();
  return request;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  auto picture = std::make_shared<Image>(rendered_sample(1024, 1024));
  const auto gray_request = request_for("grayscale", {}, picture);
  cases.push_back({"RGB to gray 1024x1024", gray_request, [=] {
                     static std::vector<uint8_t> out(1024 * 1024);
                     gray(picture->pixels.data(), out.data(), 1024, 1024);
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
  const auto lucas_request = repeated_lucas(1024, 40, 100);
  if (lucas_request != nullptr) {
    cases.push_back({"Lucas 1,024 x 100 x L40", lucas_request, [] {
                       static std::vector<int64_t> out(1024);
                       lucas(out.data(), 40, 100, 1024);
                       benchmark::DoNotOptimize(out.data());
                     }});
  }
  cases.push_back({"pi 8,192 x 128", request_for("pi_atomic_thread", {{"n", 8192}, {"turns", 64}}),
                   [] { benchmark::DoNotOptimize(points_inside(64, 1, 8192)); }});
  return cases;
}

struct Setting {
  const char* name;
  uint32_t workers;
  Observe observe;
};
constexpr Setting settings[] = {{"1 core", 1, Observe::none},
                                {"1 core, counters", 1, Observe::counters},
                                {"1 core, caches", 1, Observe::trace},
                                {"2 cores", 2, Observe::none},
                                {"2 cores, counters", 2, Observe::counters}};

void run_virtual(benchmark::State& state, Backend& backend, const std::shared_ptr<const LaunchRequest>& base,
                 const Setting& setting) {
  auto request = std::make_shared<LaunchRequest>(*base);
  request->workers = setting.workers;
  request->observe = setting.observe;
  request->model_caches = setting.observe == Observe::trace;
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
  register_steps();
  register_saves();
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
  print_steps();
  return 0;
}

}  // namespace warplens::bench

int main(int argc, char** argv) { return warplens::bench::run(argc, argv); }
