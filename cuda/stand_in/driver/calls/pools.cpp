// Memory in the order of a stream, and its pools.
#include <algorithm>
#include <cstring>

#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/capture.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/peers.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/driver/state/order.h"

using namespace warplens::driver;

namespace {

// Null if it is no device.
DeviceState* device_at(const Gpu& device, const CUmemLocation& place) {
  return place.type == CU_MEM_LOCATION_TYPE_DEVICE ? device.device_of(place.id) : nullptr;
}

CUresult capture_alloc(Gpu& device, Stream& stream, size_t bytes, CUdeviceptr& made) {
  CUgraphNodeParams asked{};
  asked.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  asked.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  asked.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  asked.alloc.bytesize = bytes;
  const CUresult error = capture_made(device, stream, asked);
  made = asked.alloc.dptr;
  return error;
}

// In the order of the stream, on the pool's device.
CUresult allocate_from(Gpu& device, Context& context, Pool& pool, CUdeviceptr& made, size_t bytes,
                       CUstream stream_handle) {
  made = 0;
  if (bytes == 0) return CUDA_SUCCESS;
  CUresult error = CUDA_SUCCESS;
  Stream* stream = stream_of(device, context, stream_handle, error, Waits::gives_node);
  if (error != CUDA_SUCCESS) return error;
  if (is_captured(stream)) return capture_alloc(device, *stream, bytes, made);
  Context* owner = pool.on == context.on                                 ? &context
                   : stream != nullptr && stream->context->on == pool.on ? stream->context
                                                                         : pool.on->primary;
  if (owner == nullptr || !owner->alive.load()) return CUDA_ERROR_INVALID_CONTEXT;
  Block* block = allocate_device(device, *owner, bytes);
  if (block == nullptr) return no_memory(device, *pool.on, bytes);
  touch(device, begin_operation(device, stream, warplens::streams::Operation::Kind::set, "cudaMallocAsync"),
        block->allocation->begin, bytes, warplens::streams::Access::write);
  block->pool = &pool;
  pool.used += bytes;
  pool.used_high = std::max(pool.used_high, pool.used);
  made = block->allocation->begin;
  return CUDA_SUCCESS;
}

CUresult give_pool(CUmemoryPool* pool, CUdevice ordinal, Pool* DeviceState::*which) {
  return with_gpu([&](Gpu& device) -> CUresult {
    const DeviceState* on = device.device_of(ordinal);
    if (on == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *pool = reinterpret_cast<CUmemoryPool>(on->*which);
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* made, size_t bytes, CUmemoryPool handle,
                                 CUstream stream_handle) {
  if (made == nullptr) return invalid_argument();
  const HostCall here;
  return with_context(Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    Pool* pool = device.pools.find(handle);
    return pool == nullptr ? CUDA_ERROR_INVALID_VALUE
                           : allocate_from(device, context, *pool, *made, bytes, stream_handle);
  });
}

// From the pool of the stream's device.
CUresult cuMemAllocAsync(CUdeviceptr* made, size_t bytes, CUstream stream_handle) {
  if (made == nullptr) return invalid_argument();
  const HostCall here;
  return with_context(Waits::gives_work, [&](Gpu& device, Context& context) {
    const Stream* stream = device.streams.find(stream_handle);
    Pool& pool = *(stream == nullptr ? context.on : stream->context->on)->current_pool;
    return allocate_from(device, context, pool, *made, bytes, stream_handle);
  });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice ordinal) {
  return give_pool(pool, ordinal, &DeviceState::default_pool);
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice ordinal) {
  return give_pool(pool, ordinal, &DeviceState::current_pool);
}
CUresult cuDeviceSetMemPool(CUdevice ordinal, CUmemoryPool handle) {
  return with_gpu([&](Gpu& device) -> CUresult {
    DeviceState* on = device.device_of(ordinal);
    Pool* pool = device.pools.find(handle);
    if (on == nullptr || pool == nullptr || pool->on != on) return CUDA_ERROR_INVALID_VALUE;
    on->current_pool = pool;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemPoolCreate(CUmemoryPool* made, const CUmemPoolProps* properties) {
  if (made == nullptr || properties == nullptr) return invalid_value();
  return with_gpu([&](Gpu& device) -> CUresult {
    if (properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
    if (properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE) return CUDA_ERROR_NOT_SUPPORTED;
    DeviceState* on = device_at(device, properties->location);
    if (on == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *made = reinterpret_cast<CUmemoryPool>(device.pools.add(std::make_unique<Pool>(Pool{.on = on})));
    return CUDA_SUCCESS;
  });
}
CUresult cuMemPoolDestroy(CUmemoryPool handle) {
  perform_all_deferred();
  return with_gpu([&](Gpu& device) -> CUresult {
    Pool* pool = device.pools.find(handle);
    if (pool == nullptr || pool == pool->on->default_pool) return CUDA_ERROR_INVALID_VALUE;
    if (pool->on->current_pool == pool) pool->on->current_pool = pool->on->default_pool;
    device.pools.take(handle);
    return CUDA_SUCCESS;
  });
}
CUresult cuMemPoolTrimTo(CUmemoryPool handle, size_t) {
  return with_gpu([&](Gpu& device) -> CUresult {
    return device.pools.find(handle) == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}
CUresult cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute which, void* value) {
  return with_gpu([&](Gpu& device) -> CUresult {
    Pool* pool = device.pools.find(handle);
    if (pool == nullptr || value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    uint64_t asked = 0;
    switch (which) {
      case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
      case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
      case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        pool->reuse[which - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] =
            *static_cast<const int*>(value) != 0 ? 1 : 0;
        return CUDA_SUCCESS;
      case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        std::memcpy(&pool->release_threshold, value, 8);
        return CUDA_SUCCESS;
      case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        // A mark may only be taken back.
        std::memcpy(&asked, value, 8);
        if (asked != 0) return CUDA_ERROR_INVALID_VALUE;
        pool->used_high = pool->used;
        return CUDA_SUCCESS;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}
CUresult cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute which, void* value) {
  return with_gpu([&](Gpu& device) -> CUresult {
    const Pool* pool = device.pools.find(handle);
    if (pool == nullptr || value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto put = [&](uint64_t of) { std::memcpy(value, &of, 8); };
    switch (which) {
      case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
      case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
      case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        *static_cast<int*>(value) = pool->reuse[which - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
        return CUDA_SUCCESS;
      case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        put(pool->release_threshold);
        return CUDA_SUCCESS;
      case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
      case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        put(pool->used);
        return CUDA_SUCCESS;
      case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        put(pool->used_high);
        return CUDA_SUCCESS;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}
CUresult cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc* rows, size_t count) {
  return with_gpu([&](Gpu& device) -> CUresult {
    Pool* pool = device.pools.find(handle);
    if (pool == nullptr || (rows == nullptr && count != 0)) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; ++i) {
      const DeviceState* on = device_at(device, rows[i].location);
      if (on == nullptr)
        return rows[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE ? CUDA_ERROR_INVALID_DEVICE
                                                                    : CUDA_ERROR_INVALID_VALUE;
      // The device that a pool is on always has all access to it.
      const bool all = rows[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
      const bool none = rows[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE && on != pool->on;
      if (!all && !none) return CUDA_ERROR_INVALID_VALUE;
      if (on != pool->on && !are_peers(*on, *pool->on)) return CUDA_ERROR_INVALID_DEVICE;
      pool->used_by = all ? pool->used_by | bit_of(*on) : pool->used_by & ~bit_of(*on);
    }
    return CUDA_SUCCESS;
  });
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool handle, CUmemLocation* place) {
  return with_gpu([&](Gpu& device) -> CUresult {
    const Pool* pool = device.pools.find(handle);
    const DeviceState* on = place == nullptr ? nullptr : device_at(device, *place);
    if (flags == nullptr || pool == nullptr || on == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = on == pool->on || (pool->used_by & bit_of(*on)) != 0 ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                                                  : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
