#include "cuda/stand_in/driver/calls/teardown.h"

#include <sys/mman.h>

#include <cstdlib>

#include "cuda/stand_in/driver/calls/capture.h"
#include "cuda/stand_in/driver/calls/graph_memory.h"
#include "cuda/stand_in/driver/state/host_guards.h"
#include "cuda/stand_in/driver/state/managed_pages.h"
#include "cuda/stand_in/driver/state/order.h"

namespace warplens::driver {

namespace {

// So many freed blocks can be named in messages.
constexpr size_t most_freed = 4096;

}  // namespace

void release_block(Gpu& device, uint64_t address) {
  const auto at = device.blocks.find(address);
  if (at == device.blocks.end()) return;
  if (at->second.pages != nullptr) note_host_pages(device);
  const Block block = at->second;
  device.pages.watched.erase(address);
  device.blocks.erase(at);
  if (block.written != nullptr) block.written->stop(false);
  open_pages(address, address + block.bytes);
  if (block.touches != nullptr) device.waits.note_bytes_left += 3 * block.bytes;
  device.waits.accesses.forget({block.allocation->begin, block.allocation->begin + block.bytes});
  if (device.sanitizer) device.sanitizer->free_buffer(*block.allocation);
  device.memory.free(block.allocation);
  if (block.of_graph) {
    block.on->graph_memory.used -= block.bytes;  // it stays reserved
  } else if (block.kind == Block::Kind::device || block.kind == Block::Kind::managed) {
    block.on->used_bytes -= block.bytes;
  }
  if (block.kind == Block::Kind::pinned) std::free(block.host);
  if (block.kind == Block::Kind::managed) munmap(block.host, block.bytes);
  device.journal.release(address);
  if (block.kind == Block::Kind::module) return;
  if (device.freed.size() == most_freed)
    device.freed.erase(device.freed.begin(), device.freed.begin() + most_freed / 2);
  device.freed.push_back({address, address + block.bytes, block.number});
}

void unload(Gpu& device, Module& module) {
  for (const auto& [name, function] : module.functions) device.functions.erase(function.get());
  for (const auto& reference : module.references) {
    if (reference->handle != 0) device.memory.remove_texture(reference->handle);
  }
  for (const Module::Variable& variable : module.variables) release_block(device, variable.address);
  device.constants.erase(module.base.constant);
  module.pages.reset();
}

void tear_down(Gpu& device, Context& context) {
  end_captures_in(device, context);
  wait_for_device(device, *context.on);
  for (const auto& [handle, exec] : device.graphs.execs)
    std::erase_if(exec->streams, [&](const Stream* stream) { return stream->context == &context; });
  device.modules.for_each([&](Module& module) {
    if (module.context == &context) unload(device, module);
  });
  device.libraries.for_each([&](Library& library) { library.modules.erase(&context); });
  device.modules.erase_if([&](const Module& module) { return module.context == &context; });
  device.streams.erase_if([&](const Stream& stream) { return stream.context == &context; });
  std::erase_if(device.own_streams, [&](const auto& row) { return row.first.first == &context; });
  device.legacy_streams.erase(&context);
  device.events.erase_if([&](const Event& event) { return event.context == &context; });
  device.links.erase_if([&](const Link& link) { return link.context == &context; });
  device.arrays.erase_if([&](const Array& array) { return array.context == &context; });
  std::vector<uint64_t> addresses;
  for (const auto& [address, block] : device.blocks) {
    if (block.context == &context) addresses.push_back(address);
  }
  for (const uint64_t address : addresses) release_block(device, address);
  trim_graph_memory(*context.on);
  context.peers.clear();
  for (const auto& other : device.contexts) other->peers.erase(&context);
}

}  // namespace warplens::driver
