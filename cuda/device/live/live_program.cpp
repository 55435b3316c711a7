#include "cuda/device/live/live_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/launch/steps.h"
#include "cuda/device/driver/error.h"

namespace warplens::cuda {

namespace {

Error cannot(const std::string& why) {
  return bad_input("This kernel does not run live on a real GPU: " + why);
}

// Refuses requests that copy contents to the host and back, which a frame cannot do.
Result<void> check_steps(const LaunchRequest& request) {
  if (!request.textures.empty()) return cannot("its module declares textures itself.");
  std::vector<bool> out(request.buffers.size());
  const auto there = [&](uint32_t buffer) { return buffer < request.buffers.size(); };
  for (const Step& step : request.steps) {
    if (const auto* copy = std::get_if<CopyOutStep>(&step); copy != nullptr && there(copy->buffer))
      out[copy->buffer] = true;
    if (const auto* copy = std::get_if<CopyInStep>(&step);
        copy != nullptr && there(copy->buffer) && out[copy->buffer])
      return cannot(request.buffers[copy->buffer].name + " is copied out and in again.");
    const auto* launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr) continue;
    for (const Argument& argument : launch->arguments) {
      if (const auto* buffer = std::get_if<BufferArgument>(&argument);
          buffer != nullptr && !there(buffer->buffer))
        return bad_input("The request names a buffer that it lacks.");
      if (const auto* texture = std::get_if<TextureArgument>(&argument)) {
        if (!there(texture->buffer)) return bad_input("The request names a buffer that it lacks.");
        if (texture->spec.surface) return cannot("it writes to a surface.");
        if (request.buffers[texture->buffer].output) return cannot("it reads its own result as a texture.");
      }
      if (const auto* given = std::get_if<StructArgument>(&argument))
        for (const StructArgument::Pointer& pointer : given->pointers)
          if (!there(pointer.to.buffer)) return bad_input("The request names a buffer that it lacks.");
    }
  }
  if (first_launch(request) == nullptr) return bad_input("The request launches nothing.");
  return {};
}

bool same_array(const BufferSpec& a, const BufferSpec& b) {
  if (a.bytes != b.bytes || a.output != b.output || a.channels != b.channels || a.width != b.width)
    return false;
  return a.initial == b.initial || (a.initial && b.initial && *a.initial == *b.initial);
}

bool same_kind(const Step& a, const Step& b) {
  const auto* first = std::get_if<LaunchStep>(&a);
  const auto* second = std::get_if<LaunchStep>(&b);
  if (first == nullptr || second == nullptr) return a.index() == b.index();
  return first->entry == second->entry && first->shared_dynamic_bytes == second->shared_dynamic_bytes &&
         std::ranges::equal(first->arguments, second->arguments,
                            [](const Argument& x, const Argument& y) { return x.index() == y.index(); });
}

Bytes bytes_of_value(uint64_t bits) {
  Bytes bytes(sizeof bits);
  std::memcpy(bytes.data(), &bits, sizeof bits);
  return bytes;
}

}  // namespace

Result<std::unique_ptr<LiveProgram>> LiveProgram::make(const Context& context,
                                                       std::shared_ptr<const LaunchRequest> request) {
  const std::optional<uint32_t> output = live_output(*request);
  if (!output || !request->module) return cannot("it writes no picture.");
  if (const Result<void> fine = check_steps(*request); !fine) return fine.error();
  std::unique_ptr<LiveProgram> program(new LiveProgram(context, std::move(request), *output));
  if (const Result<void> ready = program->prepare(); !ready) return ready.error();
  return program;
}

Result<void> LiveProgram::prepare() {
  Result<Module> module = load_module(m_context, *m_request);
  if (!module) return module.error();
  m_module = std::move(*module);
  for (const Step& step : m_request->steps) {
    const auto* launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr) continue;
    const Result<Function> function = find_function(m_context, m_module, *launch);
    if (!function) return function.error();
    m_functions[launch->entry] = *function;
  }
  if (Result<void> filled = fill_arrays(); !filled) return filled;
  return make_textures();
}

