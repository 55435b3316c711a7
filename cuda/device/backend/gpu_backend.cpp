#include "cuda/device/backend/gpu_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>

#include "core/launch/steps.h"
#include "cuda/device/devices/live_devices.h"
#include "cuda/device/driver/error.h"
#include "cuda/device/libraries/library_run.h"
#include "cuda/device/run/measuring.h"
#include "cuda/device/run/microseconds.h"
#include "cuda/device/run/pass.h"

namespace warplens::cuda {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t pageable_samples = 5;

struct Fault {
  CUresult code;
  IncidentKind kind;
  const char* meaning;
};
constexpr std::array faults{
    Fault{CUDA_ERROR_ILLEGAL_ADDRESS, IncidentKind::out_of_bounds, "a thread reached outside of its arrays"},
    Fault{CUDA_ERROR_MISALIGNED_ADDRESS, IncidentKind::misaligned,
          "an address is no multiple of the access's size"},
    Fault{CUDA_ERROR_ASSERT, IncidentKind::assertion, "an assert() did not hold"},
    Fault{CUDA_ERROR_HARDWARE_STACK_ERROR, IncidentKind::stack_overflow, "a thread's stack ran over"},
    Fault{CUDA_ERROR_LAUNCH_FAILED, IncidentKind::trap,
          "a trap, or an access that the hardware could not name"},
    Fault{CUDA_ERROR_ILLEGAL_INSTRUCTION, IncidentKind::trap, "an instruction that the device does not know"},
    Fault{CUDA_ERROR_LAUNCH_TIMEOUT, IncidentKind::time_limit, "the display's watchdog ended the kernel"},
};

Incident incident_of(const Driver& driver, CUresult code) {
  Incident incident;
  const auto found = std::ranges::find(faults, code, &Fault::code);
  incident.kind = found != faults.end() ? found->kind : IncidentKind::device_fault;
  incident.message = fmt::format(
      "The GPU stopped with {}{}{}. It names no thread: run the same launch on a "
      "virtual GPU, which does.",
      describe(driver, code), found != faults.end() ? ": " : "", found != faults.end() ? found->meaning : "");
  return incident;
}

// The state of one request.
class Run {
 public:
  Run(const Context& context, const LaunchRequest& request, const GpuBackendOptions& options,
      RunResult& result)
      : m_context(context), m_request(request), m_options(options), m_result(result) {}

  Result<void> prepare() {
    Result<Module> module = load_module(m_context, m_request);
    if (!module) return module.error();
    m_module = std::move(*module);
    if (Result<void> found = find_functions(); !found) return found;
    m_reload = has_writable_variables(m_request.module->ptx);
    Result<HostArrays> host = HostArrays::make(m_context, m_request);
    if (!host) return host.error();
    m_host = std::move(*host);
    Result<Owned<CUstream>> stream = m_context.make_stream();
    if (!stream) return stream.error();
    m_stream = std::move(*stream);
    if (m_request.from_idle) return {};
    m_flush_bytes = flush_bytes_of(m_request.device.l2_bytes);
    Result<Owned<CUdeviceptr>> flush = m_context.allocate(m_flush_bytes, "an array to clear the cache with");
    if (!flush) m_flush_bytes = 0;  // a full device measures with a warm cache
    if (flush) m_flush = std::move(*flush);
    return {};
  }

  // The first run, and the measurements after it.
  Result<void> measure(const std::stop_token& stop) {
    if (m_options.started) m_options.started();
    if (m_options.printf.begin) m_options.printf.begin();
    const auto start = Clock::now();
    Result<PassEnd> end = one_pass(true);
    const auto took = Clock::now() - start;
    if (m_options.printf.end) m_result.console = m_options.printf.end();
    if (!end) return end.error();
    m_end = *end;
    if (m_end.status != RunStatus::ok) return {};
    const uint32_t wanted = m_request.repeat > 1 ? m_request.repeat : samples_within_patience(took);
    for (uint32_t i = 0; i < wanted && !stop.stop_requested(); ++i) {
      end = one_pass(false);
      if (!end) return end.error();
      m_end = *end;
      if (m_end.status != RunStatus::ok) return {};
    }
    // The output of printf in later runs is not shown.
    if (m_options.printf.begin) m_options.printf.begin();
    measure_pageable();
    fill_times();
    return {};
  }

  const PassEnd& end() const { return m_end; }
  const std::map<std::string, Function>& functions() const { return m_functions; }
  const Module& module() const { return m_module; }

