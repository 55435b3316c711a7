#include "tests/bench/cases.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "core/base/system/embedded.h"
#include "core/device/device.h"
#include "core/gpu/stepping/trace/trace.h"
#include "core/kernels/catalogue.h"
#include "tests/bench/scalar.h"
#include "tests/paths.h"

namespace warplens::bench {

namespace {

// Built-in kernels with these values in place of their defaults.
template <class T>
const T* input(const LaunchRequest& request, size_t buffer) {
  return reinterpret_cast<const T*>(request.buffers[buffer].initial->data());
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// No built-in kernel repeats its work, so this one is in the folder of the benchmark.
std::shared_ptr<const LaunchRequest> repeated_lucas(uint32_t threads, uint32_t n, uint32_t times) {
  const std::string ptx = text_of((test_files::source_dir() / "tests/bench/lucas_repeated.ptx").string());
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

std::string opencl_of(const std::string& kernel) {
  return std::string(find_embedded("code/" + kernel + ".cl"));
}

// What a run writes is there before it starts: the first one to write to a page that the system hands out
// lazily pays for it, and that is a cost of the allocation.
void touch_what_is_cleared(std::vector<Step>& steps) {
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto* const made = std::get_if<AllocateStep>(&steps[i]);
    if (made == nullptr || !made->cleared) continue;
    const CopyInStep zeros{made->buffer};
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(++i), zeros);
  }
}

}  // namespace

std::shared_ptr<const LaunchRequest> request_for(const std::string& kernel,
                                                 const std::map<std::string, double>& values,
                                                 std::shared_ptr<const Image> image) {
  const Result<const KernelDescription*> found = find_kernel(kernel);
  KernelSetup setup = default_setup(**found);
  for (const auto& [name, value] : values) setup.values[name] = value;
  setup.image = std::move(image);
  setup.grid = *fitted_grid(**found, setup);
  return std::make_shared<const LaunchRequest>(*make_request(**found, setup, built_in_devices().front()));
}

double execute_ms(Backend& backend, const LaunchRequest& base, const Setting& setting) {
  auto request = std::make_shared<LaunchRequest>(base);
  request->workers = setting.workers;
  request->observe = setting.observe;
  request->model_caches = setting.caches;
  request->trace_limit = setting.record ? default_trace_limit : 0;
  request->sanitize = setting.sanitize;
  touch_what_is_cleared(request->steps);
  const Result<RunResult> result = backend.run(request, {}, nullptr);
  if (result && result->status == RunStatus::ok) return result->host.execute_ms;
  fmt::print(stderr, "{}\n", result ? result->message : result.error().message);
  return -1;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  auto picture = std::make_shared<Image>(rendered_sample(1024, 1024));
  const auto gray_request = request_for("grayscale", {}, picture);
  cases.push_back({"RGB → gray 1024×1024", gray_request,
                   [=] {
                     static std::vector<uint8_t> out(1024 * 1024);
                     gray(picture->pixels.data(), out.data(), 1024, 1024);
                     benchmark::DoNotOptimize(out.data());
                   },
                   opencl_of("grayscale")});
  const auto add_request = request_for("vector_add", {{"n", 1'000'000}});
  cases.push_back({"add of 1,000,000 floats", add_request,
                   [=] {
                     static std::vector<float> out(1'000'000);
                     add(input<float>(*add_request, 0), input<float>(*add_request, 1), out.data(), 1'000'000);
                     benchmark::DoNotOptimize(out.data());
                   },
                   opencl_of("vector_add")});
  const auto multiply_request = request_for("matmul_tiled", {{"m", 256}, {"n", 256}, {"k", 256}});
  cases.push_back({"tiled matrix multiply 256, against an ikj loop", multiply_request,
                   [=] {
                     static std::vector<float> out(256 * 256);
                     multiply_256(input<float>(*multiply_request, 0), input<float>(*multiply_request, 1),
                                  out.data());
                     benchmark::DoNotOptimize(out.data());
                   },
                   opencl_of("matmul_tiled")});
  const auto fractal_request = request_for("mandelbrot", {{"width", 512},
                                                          {"height", 512},
                                                          {"max_iterations", 256},
                                                          {"center_x", -.5},
                                                          {"center_y", 0},
                                                          {"scale", 2.5 / 512}});
  cases.push_back({"Mandelbrot 512×512, 256 steps", fractal_request,
                   [=] {
                     static std::vector<uint8_t> out(512 * 512 * 3);
                     mandelbrot(out.data(), 512, 512, -.5f, 0, 2.5f / 512, 256);
                     benchmark::DoNotOptimize(out.data());
                   },
                   opencl_of("mandelbrot")});
  // Short and long: a second worker's thread takes a while to start.
  for (const auto& [threads, name] :
       {std::pair{1024u, "Lucas numbers, 1,024 threads, 100 times the 40th"},
        std::pair{16384u, "Lucas numbers, 16,384 threads, 100 times the 40th"}}) {
    const auto lucas_request = repeated_lucas(threads, 40, 100);
    if (lucas_request == nullptr) continue;
    cases.push_back({name, lucas_request,
                     [threads = static_cast<int>(threads)] {
                       static std::vector<int64_t> out(16384);
                       lucas(out.data(), 40, 100, threads);
                       benchmark::DoNotOptimize(out.data());
                     },
                     text_of((test_files::source_dir() / "tests/bench/lucas_repeated.cl").string())});
  }
  cases.push_back(
      {"pi, 8,192 threads of 128 points", request_for("pi_atomic_thread", {{"n", 8192}, {"turns", 64}}),
       [] { benchmark::DoNotOptimize(points_inside(64, 1, 8192)); }, opencl_of("pi_atomic_thread")});
  return cases;
}

std::shared_ptr<const LaunchRequest> usual_request(const KernelDescription& kernel,
                                                   const std::shared_ptr<const Image>& picture, Dim3 block) {
  KernelSetup setup = default_setup(kernel);
  const bool takes_picture = std::ranges::any_of(
      kernel.arguments, [](const KernelArgument& argument) { return argument.fill == Fill::image; });
  if (takes_picture) setup.image = picture;
  const bool is_flat = kernel.default_block.y == 1 && kernel.default_block.z == 1;
  if (block.x != 0 && !is_flat && kernel.required_block.x == 0 && kernel.required_block.y == 0)
    setup.block = block;
  const Result<LaunchRequest> request = make_request(kernel, setup, built_in_devices().front());
  return request ? std::make_shared<const LaunchRequest>(*request) : nullptr;
}

}  // namespace warplens::bench
