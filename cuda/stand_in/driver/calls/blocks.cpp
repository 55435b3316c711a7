#include "cuda/stand_in/driver/calls/blocks.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>
#include <thread>

#include "core/base/figures.h"
#include "core/gpu/timing/time_model.h"
#include "core/recording/chunks.h"
#include "cuda/stand_in/driver/calls/capture.h"
#include "cuda/stand_in/driver/calls/host_address.h"
#include "cuda/stand_in/driver/calls/written.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/driver/state/managed_pages.h"
#include "cuda/stand_in/driver/state/order.h"
#include "cuda/stand_in/driver/state/own_stream.h"

namespace warplens::driver {

namespace {

Block* remember(Gpu& device, Context& context, Block block, exec::Allocation* allocation) {
  block.context = &context;
  block.on = context.on;
  block.number = ++device.numbers;
  block.allocation = allocation;
  block.place = host_place();
  if (block.kind == Block::Kind::device) follow(device, block);
  if (device.unread) device.unread->went_on = true;
  // The host writes to pinned memory without a call, so all of that counts as written. Pages of managed
  // memory are watched (state/managed_pages.h).
  if (device.sanitizer && block.kind == Block::Kind::device) device.sanitizer->allocate_buffer(*allocation);
  return &device.blocks.emplace(allocation->begin, block).first->second;
}

std::string name_of(const Gpu& device, const char* kind) {
  return fmt::format("{} {}", kind, device.numbers + 1);
}

// Whether memory that is mapped side by side reaches from an allocation to the end.
bool goes_on(Gpu& device, const exec::Allocation& first, uint64_t end) {
  const Block* block = device.block_of(first.begin);
  if (block == nullptr || block->kind != Block::Kind::mapped) return false;
  const exec::Allocation* last = &first;
  while (last->end < end) {
    const exec::Allocation* next = device.memory.find(last->end);
    if (next == nullptr || next->host != last->at(last->end)) return false;
    last = next;
  }
  return true;
}

}  // namespace

bool has_room(const DeviceState& on, uint64_t bytes) {
  return bytes <= on.total_bytes() && on.used_bytes <= on.total_bytes() - bytes;
}

CUresult no_memory(Gpu& device, const DeviceState& on, uint64_t bytes) {
  return device.refuse(
      CUDA_ERROR_OUT_OF_MEMORY,
      fmt::format("There is no room for {}: {} of the {} of the {} are in use.", byte_size_text(bytes),
                  byte_size_text(on.used_bytes), byte_size_text(on.total_bytes()), on.spec.name));
}

Block* allocate_device(Gpu& device, Context& context, uint64_t bytes) {
  if (!has_room(*context.on, bytes)) return nullptr;
  exec::Allocation* made = device.memory.allocate(bytes, name_of(device, "array"));
  if (made == nullptr) return nullptr;
  context.on->used_bytes += bytes;
  device.journal.allocate(made->begin, bytes, "device", host_place(), context.on->ordinal);
  return remember(device, context, {.kind = Block::Kind::device, .bytes = bytes}, made);
}

Block* allocate_pinned(Gpu& device, Context& context, uint64_t bytes, unsigned flags) {
  if (bytes > SIZE_MAX / 2) return nullptr;
  void* host = std::aligned_alloc(4096, (bytes + 64 + 4095) / 4096 * 4096);
  if (host == nullptr) return nullptr;
  const auto address = reinterpret_cast<uintptr_t>(host);
  exec::Allocation* made =
      device.memory.adopt(address, static_cast<std::byte*>(host), bytes, name_of(device, "pinned memory"));
  if (made == nullptr) {
    std::free(host);
    return nullptr;
  }
  device.journal.allocate(address, bytes, "pinned", host_place());
  return remember(device, context,
                  {.kind = Block::Kind::pinned, .bytes = bytes, .flags = flags, .host = host}, made);
}

Block* allocate_managed(Gpu& device, Context& context, uint64_t bytes, unsigned flags) {
  if (!has_room(*context.on, bytes)) return nullptr;
  void* host = map_managed(bytes);
  if (host == nullptr) return nullptr;
  const auto address = reinterpret_cast<uintptr_t>(host);
  exec::Allocation* made =
      device.memory.adopt(address, static_cast<std::byte*>(host), bytes, name_of(device, "managed memory"));
  if (made == nullptr) {
    munmap(host, bytes);
    return nullptr;
  }
  context.on->used_bytes += bytes;
  device.journal.allocate(address, bytes, "managed", host_place());
  Block* block = remember(device, context,
                          {.kind = Block::Kind::managed, .bytes = bytes, .flags = flags, .host = host}, made);
  watch_pages(device, *block);
  return block;
}

std::string words_for(Gpu& device, uint64_t address) {
  for (auto freed = device.freed.rbegin(); freed != device.freed.rend(); ++freed) {
    if (address < freed->begin || address >= freed->end) continue;
    return fmt::format("0x{:x}, in array {} of {} that was freed", address, freed->number,
                       byte_size_text(freed->end - freed->begin));
  }
  if (address == 0) return "a null pointer";
  const auto host = host_address(device, address);
  return fmt::format("0x{:x}, which is {}", address, host ? host->what : "in no allocation of the device");
}

std::byte* range_or_why(Gpu& device, uint64_t address, uint64_t bytes, const char* call, std::string& why) {
  const exec::Allocation* allocation = device.memory.find(address);
  if (allocation == nullptr) {
    if (bytes == 0) return nullptr;
    const auto host = host_address(device, address);
    why = fmt::format("{} of {} at {}{}", call, byte_size_text(bytes), words_for(device, address),
                      host ? ". " + host->advice : ": pass the address of memory that is allocated.");
    return nullptr;
  }
  if (bytes > allocation->end - address && !goes_on(device, *allocation, address + bytes)) {
    why = fmt::format("{} of {} at byte {} of {}, which has {}: it ends {} too late.", call,
                      byte_size_text(bytes), thousands(address - allocation->begin), allocation->name,
                      byte_size_text(allocation->end - allocation->begin),
                      byte_size_text(bytes - (allocation->end - address)));
    return nullptr;
  }
  return allocation->at(address);
}

std::byte* range_at(Gpu& device, uint64_t address, uint64_t bytes, const char* call) {
  std::string why;
  std::byte* found = range_or_why(device, address, bytes, call, why);
  if (!why.empty()) device.refuse(CUDA_ERROR_INVALID_VALUE, why);
  return found;
}

CUresult may_write(Gpu& device, uint64_t address, uint64_t bytes, const char* call) {
  for (uint64_t at = address; at < address + bytes;) {
    const exec::Allocation* allocation = device.memory.find(at);
    if (allocation == nullptr) break;
    // Constants are only for reading by kernels.
    const Block* block = device.block_of(at);
    if (allocation->read_only && block != nullptr && block->kind == Block::Kind::mapped)
      return device.refuse(
          CUDA_ERROR_INVALID_VALUE,
          fmt::format("{} {}, which cuMemSetAccess gave for reading.", call, allocation->name));
    at = allocation->end;
  }
  return CUDA_SUCCESS;
}

void note_written(Gpu& device, uint64_t address, uint64_t bytes, bool set) {
  if (!device.sanitizer && !device.journal.writes()) return;
  while (bytes != 0) {
    const exec::Allocation* allocation = device.memory.find(address);
    if (allocation == nullptr) return;
    const uint64_t part = std::min(bytes, allocation->end - address);
    if (device.sanitizer) device.sanitizer->copy_to(*allocation, address - allocation->begin, part);
    if (Block* block = device.block_of(address)) note_host_write(*block, address, part, set);
    address += part;
    bytes -= part;
  }
}

Stream* legacy_stream(Gpu& device, Context& context) {
  if (context.on->ordinal == 0) return nullptr;
  Stream& made = device.legacy_streams[&context];
  if (made.context == nullptr) {
    made = {.context = &context, .id = ++device.numbers, .legacy = true, .line = context.on->default_line};
    device.journal.stream(made.id, context.on->ordinal, true);
  }
  return &made;
}

namespace {

Stream* find_stream(Gpu& device, Context& context, CUstream handle, CUresult& error) {
  if (handle == nullptr) handle = zero_is_own_stream ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
  if (handle == CU_STREAM_LEGACY) return legacy_stream(device, context);
  if (handle == CU_STREAM_PER_THREAD) {
    Stream& own = device.own_streams[{&context, std::this_thread::get_id()}];
    if (own.context == nullptr) {
      own = {.context = &context, .id = ++device.numbers};
      order_stream(device, own);
    }
    return &own;
  }
  Stream* stream = device.streams.find(handle);
  if (stream == nullptr)
    error = device.refuse(CUDA_ERROR_INVALID_HANDLE, "This is no stream, or one that was destroyed.");
  return stream;
}

}  // namespace

Stream* stream_of(Gpu& device, Context& context, CUstream handle, CUresult& error, Waits waits) {
  error = CUDA_SUCCESS;
  Stream* stream = find_stream(device, context, handle, error);
  if (!device.graphs.captures.empty() && error == CUDA_SUCCESS) [[unlikely]]
    error = use_beside_captures(device, context, stream, waits);
  return stream;
}

// To know a copy of the same bytes again, their name is in the journal. It costs as much as five copies, so
// that a program that copies on and on gets it for its first ones.
constexpr uint64_t most_compared = uint64_t{256} << 20;

static uint64_t content_of(Gpu& device, const std::byte* content, uint64_t bytes) {
  if (content == nullptr || !device.journal.writes() || device.compared_bytes >= most_compared) return 0;
  device.compared_bytes += bytes;
  return std::max<uint64_t>(1, recording::name_of({content, bytes}).low);
}

namespace {

// The devices of a copy from one to another; it goes over the slower one's bus.
struct Between {
  DeviceState &from, &to;
  const Device& slower() const {
    const auto rate = [](const DeviceState& on) { return on.spec.pcie_gb_s.value_or(0); };
    return rate(from) < rate(to) ? from.spec : to.spec;
  }
};

Between between(Gpu& device, uint64_t from, uint64_t to) {
  return {*device.block_of(from)->on, *device.block_of(to)->on};
}

}  // namespace

static Interval run_copy(Gpu& device, Stream* stream, recording::Direction direction, double us,
                         Engine engine, uint64_t to, uint64_t from) {
  Clock& clock = device.device_of(stream).clock;
  if (direction != recording::Direction::between_devices) return clock.run(stream, us, engine);
  const Between devices = between(device, from, to);
  return clock.run_between(stream, us, devices.from.clock, devices.to.clock);
}

recording::Direction direction_between(Gpu& device, uint64_t to, uint64_t from) {
  if (!device.has_several_devices()) return recording::Direction::on_device;
  const Block *target = device.block_of(to), *source = device.block_of(from);
  const auto is_managed = [](const Block& block) { return block.kind == Block::Kind::managed; };
  const bool crosses = target != nullptr && source != nullptr && target->on != source->on &&
                       !is_managed(*target) && !is_managed(*source);
  return crosses ? recording::Direction::between_devices : recording::Direction::on_device;
}

void note_copy(Gpu& device, Stream* stream, recording::Direction direction, uint64_t bytes, uint64_t address,
               bool waits, const std::byte* content, uint64_t from) {
  const DeviceState& on = device.device_of(stream);
  std::optional<double> us;
  Engine engine = Engine::kernels;
  if (direction == recording::Direction::on_device || direction == recording::Direction::memset) {
    // A copy reads and writes, a memset writes.
    const uint64_t moved = direction == recording::Direction::on_device ? 2 * bytes : bytes;
    if (const auto band = inside_time(on.spec, moved, default_time_parameters())) us = band->value;
  } else if (direction == recording::Direction::between_devices) {
    const Device& slower = between(device, from, address).slower();
    if (const auto band = copy_time(slower, bytes, default_time_parameters())) us = band->value;
  } else if (direction != recording::Direction::on_host) {
    if (const auto band = copy_time(on.spec, bytes, default_time_parameters())) us = band->value;
    engine = direction == recording::Direction::to_device ? Engine::to_device : Engine::from_device;
  }
  const bool crosses =
      direction == recording::Direction::to_device || direction == recording::Direction::from_device;
  if (device.unread) device.unread->went_on = true;
  const Interval when = run_copy(device, stream, direction, us.value_or(0), engine, address, from);
  if (waits) device.device_of(stream).clock.meet(when.end_us);
  device.journal.copy({.direction = direction,
                       .bytes = bytes,
                       .device_address = address,
                       .stream = number_of(stream),
                       .begin_us = when.begin_us,
                       .device_us = us,
                       .at_us = recording::now_us(),
                       .content = crosses ? content_of(device, content, bytes) : 0,
                       .waits = waits,
                       .place = host_place()});
}

}  // namespace warplens::driver