 private:
  Result<void> find_functions() {
    for (const Step& step : m_request.steps) {
      const auto* launch = std::get_if<LaunchStep>(&step);
      if (launch == nullptr) continue;
      LaunchStep largest = *launch;  // of this kernel: the limit is set once for all of its launches
      for (const Step& other : m_request.steps)
        if (const auto* l = std::get_if<LaunchStep>(&other); l != nullptr && l->entry == launch->entry)
          largest.shared_dynamic_bytes = std::max(largest.shared_dynamic_bytes, l->shared_dynamic_bytes);
      Result<Function> function = find_function(m_context, m_module, largest);
      if (!function) return function.error();
      const bool first = m_functions.empty();
      Function& kept = m_functions[launch->entry] = *function;
      // Only the assembler knows the spills.
      if (m_request.resources_known && first) {
        kept.resources.spill_store_bytes = m_request.resources.spill_store_bytes;
        kept.resources.spill_load_bytes = m_request.resources.spill_load_bytes;
      }
      LaunchRecord record;
      record.entry = launch->entry;
      record.shape = {launch->grid, launch->block, launch->shared_dynamic_bytes, launch->cooperative};
      record.resources = kept.resources;
      m_result.launches.push_back(std::move(record));
    }
    return {};
  }

  Result<PassEnd> one_pass(bool first) {
    if (!first && m_reload) {
      Result<Module> module = load_module(m_context, m_request);
      if (!module) return module.error();
      m_module = std::move(*module);
      m_functions.clear();
      m_result.launches.clear();
      if (const Result<void> found = find_functions(); !found) return found.error();
    }
    DevicePass pass(
        {m_context, m_request, m_module, m_functions, m_host, m_stream.get(), m_flush.get(), m_flush_bytes});
    Result<PassEnd> end = pass.run();
    if (!end || end->status != RunStatus::ok) return end;
    const Result<PassTimes> times = pass.times();
    if (!times) return times.error();
    if (first) {
      m_result.outputs = pass.outputs();
      m_warm_up = *times;
    } else {
      m_times.push_back(*times);
    }
    if (m_options.passed) m_options.passed();
    return end;
  }

  // Plain host memory, which the driver copies through a buffer of its own.
  void measure_pageable() {
    const Driver& driver = m_context.driver();
    std::vector<double> in, out;
    for (uint32_t i = 0; i < pageable_samples; ++i) {
      double in_us = 0, out_us = 0;
      for (const BufferSpec& buffer : m_request.buffers) {
        if (!buffer.initial && !buffer.output) continue;
        Result<Owned<CUdeviceptr>> memory = m_context.allocate(buffer.bytes, buffer.name);
        if (!memory) return;  // the device is too full to measure memory as well
        const size_t bytes = buffer.initial ? std::min<size_t>(buffer.bytes, buffer.initial->size()) : 0;
        auto start = Clock::now();
        if (bytes != 0 && driver.cuMemcpyHtoD(memory->get(), buffer.initial->data(), bytes) != CUDA_SUCCESS)
          return;
        in_us += microseconds(Clock::now() - start);
        if (!buffer.output) continue;
        Bytes plain(buffer.bytes);
        start = Clock::now();
        if (driver.cuMemcpyDtoH(plain.data(), memory->get(), buffer.bytes) != CUDA_SUCCESS) return;
        out_us += microseconds(Clock::now() - start);
      }
      if (in_us > 0 || m_warm_up.copied_in) in.push_back(in_us);
      if (out_us > 0 || m_warm_up.copied_out) out.push_back(out_us);
      if (in_us + out_us > 1e6) break;
    }
    m_pageable_in = spread_of(std::move(in));
    m_pageable_out = spread_of(std::move(out));
  }

  void fill_times() {
    // A run that takes seconds is its own sample.
    if (m_times.empty()) m_times.push_back(m_warm_up);
    const auto spread = [&](double PassTimes::*part) {
      std::vector<double> samples;
      for (const PassTimes& times : m_times) samples.push_back(times.*part);
      return spread_of(std::move(samples));
    };
    DeviceRun& run = m_result.measured.emplace();
    if (m_warm_up.copied_in) run.copy_in_us = spread(&PassTimes::copy_in);
    if (m_warm_up.copied_out) run.copy_out_us = spread(&PassTimes::copy_out);
    run.copy_in_pageable_us = m_pageable_in;
    run.copy_out_pageable_us = m_pageable_out;
    run.kernel_us = spread(&PassTimes::kernel);
    run.launch_us = spread(&PassTimes::launch);
    for (size_t k = 0; k < m_warm_up.kernels.size(); ++k) {
      std::vector<double> samples;
      for (const PassTimes& times : m_times) samples.push_back(times.kernels[k]);
      run.launches_us.push_back(*spread_of(std::move(samples)));
    }
    TimesUs& time = m_result.time;
    time.source = Provenance::measured;
    time.kernel = run.kernel_us->median;
    time.low = run.kernel_us->p10;
    time.high = run.kernel_us->p90;
    time.launch = run.launch_us->median;
    if (run.copy_in_us) time.copy_in = run.copy_in_us->median;
    if (run.copy_out_us) time.copy_out = run.copy_out_us->median;
  }

