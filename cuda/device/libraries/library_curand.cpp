#include "core/base/system/embedded.h"
#include "cuda/device/driver/error.h"
#include "cuda/device/libraries/library_bench.h"
#include "cuda/device/run/module.h"

namespace warplens::cuda {

namespace {

constexpr int philox = 161;  // CURAND_RNG_PSEUDO_PHILOX4_32_10
constexpr uint64_t points_at_once = 1 << 24;

Result<Module> counting_module(const Context& context, const Device& device) {
  auto text = std::make_shared<ModuleText>();
  text->ptx = find_embedded("kernels/count_inside.ptx");
  text->ptx_name = "count_inside.ptx";
  LaunchRequest request;
  request.module = text;
  request.device = device;
  return load_module(context, request);
}

Result<void> count(const Driver& driver, CUfunction function, const Device& device, CUdeviceptr points,
                   uint64_t n, CUdeviceptr total, CUstream stream) {
  constexpr unsigned threads = 256;
  const auto most = uint64_t{device.sms} * 8, needed = (n + threads - 1) / threads;
  void* arguments[] = {&points, &n, &total};
  const CUresult r = driver.cuLaunchKernel(
      function, static_cast<unsigned>(std::clamp<uint64_t>(needed, 1, std::max<uint64_t>(most, 1))), 1, 1,
      threads, 1, 1, 0, stream, arguments, nullptr);
  if (r != CUDA_SUCCESS) return error_of(driver, r, "Launching count_inside");
  return {};
}

}  // namespace

Result<void> run_pi(const LibraryBench& bench, const Device& device, const Curand& curand, LibraryTime& row) {
  int version = 0;
  if (curand.version(&version) == 0) row.library += " " + library_version(version);
  using Generator = Curand::Generator;
  Generator* made = nullptr;
  if (auto r = succeeded(curand.create(&made, philox), "curandCreateGenerator"); !r) return r;
  const Owned<Generator*> generator(made, [destroy = curand.destroy](Generator* g) { destroy(g); });
  if (auto r = succeeded(curand.set_stream(made, bench.watch.stream()), "curandSetStream"); !r) return r;
  if (auto r = succeeded(curand.set_seed(made, bench.work.seed), "curandSetPseudoRandomGeneratorSeed"); !r)
    return r;
  const uint64_t at_once = std::min(bench.work.points, points_at_once);
  Result<Owned<CUdeviceptr>> points = bench.context.allocate(2 * at_once * sizeof(float), "the points");
  if (!points) return points.error();
  Result<Array> total = Array::make(bench.context, sizeof(uint64_t), "the count");
  if (!total) return total.error();
  const Result<Module> module = counting_module(bench.context, device);
  if (!module) return module.error();
  const Driver& driver = bench.context.driver();
  CUfunction function = nullptr;
  if (const CUresult r = driver.cuModuleGetFunction(&function, module->handle.get(), "count_inside");
      r != CUDA_SUCCESS)
    return error_of(driver, r, "Looking for the kernel count_inside");
  const auto call = [&]() -> Result<void> {
    if (auto r = succeeded(curand.set_offset(made, 0), "curandSetGeneratorOffset"); !r) return r;
    const CUresult cleared =
        driver.cuMemsetD8Async(total->address(), 0, sizeof(uint64_t), bench.watch.stream());
    if (cleared != CUDA_SUCCESS) return error_of(driver, cleared, "Clearing the count");
    for (uint64_t done = 0; done < bench.work.points; done += at_once) {
      const uint64_t n = std::min(at_once, bench.work.points - done);
      if (auto r = succeeded(curand.uniform(made, points->get(), 2 * n), "curandGenerateUniform"); !r)
        return r;
      if (auto r = count(driver, function, device, points->get(), n, total->address(), bench.watch.stream());
          !r)
        return r;
    }
    return {};
  };
  Result<void> measured = bench.measure({}, call, {total->copy()}, row);
  if (!measured) return measured;
  std::memcpy(&row.inside, total->host.get(), sizeof row.inside);
  return {};
}

}  // namespace warplens::cuda
