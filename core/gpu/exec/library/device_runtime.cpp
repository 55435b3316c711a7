// CUDA's runtime for kernels (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism"): a call adds work to
// its block's list, or answers from what is known. Nothing runs here, see core/gpu/exec/state/device_work.h.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>

#include "core/gpu/exec/library/call_values.h"
#include "core/gpu/exec/state/console.h"
#include "core/gpu/exec/state/device_work.h"
#include "core/gpu/exec/state/passed_faults.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/watch.h"
#include "core/program/layout.h"

namespace warplens::exec {

namespace {

using program::DeviceCall;

// The streams that a kernel has without creating them, as values of cudaStream_t.
enum : uint64_t { null_stream = 0, legacy_stream = 1, own_stream = 2, tail_stream = 3, forget_stream = 4 };
// cudaLimit.
enum : uint32_t { limit_stack = 0, limit_printf = 1, limit_heap = 2, limit_pending = 4 };
constexpr uint32_t non_blocking = 1;    // cudaStreamNonBlocking
constexpr uint32_t without_timing = 2;  // cudaEventDisableTiming
constexpr uint32_t default_direction = 4, on_device_direction = 3;
constexpr uint32_t stack_bytes = 1024;
constexpr int32_t version_of_runtime = 6000;  // as on an H200 with CUDA 13.0
constexpr uint64_t most_parameters = 32764;

// One call of one lane.
struct Call {
  const Op* op;
  Warp& warp;
  uint32_t lane;

  uint64_t value(size_t index) const { return argument(op, warp, index, lane); }
  uint32_t word(size_t index, uint32_t word = 0) const { return argument_word(op, warp, index, word, lane); }
  uint64_t wide(size_t index, uint32_t word64) const {
    return word(index, 2 * word64) | uint64_t{word(index, 2 * word64 + 1)} << 32;
  }
  Dim3 extent(size_t index) const { return {word(index, 0), word(index, 1), word(index, 2)}; }
  uint32_t thread() const { return warp.index * warp_lanes + lane; }
  DeviceWorks& works() const { return *warp.block->works; }
  DeviceRuntime* runtime() const { return warp.block->runtime; }
  Memory& memory() const { return *warp.block->memory; }
  void result(uint64_t bits) const { set_result(op, warp, lane, bits); }
};

// Faults as an access of the kernel's own would. Whether the launch goes on without it.
bool bad_address(const Call& call, FaultKind kind, uint64_t address, uint64_t bytes, AccessKind access) {
  raise(call.warp, {.kind = kind,
                    .op = call.op,
                    .lane = call.lane,
                    .address = address,
                    .bytes = static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX)),
                    .access = access,
                    .detail = {}});
  return pass_fault(call.warp);
}

bool store_local(const Call& call, uint64_t at, std::span<const std::byte> bytes) {
  Warp& warp = call.warp;
  const BlockContext& block = *warp.block;
  std::memcpy(warp.local + uint64_t{call.lane} * block.local_bytes + at, bytes.data(), bytes.size());
  for (uint64_t page = at / local_page_bytes; page <= (at + bytes.size() - 1) / local_page_bytes; ++page)
    warp.local_writers[page] |= 1u << call.lane;
  if (block.watch != nullptr) block.watch->initialise(warp, call.lane, Space::local, at, bytes.size());
  return true;
}

// Stores a result behind a pointer that the kernel gave. False if that is a fault.
bool store(const Call& call, uint64_t address, std::span<const std::byte> bytes) {
  const BlockContext& block = *call.warp.block;
  const auto fits = [&](uint64_t window, uint64_t size) {
    return address - window < size && bytes.size() <= size - (address - window);
  };
  if (fits(local_window, block.local_bytes)) return store_local(call, address - local_window, bytes);
  if (fits(shared_window, block.shared_bytes)) {
    std::memcpy(block.shared + (address - shared_window), bytes.data(), bytes.size());
    if (block.watch != nullptr)
      block.watch->initialise(call.warp, call.lane, Space::shared, address - shared_window, bytes.size());
    return true;
  }
  const Allocation* allocation = block.memory->find(address);
  if (allocation == nullptr || bytes.size() > allocation->end - address)
    return bad_address(call, FaultKind::out_of_bounds, address, bytes.size(), AccessKind::store);
  if (allocation->read_only)
    return bad_address(call, FaultKind::read_only, address, bytes.size(), AccessKind::store);
  std::memcpy(allocation->at(address), bytes.data(), bytes.size());
  allocation->note<true>(address, bytes.size());
  if (block.watch != nullptr)
    block.watch->initialise(call.warp, call.lane, Space::global, address, bytes.size());
  return true;
}

