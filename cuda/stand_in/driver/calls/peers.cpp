// Access to the memory of other devices: what is possible, and what the program has enabled.
#include "cuda/stand_in/driver/calls/peers.h"

#include <fmt/format.h>

#include "cuda/stand_in/driver/calls/entry.h"

namespace warplens::driver {

bool are_peers(const DeviceState& one, const DeviceState& other) {
  return &one != &other && one.spec.compute_capability.major == other.spec.compute_capability.major;
}

bool may_use(Gpu& device, const Context& context, const Block& block) {
  switch (block.kind) {
    case Block::Kind::pinned:
    case Block::Kind::registered:
    case Block::Kind::managed:
      return true;
    case Block::Kind::mapped:
      return (block.mapped_for & bit_of(*context.on)) != 0;
    case Block::Kind::device:
    case Block::Kind::module:
      break;
  }
  if (block.on == context.on || block.for_all) return true;
  // Memory of a pool is shared by the pool's own call.
  if (block.pool == nullptr) return context.peers.contains(block.context);
  const Pool* pool = device.pools.find(block.pool);
  return pool != nullptr && (pool->used_by & bit_of(*context.on)) != 0;
}

std::string words_on_reach(const Context& context, const Block& block) {
  const int here = context.on->ordinal, there = block.on->ordinal;
  const std::string where =
      fmt::format(" It is on device {}, and the kernel runs on device {}: ", there, here);
  if (block.kind == Block::Kind::mapped)
    return where + fmt::format("give device {} access with cuMemSetAccess.", here);
  if (!are_peers(*context.on, *block.on))
    return where + "these two cannot use each other's memory, so copy it with cudaMemcpyPeer.";
  if (block.pool != nullptr)
    return where + fmt::format(
                       "give device {} access to its pool with cudaMemPoolSetAccess, or copy it with "
                       "cudaMemcpyPeer.",
                       here);
  return where + fmt::format(
                     "call cudaDeviceEnablePeerAccess({}, 0) while device {} is current, or copy it with "
                     "cudaMemcpyPeer.",
                     there, here);
}

// An allocation without bytes keeps its place, and no address is inside.
OutOfReach::OutOfReach(Gpu& device, const Context& context) {
  if (!device.has_several_devices()) return;
  for (const auto& [address, block] : device.blocks) {
    if (may_use(device, context, block)) continue;
    m_ends.emplace_back(block.allocation, block.allocation->end);
    block.allocation->end = block.allocation->begin;
  }
}

OutOfReach::~OutOfReach() {
  for (const auto& [allocation, end] : m_ends) allocation->end = end;
}

}  // namespace warplens::driver

using namespace warplens::driver;

extern "C" {

CUresult cuDeviceCanAccessPeer(int* can, CUdevice one, CUdevice other) {
  return with_gpu([&](Gpu& device) -> CUresult {
    if (can == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const DeviceState *from = device.device_of(one), *to = device.device_of(other);
    if (from == nullptr || to == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    *can = are_peers(*from, *to) ? 1 : 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute which, CUdevice one, CUdevice other) {
  return with_gpu([&](Gpu& device) -> CUresult {
    const DeviceState *from = device.device_of(one), *to = device.device_of(other);
    if (from == nullptr || to == nullptr || from == to) return CUDA_ERROR_INVALID_DEVICE;
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    switch (which) {
      case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
      case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
        *value = are_peers(*from, *to) ? 1 : 0;
        return CUDA_SUCCESS;
      case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:         // all links are alike
      case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:  // as over PCIe, by which copies are modelled
        *value = 0;
        return CUDA_SUCCESS;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    const Context* other = find_context(device, peer);
    if (other == nullptr || !other->alive.load() || other == &context) return CUDA_ERROR_INVALID_CONTEXT;
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (!are_peers(*context.on, *other->on))
      return device.refuse(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
                           fmt::format("Device {} cannot use the memory of device {}: ask "
                                       "cudaDeviceCanAccessPeer first, and copy where it says no.",
                                       context.on->ordinal, other->on->ordinal));
    return context.peers.insert(other).second ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  });
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  perform_all_deferred();
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    const Context* other = find_context(device, peer);
    if (other == nullptr || !other->alive.load()) return CUDA_ERROR_INVALID_CONTEXT;
    return context.peers.erase(other) != 0 ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  });
}

}  // extern "C"