Result<void> LiveProgram::fill_arrays() {
  for (uint32_t b = 0; b < m_request->buffers.size(); ++b) {
    const BufferSpec& spec = m_request->buffers[b];
    Array& array = m_arrays.emplace_back();
    if (b != m_output) {
      Result<Owned<CUdeviceptr>> memory = m_context.allocate(spec.bytes, spec.name);
      if (!memory) return memory.error();
      array.memory = std::move(*memory);
    }
    if (!spec.initial || spec.bytes == 0) continue;
    Result<Owned<CUdeviceptr>> initial = m_context.allocate(spec.bytes, spec.name);
    if (!initial) return initial.error();
    array.initial = std::move(*initial);
    const size_t bytes = std::min<size_t>(spec.bytes, spec.initial->size());
    const CUresult r = m_driver.cuMemcpyHtoD(array.initial.get(), spec.initial->data(), bytes);
    if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Copying " + spec.name + " to the device");
  }
  return {};
}

// Texels have a layout of the hardware's own. They are copied once, from the array's initial contents.
Result<void> LiveProgram::make_textures() {
  Result<Owned<CUstream>> stream = m_context.make_stream();
  if (!stream) return stream.error();
  size_t launch = 0;
  for (const Step& step : m_request->steps) {
    const auto* launched = std::get_if<LaunchStep>(&step);
    if (launched == nullptr) continue;
    for (size_t i = 0; i < launched->arguments.size(); ++i) {
      const auto* given = std::get_if<TextureArgument>(&launched->arguments[i]);
      if (given == nullptr) continue;
      const std::string what = fmt::format("Argument {} of {}", i, launched->entry);
      if (given->spec.bytes() > m_request->buffers[given->buffer].bytes)
        return bad_input(what + ": its texels need more bytes than the buffer has.");
      if (Result<void> filled = put_back(given->buffer, stream->get()); !filled) return filled;
      Result<Texture> texture =
          make_texture(m_context, given->spec, address({given->buffer, 0}), stream->get(), what);
      if (!texture) return texture.error();
      m_textures.emplace(std::pair(launch, i), std::move(*texture));
    }
    ++launch;
  }
  const CUresult r = m_driver.cuStreamSynchronize(stream->get());
  if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Filling the textures");
  return {};
}

bool LiveProgram::fits(const LaunchRequest& request) const {
  const LaunchRequest& own = *m_request;
  const bool same_code =
      request.module == own.module || (request.module && request.module->ptx == own.module->ptx);
  return same_code && request.max_registers == own.max_registers &&
         std::ranges::equal(request.buffers, own.buffers, same_array) &&
         std::ranges::equal(request.steps, own.steps, same_kind) && request.textures.empty();
}

CUdeviceptr LiveProgram::address(const BufferArgument& argument) const {
  const CUdeviceptr start = argument.buffer == m_output ? m_target : m_arrays[argument.buffer].memory.get();
  return start + argument.offset;
}

// Restores the contents of before the first step: the initial ones, or zeros.
Result<void> LiveProgram::put_back(uint32_t buffer, CUstream stream) const {
  const BufferSpec& spec = m_request->buffers[buffer];
  if (spec.bytes == 0) return {};
  const CUdeviceptr to = address({buffer, 0});
  const Owned<CUdeviceptr>& initial = m_arrays[buffer].initial;
  const CUresult r = initial ? m_driver.cuMemcpyDtoDAsync(to, initial.get(), spec.bytes, stream)
                             : m_driver.cuMemsetD8Async(to, 0, spec.bytes, stream);
  if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Putting back what " + spec.name + " starts with");
  return {};
}