// The error is the call's result, and what cudaGetLastError gives.
bool end(const Call& call, DeviceError error) {
  if (error != DeviceError::none) call.works().errors[call.thread()] = error;
  call.result(static_cast<uint32_t>(error));
  return true;
}

template <class T>
bool give(const Call& call, size_t pointer, T value) {
  const uint64_t address = call.value(pointer);
  if (address == 0) return end(call, DeviceError::invalid_value);
  if (!store(call, address, std::as_bytes(std::span(&value, 1)))) return false;
  return end(call, DeviceError::none);
}

bool is_stream(const Call& call, uint64_t stream) {
  return stream <= forget_stream || call.works().handles.contains(stream);
}

// Whether no more launches can wait.
bool is_full(const DeviceRuntime* runtime) {
  return runtime != nullptr && runtime->pending >= runtime->pending_limit;
}

bool give_work(const Call& call, DeviceWork&& work, uint64_t stream) {
  if (!is_stream(call, stream)) return end(call, DeviceError::invalid_resource_handle);
  if (is_full(call.runtime())) return end(call, DeviceError::launch_pending_count_exceeded);
  if (call.runtime() != nullptr) ++call.runtime()->pending;
  work.tail = stream == tail_stream;
  call.works().given.push_back(std::move(work));
  return end(call, DeviceError::none);
}

// The index of the kernel with this address; empty: there is none.
std::optional<uint32_t> kernel_at(const Call& call, uint64_t address) {
  const ptx::Module& module = *call.warp.block->program->module;
  const auto function = program::module_function_at(module, address);
  if (!function || !module.functions[*function].is_entry || !module.functions[*function].has_body) return {};
  return static_cast<uint32_t>(*function);
}

// A kernel and its shape. An error if it cannot be launched like this.
DeviceError describe_kernel(const Call& call, uint64_t address, Dim3 grid, Dim3 block, uint32_t shared,
                            DeviceWork& kernel) {
  const auto function = kernel_at(call, address);
  if (!function) return DeviceError::invalid_device_function;
  kernel.function = *function;
  kernel.grid = grid;
  kernel.block = block;
  kernel.shared_bytes = shared;
  const uint64_t threads = uint64_t{block.x} * block.y;
  if (grid.count() == 0 || block.count() == 0 || threads > 1024 || threads * block.z > 1024)
    return DeviceError::invalid_configuration;
  return call.runtime() == nullptr ? DeviceError::none : call.runtime()->check(kernel);
}

// Null for the kernel, and the error for cudaGetLastError.
bool no_buffer(const Call& call, DeviceError error) {
  call.works().errors[call.thread()] = error;
  call.result(0);
  return true;
}

bool get_buffer(const Call& call, DeviceWork&& kernel, uint64_t bytes) {
  const uint64_t address =
      bytes > most_parameters ? 0 : call.memory().allocate_parameters(std::max<uint64_t>(bytes, 16));
  if (address == 0) return no_buffer(call, DeviceError::memory_allocation);
  call.works().prepared[address] = std::move(kernel);
  call.result(address);
  return true;
}

bool get_buffer_v2(const Call& call) {
  DeviceWork kernel;
  DeviceError error =
      describe_kernel(call, call.value(0), call.extent(1), call.extent(2), call.word(3), kernel);
  // The launch itself may be refused later; that no launch is possible shows here, as with NVIDIA's runtime.
  if (error == DeviceError::none && is_full(call.runtime()))
    error = DeviceError::launch_pending_count_exceeded;
  if (error != DeviceError::none) return no_buffer(call, error);
  const ptx::Function& function = call.warp.block->program->module->functions[kernel.function];
  return get_buffer(call, std::move(kernel), program::parameter_offsets(function).back());
}

bool launch_prepared(const Call& call, DeviceWork&& kernel, uint64_t buffer, uint64_t stream) {
  const ptx::Function& function = call.warp.block->program->module->functions[kernel.function];
  const uint64_t bytes = program::parameter_offsets(function).back();
  kernel.parameters.resize(static_cast<size_t>(bytes));
  if (bytes != 0) {
    const Allocation* allocation = call.memory().find(buffer);
    if (allocation == nullptr || bytes > allocation->end - buffer)
      return end(call, DeviceError::invalid_value);
    std::memcpy(kernel.parameters.data(), allocation->at(buffer), static_cast<size_t>(bytes));
  }
  return give_work(call, std::move(kernel), stream);
}

