#include "cuda/device/run/pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/launch/steps.h"
#include "cuda/device/driver/error.h"
#include "cuda/device/run/microseconds.h"

namespace warplens::cuda {

namespace {

using Clock = std::chrono::steady_clock;

bool is_copied(const LaunchRequest& request, uint32_t buffer) {
  return std::ranges::any_of(request.steps, [&](const Step& step) {
    const auto* in = std::get_if<CopyInStep>(&step);
    const auto* out = std::get_if<CopyOutStep>(&step);
    return (in != nullptr && in->buffer == buffer) || (out != nullptr && out->buffer == buffer);
  });
}

bool is_refusal(CUresult code) {
  return code == CUDA_ERROR_INVALID_VALUE || code == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES ||
         code == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE || code == CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace

Result<HostArrays> HostArrays::make(const Context& context, const LaunchRequest& request) {
  HostArrays host;
  for (uint32_t b = 0; b < request.buffers.size(); ++b) {
    // Page-locked memory is scarce, and scratch arrays never leave the device, so they get none.
    const BufferSpec& buffer = request.buffers[b];
    const bool copied = buffer.initial || buffer.output || is_copied(request, b);
    Result<Owned<void*>> array = context.allocate_host(copied ? buffer.bytes : 0);
    if (!array) return array.error();
    host.m_arrays.push_back(std::move(*array));
  }
  host.reset(request);
  return host;
}

void HostArrays::reset(const LaunchRequest& request) {
  filled.assign(request.buffers.size(), false);
  for (size_t b = 0; b < request.buffers.size(); ++b) {
    const BufferSpec& spec = request.buffers[b];
    if (!spec.initial) continue;
    filled[b] = true;
    const size_t bytes = std::min<size_t>(spec.bytes, spec.initial->size());
    std::memcpy(data(b), spec.initial->data(), bytes);
    std::memset(data(b) + bytes, 0, spec.bytes - bytes);
  }
}

DevicePass::DevicePass(const PassInput& input)
    : m_in(input),
      m_driver(input.context.driver()),
      m_buffers(input.request.buffers.size()),
      m_copied_out(input.request.buffers.size(), false) {}

bool DevicePass::fail(Error error) {
  m_error = std::move(error);
  return false;
}

// Any later call may report a kernel's fault.
bool DevicePass::fine(CUresult code, const std::string& doing) {
  if (code == CUDA_SUCCESS) return true;
  if (!is_sticky(code)) return fail(error_of(m_driver, code, doing));
  m_end = {RunStatus::fault, code, ""};
  return false;
}

Result<PassEnd> DevicePass::run() {
  m_in.host.reset(m_in.request);
  bool good = set_globals();
  for (const Step& step : all_steps(m_in.request)) good = good && take(step);
  // Work that was put on the stream before a refused launch still runs.
  const CUresult waited = m_driver.cuStreamSynchronize(m_in.stream);
  if (waited != CUDA_SUCCESS && !m_error && m_end.status == RunStatus::ok)
    fine(waited, "Waiting for the GPU");
  m_textures.clear();
  if (m_error) return *m_error;
  return m_end;
}

bool DevicePass::set_globals() {
  for (const GlobalInit& global : m_in.request.globals) {
    CUdeviceptr address = 0;
    size_t bytes = 0;
    const CUresult r =
        m_driver.cuModuleGetGlobal(&address, &bytes, m_in.module.handle.get(), global.symbol.c_str());
    if (r == CUDA_ERROR_NOT_FOUND)
      return fail(bad_input(fmt::format("The module has no variable \"{}\".", global.symbol)));
    if (!fine(r, "Looking for the variable " + global.symbol)) return false;
    if (global.bytes.size() > bytes)
      return fail(bad_input(fmt::format("The variable {} has {} bytes; {} were given.", global.symbol, bytes,
                                        global.bytes.size())));
    if (!fine(m_driver.cuMemcpyHtoD(address, global.bytes.data(), global.bytes.size()),
              "Setting the variable " + global.symbol))
      return false;
  }
  return true;
}

bool DevicePass::take(const Step& step) {
  const auto allocated = [&](uint32_t buffer, const char* what) {
    if (m_buffers[buffer]) return true;
    return fail(bad_input(fmt::format("The buffer {} is {} while it is not allocated.",
                                      m_in.request.buffers[buffer].name, what)));
  };
  if (const auto* s = std::get_if<AllocateStep>(&step)) return allocate(s->buffer);
  if (const auto* s = std::get_if<CopyInStep>(&step))
    return allocated(s->buffer, "copied to") && copy_in(s->buffer);
  if (const auto* s = std::get_if<CopyOutStep>(&step))
    return allocated(s->buffer, "copied from") && copy_out(s->buffer);
  if (const auto* s = std::get_if<FreeStep>(&step)) {
    if (!allocated(s->buffer, "freed")) return false;
    m_buffers[s->buffer] = {};
    return true;
  }
  return launch(std::get<LaunchStep>(step));
}

bool DevicePass::allocate(uint32_t buffer) {
  const BufferSpec& spec = m_in.request.buffers[buffer];
  if (m_buffers[buffer]) return fail(bad_input(fmt::format("The buffer {} is allocated twice.", spec.name)));
  Result<Owned<CUdeviceptr>> memory = m_in.context.allocate(spec.bytes, spec.name);
  if (!memory) return fail(memory.error());
  m_buffers[buffer] = std::move(*memory);
  // As on the virtual GPU, so that a kernel that reads memory before it is written gives the same on both.
  return fine(m_driver.cuMemsetD8Async(m_buffers[buffer].get(), 0, spec.bytes, m_in.stream),
              "Clearing " + spec.name);
}

bool DevicePass::open_span(Kind kind) {
  Result<Owned<CUevent>> begin = m_in.context.make_event();
  Result<Owned<CUevent>> end = m_in.context.make_event();
  if (!begin) return fail(begin.error());
  if (!end) return fail(end.error());
  m_spans.push_back({kind, std::move(*begin), std::move(*end)});
  return fine(m_driver.cuEventRecord(m_spans.back().begin.get(), m_in.stream), "Recording an event");
}

bool DevicePass::close_span() {
  return fine(m_driver.cuEventRecord(m_spans.back().end.get(), m_in.stream), "Recording an event");
}

bool DevicePass::copy_in(uint32_t buffer) {
  const BufferSpec& spec = m_in.request.buffers[buffer];
  if (!m_in.host.filled[buffer])
    return fine(m_driver.cuMemsetD8Async(m_buffers[buffer].get(), 0, spec.bytes, m_in.stream),
                "Clearing " + spec.name);
  return open_span(Kind::copy_in) &&
         fine(m_driver.cuMemcpyHtoDAsync(m_buffers[buffer].get(), m_in.host.data(buffer), spec.bytes,
                                         m_in.stream),
              fmt::format("Copying {} to the device", spec.name)) &&
         close_span();
}

bool DevicePass::copy_out(uint32_t buffer) {
  const BufferSpec& spec = m_in.request.buffers[buffer];
  m_in.host.filled[buffer] = true;
  m_copied_out[buffer] = true;
  return open_span(Kind::copy_out) &&
         fine(m_driver.cuMemcpyDtoHAsync(m_in.host.data(buffer), m_buffers[buffer].get(), spec.bytes,
                                         m_in.stream),
              fmt::format("Copying {} to the host", spec.name)) &&
         close_span();
}

std::optional<CUdeviceptr> DevicePass::address_of(const BufferArgument& argument, const std::string& what) {
  const Owned<CUdeviceptr>& memory = m_buffers[argument.buffer];
  if (memory) return memory.get() + argument.offset;
  fail(bad_input(fmt::format("{}: the buffer {} is not allocated when the kernel is launched.", what,
                             m_in.request.buffers[argument.buffer].name)));
  return std::nullopt;
}

bool DevicePass::fill(const LaunchStep& step, size_t index, Bytes& into, std::vector<Texture>& textures) {
  const std::string what = fmt::format("Argument {} of {}", index, step.entry);
  const auto put = [&](uint64_t bits) {
    into.resize(sizeof bits);
    std::memcpy(into.data(), &bits, sizeof bits);
    return true;
  };
  const Argument& argument = step.arguments[index];
  if (const auto* scalar = std::get_if<ScalarArgument>(&argument)) return put(scalar->bits);
  if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
    const auto address = address_of(*buffer, what);
    return address && put(*address);
  }
  if (const auto* given = std::get_if<TextureArgument>(&argument)) {
    const auto address = address_of({given->buffer, 0}, what);
    if (!address) return false;
    if (given->spec.bytes() > m_in.request.buffers[given->buffer].bytes)
      return fail(bad_input(what + ": its texels need more bytes than the buffer has."));
    Result<Texture> texture = make_texture(m_in.context, given->spec, *address, m_in.stream, what);
    if (!texture) return fail(texture.error());
    textures.push_back(std::move(*texture));
    return put(textures.back().handle());
  }
  const auto& structure = std::get<StructArgument>(argument);
  into = structure.bytes;
  for (const StructArgument::Pointer& pointer : structure.pointers) {
    const auto address = address_of(pointer.to, what);
    if (!address) return false;
    if (pointer.at > into.size() || into.size() - pointer.at < sizeof *address)
      return fail(bad_input(what + ": a pointer in it does not fit."));
    std::memcpy(into.data() + pointer.at, &*address, sizeof *address);
  }
  return true;
}

bool DevicePass::start(const LaunchStep& step, std::vector<Bytes>& storage, std::vector<Texture>& textures) {
  std::vector<void*> pointers;
  for (size_t i = 0; i < step.arguments.size(); ++i)
    if (!fill(step, i, storage[i], textures)) return false;
  pointers.reserve(storage.size());
  for (Bytes& bytes : storage) pointers.push_back(bytes.data());
  // It also keeps the device busy until the launch is on the stream, so that the kernel's time includes no
  // waiting.
  if (!m_flushed && m_in.flush_bytes != 0 &&
      !fine(m_driver.cuMemsetD8Async(m_in.flush, 0, m_in.flush_bytes, m_in.stream), "Clearing the L2 cache"))
    return false;
  m_flushed = true;
  if (!open_span(Kind::kernel)) return false;
  const CUfunction function = m_in.functions.at(step.entry).handle;
  const Dim3 g = step.grid, b = step.block;
  const auto before = Clock::now();
  const CUresult r =
      step.cooperative
          ? m_driver.cuLaunchCooperativeKernel(function, g.x, g.y, g.z, b.x, b.y, b.z,
                                               step.shared_dynamic_bytes, m_in.stream, pointers.data())
          : m_driver.cuLaunchKernel(function, g.x, g.y, g.z, b.x, b.y, b.z, step.shared_dynamic_bytes,
                                    m_in.stream, pointers.data(), nullptr);
  m_launch_us += microseconds(Clock::now() - before);
  if (is_refusal(r)) {
    m_end = {RunStatus::refused, r, step.entry};
    return false;
  }
  return fine(r, "Launching " + step.entry) && close_span();
}

bool DevicePass::launch(const LaunchStep& step) {
  m_textures.emplace_back();
  std::vector<Bytes> storage(step.arguments.size());
  if (!start(step, storage, m_textures.back())) return false;
  for (const Texture& texture : m_textures.back())
    if (const Result<void> copied = copy_back(m_in.context, texture, m_in.stream); !copied)
      return fail(copied.error());
  return true;
}

Result<PassTimes> DevicePass::times() const {
  PassTimes times;
  times.launch = m_launch_us;
  for (const Span& span : m_spans) {
    float ms = 0;
    const CUresult r = m_driver.cuEventElapsedTime(&ms, span.begin.get(), span.end.get());
    if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Reading the times");
    const double us = double(ms) * 1e3;
    switch (span.kind) {
      case Kind::copy_in:
        times.copy_in += us;
        times.copied_in = true;
        break;
      case Kind::copy_out:
        times.copy_out += us;
        times.copied_out = true;
        break;
      case Kind::kernel:
        times.kernel += us;
        times.kernels.push_back(us);
        break;
    }
  }
  return times;
}

std::vector<OutputBuffer> DevicePass::outputs() const {
  std::vector<OutputBuffer> outputs;
  for (uint32_t b = 0; b < m_buffers.size(); ++b) {
    const BufferSpec& spec = m_in.request.buffers[b];
    if (!spec.output || !m_copied_out[b]) continue;
    outputs.push_back(
        {b, std::make_shared<const Bytes>(m_in.host.data(b), m_in.host.data(b) + spec.bytes), nullptr});
  }
  return outputs;
}

}  // namespace warplens::cuda