Result<void> LiveProgram::set_globals(const LaunchRequest& request, CUstream stream) {
  const auto same = [](const GlobalInit& a, const GlobalInit& b) {
    return a.symbol == b.symbol && a.bytes == b.bytes;
  };
  if (std::ranges::equal(request.globals, m_globals, same)) return {};
  // Frames in progress still read the old values.
  CUresult r = m_driver.cuStreamSynchronize(stream);
  if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Waiting for the GPU");
  for (const GlobalInit& global : request.globals) {
    CUdeviceptr place = 0;
    size_t bytes = 0;
    r = m_driver.cuModuleGetGlobal(&place, &bytes, m_module.handle.get(), global.symbol.c_str());
    if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Looking for the variable " + global.symbol);
    if (global.bytes.size() > bytes)
      return bad_input(fmt::format("The variable {} has {} bytes; {} were given.", global.symbol, bytes,
                                   global.bytes.size()));
    r = m_driver.cuMemcpyHtoD(place, global.bytes.data(), global.bytes.size());
    if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Setting the variable " + global.symbol);
    if (m_globals.empty()) continue;  // the first time belongs to getting ready
    ++m_traffic.copies;
    m_traffic.bytes += global.bytes.size();
  }
  m_globals = request.globals;
  return {};
}

Result<Bytes> LiveProgram::argument(const LaunchStep& step, size_t launch, size_t index) const {
  const Argument& given = step.arguments[index];
  if (const auto* scalar = std::get_if<ScalarArgument>(&given)) return bytes_of_value(scalar->bits);
  if (const auto* buffer = std::get_if<BufferArgument>(&given)) return bytes_of_value(address(*buffer));
  if (std::holds_alternative<TextureArgument>(given))
    return bytes_of_value(m_textures.at({launch, index}).handle());
  const auto& structure = std::get<StructArgument>(given);
  Bytes bytes = structure.bytes;
  for (const StructArgument::Pointer& pointer : structure.pointers) {
    const CUdeviceptr place = address(pointer.to);
    if (pointer.at > bytes.size() || bytes.size() - pointer.at < sizeof place)
      return bad_input(fmt::format("Argument {} of {}: a pointer in it does not fit.", index, step.entry));
    std::memcpy(bytes.data() + pointer.at, &place, sizeof place);
  }
  return bytes;
}

Result<void> LiveProgram::launch(const LaunchStep& step, size_t index, CUstream stream) {
  std::vector<Bytes> storage;
  storage.reserve(step.arguments.size());
  for (size_t i = 0; i < step.arguments.size(); ++i) {
    Result<Bytes> bytes = argument(step, index, i);
    if (!bytes) return bytes.error();
    storage.push_back(std::move(*bytes));
  }
  std::vector<void*> pointers;
  pointers.reserve(storage.size());
  for (Bytes& bytes : storage) pointers.push_back(bytes.data());
  const CUfunction function = m_functions.at(step.entry).handle;
  const Dim3 g = step.grid, b = step.block;
  const CUresult r =
      step.cooperative
          ? m_driver.cuLaunchCooperativeKernel(function, g.x, g.y, g.z, b.x, b.y, b.z,
                                               step.shared_dynamic_bytes, stream, pointers.data())
          : m_driver.cuLaunchKernel(function, g.x, g.y, g.z, b.x, b.y, b.z, step.shared_dynamic_bytes, stream,
                                    pointers.data(), nullptr);
  if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Launching " + step.entry);
  return {};
}

Result<void> LiveProgram::run(const LaunchRequest& request, CUdeviceptr target, CUstream stream,
                              CUevent begin, CUevent end) {
  m_target = target;
  if (Result<void> set = set_globals(request, stream); !set) return set;
  size_t launched = 0;
  const std::vector<Step> steps = all_steps(request);
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    Result<void> done;
    if (const auto* s = std::get_if<CopyInStep>(&step)) {
      done = put_back(s->buffer, stream);
    } else if (const auto* a = std::get_if<AllocateStep>(&step)) {
      const auto* next = i + 1 < steps.size() ? std::get_if<CopyInStep>(&steps[i + 1]) : nullptr;
      if (next == nullptr || next->buffer != a->buffer) done = put_back(a->buffer, stream);
    } else if (const auto* l = std::get_if<LaunchStep>(&step)) {
      if (launched == 0) {
        const CUresult r = m_driver.cuEventRecord(begin, stream);
        if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Recording an event");
      }
      done = launch(*l, launched++, stream);
    }
    if (!done) return done;
  }
  const CUresult r = m_driver.cuEventRecord(end, stream);
  if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Recording an event");
  return {};
}

}  // namespace warplens::cuda