// A launch takes its buffer with it: the kernel asks for another one for the next.
bool launch_v2(const Call& call) {
  auto& prepared = call.works().prepared;
  const auto at = prepared.find(call.value(0));
  if (at == prepared.end()) return end(call, DeviceError::invalid_value);
  DeviceWork kernel = std::move(at->second);
  const uint64_t buffer = at->first;
  prepared.erase(at);
  return launch_prepared(call, std::move(kernel), buffer, call.value(1));
}

bool launch(const Call& call) {
  DeviceWork kernel;
  const DeviceError error =
      describe_kernel(call, call.value(0), call.extent(2), call.extent(3), call.word(4), kernel);
  if (error != DeviceError::none) return end(call, error);
  call.works().prepared.erase(call.value(1));
  return launch_prepared(call, std::move(kernel), call.value(1), call.value(5));
}

bool last_error(const Call& call, bool forget) {
  auto& errors = call.works().errors;
  const auto at = errors.find(call.thread());
  call.result(at == errors.end() ? 0 : static_cast<uint32_t>(at->second));
  if (forget && at != errors.end()) errors.erase(at);
  return true;
}

// A text is in memory once, and stays.
bool give_text(const Call& call, std::string_view text) {
  const std::string name = "the text " + std::string(text);
  const auto all = call.memory().allocations();
  const auto known = std::ranges::find(all, name, &Allocation::name);
  if (known != all.end()) {
    call.result((*known)->begin);
    return true;
  }
  Allocation* made = call.memory().allocate(text.size() + 1, name);
  if (made != nullptr) {
    std::memcpy(made->host, text.data(), text.size());
    made->read_only = true;
  }
  call.result(made == nullptr ? 0 : made->begin);
  return true;
}

bool make_handle(const Call& call, uint32_t needed_flags) {
  if (call.word(1) != needed_flags) return end(call, DeviceError::invalid_value);
  DeviceWorks& works = call.works();
  const uint64_t handle = works.next_handle++;
  works.handles.insert(handle);
  return give(call, 0, handle);
}

bool end_handle(const Call& call) {
  const bool was = call.works().handles.erase(call.value(0)) != 0;
  return end(call, was ? DeviceError::none : DeviceError::invalid_resource_handle);
}

// Work runs in the order in which a block gives it, so a wait for what was given before has nothing to add.
bool mark(const Call& call, uint64_t event, uint64_t stream) {
  const bool known = call.works().handles.contains(event) && is_stream(call, stream);
  return end(call, known ? DeviceError::none : DeviceError::invalid_resource_handle);
}

bool in_window(uint64_t address) {
  return address - shared_window < window_bytes || address - local_window < window_bytes;
}

// `count` steps of `step` bytes, off what is left of an allocation. False if there is not so much.
bool take(uint64_t& left, uint64_t count, uint64_t step) {
  if (count != 0 && step > left / count) return false;
  left -= count * step;
  return true;
}

enum class Side { inside, faulted, passed };

// Whether all bytes of a side of a copy are in one allocation. If not, it is a fault, without which the
// launch may go on.
Side check_side(const Call& call, const DeviceWork& work, bool is_to) {
  const uint64_t begin = is_to ? work.to : work.from;
  const AccessKind kind = is_to ? AccessKind::store : AccessKind::load;
  const Allocation* allocation = call.memory().find(begin);
  uint64_t left = allocation == nullptr ? 0 : allocation->end - begin;
  const bool fits = take(left, 1, work.width) &&
                    take(left, work.height - 1, is_to ? work.to_pitch : work.from_pitch) &&
                    take(left, work.depth - 1, is_to ? work.to_slice : work.from_slice);
  if (fits && !(is_to && allocation->read_only)) return Side::inside;
  // The first address that is outside.
  const uint64_t at = allocation == nullptr || fits ? begin : allocation->end;
  const FaultKind fault = fits ? FaultKind::read_only : FaultKind::out_of_bounds;
  return bad_address(call, fault, at, 1, kind) ? Side::passed : Side::faulted;
}

bool give_transfer(const Call& call, DeviceWork&& work, uint64_t stream) {
  if (work.width == 0 || work.height == 0 || work.depth == 0) return end(call, DeviceError::none);
  const bool copies = work.kind == DeviceWork::Kind::copy;
  const bool overlap =
      work.height > 1 && (work.to_pitch < work.width || (copies && work.from_pitch < work.width));
  if (overlap || in_window(work.to) || (copies && in_window(work.from)))
    return end(call, DeviceError::invalid_value);
  Side side = check_side(call, work, true);
  if (side == Side::inside && copies) side = check_side(call, work, false);
  if (side != Side::inside) return side == Side::passed && end(call, DeviceError::none);
  return give_work(call, std::move(work), stream);
}