  const Context& m_context;
  const LaunchRequest& m_request;
  const GpuBackendOptions& m_options;
  RunResult& m_result;
  Module m_module;
  std::map<std::string, Function> m_functions;
  bool m_reload = false;
  HostArrays m_host;
  Owned<CUstream> m_stream;
  Owned<CUdeviceptr> m_flush;
  uint64_t m_flush_bytes = 0;
  PassEnd m_end;
  PassTimes m_warm_up;
  std::vector<PassTimes> m_times;
  std::optional<Spread> m_pageable_in, m_pageable_out;
};

std::string bus_of(const Driver& driver, int ordinal) {
  std::array<char, 64> bus{};
  CUdevice device = 0;
  if (driver.cuDeviceGet(&device, ordinal) != CUDA_SUCCESS) return "";
  if (driver.cuDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device) != CUDA_SUCCESS) return "";
  return bus.data();
}

// The same checks as on the virtual GPU, whatever the origin of the request.
Result<void> check(const LaunchRequest& request) {
  const auto there = [&](uint32_t buffer) { return buffer < request.buffers.size(); };
  bool good = first_launch(request) != nullptr && request.module != nullptr;
  for (const Step& step : request.steps) {
    const auto* launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr) {
      std::visit(
          [&](const auto& s) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(s)>, LaunchStep>) good &= there(s.buffer);
          },
          step);
      continue;
    }
    for (const Argument& argument : launch->arguments) {
      if (const auto* buffer = std::get_if<BufferArgument>(&argument)) good &= there(buffer->buffer);
      if (const auto* texture = std::get_if<TextureArgument>(&argument)) good &= there(texture->buffer);
      if (const auto* given = std::get_if<StructArgument>(&argument))
        for (const StructArgument::Pointer& pointer : given->pointers) good &= there(pointer.to.buffer);
    }
  }
  if (!good) return bad_input("The request launches nothing, or names a buffer that it lacks.");
  if (!request.textures.empty())
    return missing(
        "Textures that a module declares itself (.texref, .surfref) are not bound on a real GPU: pass "
        "texture "
        "objects as arguments, or choose a virtual GPU.");
  return {};
}

}  // namespace

GpuBackend::GpuBackend(Driver driver, int ordinal, GpuBackendOptions options)
    : m_driver(std::move(driver)),
      m_ordinal(ordinal),
      m_options(std::move(options)),
      m_nvml(Nvml::load()),
      m_bus(bus_of(m_driver, ordinal)) {}

Result<const Context*> GpuBackend::context() {
  if (!m_context) {
    Result<Context> made = Context::create(m_driver, m_ordinal);
    if (!made && m_faulted)
      return failed(
          made.error().message +
          ": after a fault the driver gives this process no new context; another process gets one.");
    if (!made) return made.error();
    m_context.emplace(std::move(*made));
  }
  if (const Result<void> used = m_context->use(); !used) return used.error();
  return &*m_context;
}

Result<LibraryRun> GpuBackend::run_libraries(const Device&, const LibraryWork& work, std::stop_token stop) {
  const Result<Device> device = describe_device(m_driver, m_ordinal);
  if (!device) return device.error();
  const Result<const Context*> context = this->context();
  if (!context) return context.error();
  if (!m_libraries) m_libraries = m_options.load_libraries(m_driver.version);
  if (m_options.started) m_options.started();
  Result<LibraryRun> run = measure_libraries(**context, *device, *m_libraries, work, stop, m_options.passed);
  if (!run && run.error().kind == ErrorKind::failed) m_context.reset();
  return run;
}

Result<RunResult> GpuBackend::run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                                  Progress*) {
  if (const Result<void> fine = check(*request); !fine) return fine.error();
  const Result<const Context*> context = this->context();
  if (!context) return context.error();
  RunResult result;
  result.request = request;
  const LaunchStep& launch = *first_launch(*request);
  result.entry = launch.entry;
  result.shape = {launch.grid, launch.block, launch.shared_dynamic_bytes, launch.cooperative};
  PassEnd end;
  {
    Run run(**context, *request, m_options, result);
    if (const Result<void> ready = run.prepare(); !ready) return ready.error();
    result.resources = run.functions().at(launch.entry).resources;
    if (const Result<void> done = run.measure(stop); !done) return done.error();
    end = run.end();
    if (result.measured) {
      result.measured->code = run.module().code;
      result.measured->max_active_blocks_per_sm = run.functions().at(launch.entry).max_active_blocks_per_sm;
    }
  }
  if (result.measured && !m_bus.empty()) {
    const DeviceCondition condition = m_nvml.condition_of(m_bus);
    result.measured->sm_clock_mhz = condition.sm_clock_mhz;
    result.measured->memory_clock_mhz = condition.memory_clock_mhz;
    result.measured->temperature_c = condition.temperature_c;
    result.measured->throttled = condition.throttled;
  }
  result.status = end.status;
  if (end.status == RunStatus::ok) return result;
  result.cuda_error = runtime_name(m_driver, end.code);
  result.launches.clear();
  if (end.status == RunStatus::refused) {
    result.message =
        fmt::format("The launch of {} was refused: {}.", end.entry, describe(m_driver, end.code));
    return result;
  }
  result.faults.push_back(incident_of(m_driver, end.code));
  result.message = result.faults.back().message;
  m_context.reset();  // it answers nothing but this error from now on
  m_faulted = true;
  return result;
}

}  // namespace warplens::cuda
