#include "cuda/stand_in/driver/calls/graph_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/teardown.h"
#include "cuda/stand_in/driver/state/host_place.h"

namespace warplens::driver {

namespace {

size_t allocations_of(const Graph& graph, uint64_t address) {
  return static_cast<size_t>(std::ranges::count_if(graph.nodes, [&](const auto& node) {
    const auto* alloc = std::get_if<AllocNode>(&node->work);
    return alloc != nullptr && alloc->asked.dptr == address;
  }));
}
size_t frees_of(const Graph& graph, uint64_t address) {
  return static_cast<size_t>(std::ranges::count_if(graph.nodes, [&](const auto& node) {
    const auto* free = std::get_if<FreeNode>(&node->work);
    return free != nullptr && free->address == address;
  }));
}

// Whether all that the graph did with the address so far is over before these nodes.
bool is_free_before(const Graph& graph, uint64_t address, std::span<GraphNode* const> after) {
  if (allocations_of(graph, address) != frees_of(graph, address)) return false;
  return std::ranges::all_of(graph.nodes, [&](const auto& node) {
    const auto* free = std::get_if<FreeNode>(&node->work);
    return free == nullptr || free->address != address || comes_before(*node, after);
  });
}

bool is_of_a_graph(Gpu& device, uint64_t address) {
  return std::ranges::any_of(device.graphs.all,
                             [&](const auto& row) { return allocations_of(*row.second, address) != 0; });
}

}  // namespace

uint64_t address_for(Gpu& device, const Graph& graph, std::span<GraphNode* const> after, uint64_t bytes) {
  for (const auto& node : graph.nodes) {
    const auto* alloc = std::get_if<AllocNode>(&node->work);
    if (alloc != nullptr && alloc->asked.bytesize == bytes && is_free_before(graph, alloc->asked.dptr, after))
      return alloc->asked.dptr;
  }
  return device.memory.reserve(bytes);
}

CUresult may_free(Gpu& device, const Graph& graph, uint64_t address) {
  const size_t here = allocations_of(graph, address);
  const bool is_twice = frees_of(graph, address) >= std::max<size_t>(here, 1);
  if (!is_twice && (here != 0 || is_of_a_graph(device, address))) return CUDA_SUCCESS;
  return device.refuse(CUDA_ERROR_INVALID_VALUE,
                       is_twice ? "A node frees what another node of the graph frees."
                                : "A node frees " + words_for(device, address) +
                                      ": pass the address that an allocation node gave.");
}

CUresult run_alloc(Gpu& device, Context& context, const AllocNode& node) {
  DeviceState::GraphMemory& memory = context.on->graph_memory;
  const uint64_t bytes = node.asked.bytesize, address = node.asked.dptr;
  if (device.blocks.contains(address))
    return device.refuse(
        CUDA_ERROR_INVALID_VALUE,
        "A graph allocates memory that its last launch allocated and that was not freed: free it, or "
        "instantiate with CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH.");
  const uint64_t more = memory.used + bytes > memory.reserved ? memory.used + bytes - memory.reserved : 0;
  if (!has_room(*context.on, more)) return no_memory(device, *context.on, bytes);
  exec::Allocation* made =
      device.memory.allocate_at(address, bytes, fmt::format("array {} of a graph", device.numbers + 1));
  if (made == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  device.blocks.emplace(address, Block{.kind = Block::Kind::device,
                                       .context = &context,
                                       .on = context.on,
                                       .number = ++device.numbers,
                                       .bytes = bytes,
                                       .of_graph = true,
                                       .allocation = made,
                                       .place = host_place()});
  device.journal.allocate(address, bytes, "device", host_place(), context.on->ordinal);
  if (device.sanitizer) device.sanitizer->allocate_buffer(*made);
  context.on->used_bytes += more;
  memory.reserved += more;
  memory.used += bytes;
  memory.used_high = std::max(memory.used_high, memory.reserved);
  memory.reserved_high = std::max(memory.reserved_high, memory.reserved);
  return CUDA_SUCCESS;
}

CUresult run_free(Gpu& device, const FreeNode& node) {
  const auto at = device.blocks.find(node.address);
  if (at == device.blocks.end() || !at->second.of_graph)
    return device.refuse(
        CUDA_ERROR_INVALID_VALUE,
        "A graph frees memory that is not allocated: launch the graph that allocates it first.");
  release_block(device, node.address);
  return CUDA_SUCCESS;
}

void trim_graph_memory(DeviceState& on) {
  DeviceState::GraphMemory& memory = on.graph_memory;
  on.used_bytes -= memory.reserved - memory.used;
  memory.reserved = memory.used;
}

}  // namespace warplens::driver

using namespace warplens::driver;

namespace {

// f(uint64_t& figure, const uint64_t* now) → CUresult, with the figure that the attribute names; `now`: what
// a high mark goes back to, null for other figures.
template <class F>
CUresult with_figure(CUdevice ordinal, CUgraphMem_attribute which, void* value, F f) {
  return with_gpu([&](Gpu& device) -> CUresult {
    DeviceState* on = device.device_of(ordinal);
    if (on == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    DeviceState::GraphMemory& memory = on->graph_memory;
    switch (which) {
      // Freed memory stays with the graphs until it is trimmed (NVIDIA's sample graphMemoryFootprint).
      case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
        return f(memory.reserved, nullptr);
      case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
        return f(memory.used_high, &memory.reserved);
      case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
        return f(memory.reserved, nullptr);
      case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
        return f(memory.reserved_high, &memory.reserved);
    }
    return CUDA_ERROR_INVALID_VALUE;
  });
}

}  // namespace

extern "C" {

CUresult cuDeviceGraphMemTrim(CUdevice ordinal) {
  return with_gpu([&](Gpu& device) -> CUresult {
    DeviceState* on = device.device_of(ordinal);
    if (on == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    trim_graph_memory(*on);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice ordinal, CUgraphMem_attribute which, void* value) {
  return with_figure(ordinal, which, value, [&](uint64_t figure, const uint64_t*) {
    std::memcpy(value, &figure, sizeof figure);
    return CUDA_SUCCESS;
  });
}

// A high mark may only be taken back to what is so now.
CUresult cuDeviceSetGraphMemAttribute(CUdevice ordinal, CUgraphMem_attribute which, void* value) {
  return with_figure(ordinal, which, value, [&](uint64_t& figure, const uint64_t* now) {
    uint64_t asked = 0;
    std::memcpy(&asked, value, sizeof asked);
    if (now == nullptr || asked != 0) return CUDA_ERROR_INVALID_VALUE;
    figure = *now;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