bool copy(const Call& call, DeviceWork&& work, uint32_t direction, uint64_t stream) {
  work.kind = DeviceWork::Kind::copy;
  // The programming guide: only between places in device memory.
  if (direction != on_device_direction && direction != default_direction)
    return end(call, DeviceError::invalid_memcpy_direction);
  return give_transfer(call, std::move(work), stream);
}

// cudaMemcpy3DParms, as words of 64 bits: the array (0), position (1 to 3) and pitched pointer (4 to 7) of
// the source, the same of the destination (8, 9 to 11, 12 to 15), the extent (16 to 18), the direction (19).
bool copy_3d(const Call& call) {
  const std::span<const std::byte> bytes = bytes_at(call.warp, call.lane, call.value(0));
  uint64_t p[20] = {};
  if (bytes.size() < sizeof p)
    return bad_address(call, FaultKind::out_of_bounds, call.value(0), sizeof p, AccessKind::load) &&
           end(call, DeviceError::none);
  std::memcpy(p, bytes.data(), sizeof p);
  if (p[0] != 0 || p[8] != 0) return end(call, DeviceError::not_supported);  // arrays are for textures
  DeviceWork work{
      .to_pitch = p[13], .from_pitch = p[5], .to_slice = p[13] * p[15], .from_slice = p[5] * p[7]};
  work.from = p[4] + p[1] + p[2] * work.from_pitch + p[3] * work.from_slice;
  work.to = p[12] + p[9] + p[10] * work.to_pitch + p[11] * work.to_slice;
  work.width = p[16];
  work.height = p[17];
  work.depth = p[18];
  return copy(call, std::move(work), static_cast<uint32_t>(p[19]), call.value(1));
}

bool fill(const Call& call, DeviceWork&& work, uint32_t value, uint64_t stream) {
  work.kind = DeviceWork::Kind::fill;
  work.value = static_cast<std::byte>(value);
  return give_transfer(call, std::move(work), stream);
}

bool allocate(const Call& call) {
  const uint64_t bytes = call.value(1);
  const uint64_t address = bytes == 0 ? 0 : call.memory().allocate_from_kernel(bytes);
  if (address == 0 && bytes != 0) return end(call, DeviceError::memory_allocation);
  if (call.warp.block->notes != nullptr && address != 0)
    call.warp.block->notes->allocate(*call.op, call.warp, call.lane, address, bytes);
  return give(call, 0, address);
}

bool release(const Call& call) {
  const uint64_t address = call.value(0);
  if (call.memory().free_from_kernel(address) != FreeResult::done)
    return end(call, DeviceError::invalid_value);
  if (call.warp.block->notes != nullptr) call.warp.block->notes->release(address);
  return end(call, DeviceError::none);
}

bool limit(const Call& call) {
  switch (call.word(1)) {
    case limit_stack:
      return give(call, 0, uint64_t{stack_bytes});
    case limit_printf:
      return give(call, 0, uint64_t{console_bytes});
    case limit_heap:
      return give(call, 0, call.memory().kernel_heap_limit());
    case limit_pending:
      return give(call, 0,
                  uint64_t{call.runtime() == nullptr ? most_pending : call.runtime()->pending_limit});
    default:
      return end(call, DeviceError::invalid_value);
  }
}

bool attribute(const Call& call) {
  if (call.word(2) != 0) return end(call, DeviceError::invalid_device);
  const auto value = call.runtime() == nullptr
                         ? std::nullopt
                         : call.runtime()->attribute(static_cast<int32_t>(call.word(1)));
  return value ? give(call, 0, *value) : end(call, DeviceError::invalid_value);
}

bool kernel_facts(const Call& call) {
  const auto function = kernel_at(call, call.value(1));
  const auto facts = call.runtime() == nullptr || !function ? std::nullopt : call.runtime()->facts(*function);
  if (!facts || call.value(0) == 0) return end(call, DeviceError::invalid_value);
  // Without what only fills the structure up.
  constexpr size_t bytes = offsetof(KernelFacts, carveout) + sizeof facts->carveout;
  if (!store(call, call.value(0), std::as_bytes(std::span(&*facts, 1)).first(bytes))) return false;
  return end(call, DeviceError::none);
}

// Unlike the host's function it gives 0 with the error (an H200, CUDA 13.0).
bool active_blocks(const Call& call) {
  const auto function = kernel_at(call, call.value(1));
  const auto threads = static_cast<int32_t>(call.word(2));
  const auto blocks = call.runtime() == nullptr || !function || threads <= 0
                          ? std::nullopt
                          : call.runtime()->active_blocks(*function, call.word(2), call.value(3));
  if (blocks) return give(call, 0, *blocks);
  const int32_t none = 0;
  if (!store(call, call.value(0), std::as_bytes(std::span(&none, 1)))) return false;
  return end(call, DeviceError::invalid_value);
}

bool run(const Call& call, DeviceCall which) {
  switch (which) {
    case DeviceCall::GetParameterBuffer:
      return get_buffer(call, {}, call.value(1));
    case DeviceCall::GetParameterBufferV2:
      return get_buffer_v2(call);
    case DeviceCall::LaunchDevice:
      return launch(call);
    case DeviceCall::LaunchDeviceV2:
      return launch_v2(call);
    case DeviceCall::GetLastError:
      return last_error(call, true);
    case DeviceCall::PeekAtLastError:
      return last_error(call, false);
    case DeviceCall::GetErrorString:
      return give_text(call, description_of(static_cast<DeviceError>(call.word(0))));
    case DeviceCall::GetErrorName:
      return give_text(call, name_of(static_cast<DeviceError>(call.word(0))));
    case DeviceCall::StreamCreateWithFlags:
      return make_handle(call, non_blocking);
    case DeviceCall::EventCreateWithFlags:
      return make_handle(call, without_timing);
    case DeviceCall::StreamDestroy:
    case DeviceCall::EventDestroy:
      return end_handle(call);
    case DeviceCall::StreamWaitEvent:
      return mark(call, call.value(1), call.value(0));
    case DeviceCall::EventRecord:
    case DeviceCall::EventRecordWithFlags:
      return mark(call, call.value(0), call.value(1));
    case DeviceCall::MemcpyAsync:
      return copy(call, {.to = call.value(0), .from = call.value(1), .width = call.value(2)}, call.word(3),
                  call.value(4));
    case DeviceCall::Memcpy2DAsync:
      return copy(call,
                  {.to = call.value(0),
                   .from = call.value(2),
                   .width = call.value(4),
                   .height = call.value(5),
                   .to_pitch = call.value(1),
                   .from_pitch = call.value(3)},
                  call.word(6), call.value(7));
    case DeviceCall::Memcpy3DAsync:
      return copy_3d(call);
    case DeviceCall::MemsetAsync:
      return fill(call, {.to = call.value(0), .width = call.value(2)}, call.word(1), call.value(3));
    case DeviceCall::Memset2DAsync:
      return fill(
          call,
          {.to = call.value(0), .width = call.value(3), .height = call.value(4), .to_pitch = call.value(1)},
          call.word(2), call.value(5));
    case DeviceCall::Memset3DAsync:
      return fill(call,
                  {.to = call.wide(0, 0),
                   .width = call.wide(2, 0),
                   .height = call.wide(2, 1),
                   .depth = call.wide(2, 2),
                   .to_pitch = call.wide(0, 1),
                   .to_slice = call.wide(0, 1) * call.wide(0, 3)},
                  call.word(1), call.value(3));
    case DeviceCall::Malloc:
      return allocate(call);
    case DeviceCall::Free:
      return release(call);
    case DeviceCall::DeviceGetAttribute:
      return attribute(call);
    case DeviceCall::DeviceGetLimit:
      return limit(call);
    case DeviceCall::DeviceGetCacheConfig:  // no preference
    case DeviceCall::GetDevice:
      return give(call, 0, int32_t{0});
    case DeviceCall::DeviceGetSharedMemConfig:  // banks of four bytes
    case DeviceCall::GetDeviceCount:
      return give(call, 0, int32_t{1});
    case DeviceCall::FuncGetAttributes:
      return kernel_facts(call);
    case DeviceCall::OccupancyMaxActiveBlocksPerMultiprocessor:
    case DeviceCall::OccupancyMaxActiveBlocksPerMultiprocessorWithFlags:
      return active_blocks(call);
    case DeviceCall::RuntimeGetVersion:
      return give(call, 0, version_of_runtime);
  }
  return end(call, DeviceError::not_supported);
}

}  // namespace

const Op* run_device_call(const Op* op, Warp& warp) {
  const DeviceCall which = site_of(op, warp).device_call;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    if (!run({op, warp, static_cast<uint32_t>(std::countr_zero(rest))}, which)) return nullptr;
  }
  return op + 1;
}

}  // namespace warplens::exec
