// Memory of the device, pinned and mapped memory of the host, managed memory, and memory in the order of a
// stream.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "driver/calls/blocks.h"
#include "driver/calls/entry.h"
#include "driver/calls/teardown.h"

using namespace warplens::driver;

namespace {

CUresult free_block(Gpu& device, CUdeviceptr address, const char* call, bool managed_too) {
  if (address == 0) return CUDA_SUCCESS;
  const auto at = device.blocks.find(address);
  const bool fits = at != device.blocks.end() && (at->second.kind == Block::Kind::device ||
                                                  (managed_too && at->second.kind == Block::Kind::managed));
  if (fits) {
    release_block(device, address);
    return CUDA_SUCCESS;
  }
  if (const Block* inside = device.block_of(address);
      inside != nullptr && address != inside->allocation->begin) {
    return device.refuse(CUDA_ERROR_INVALID_VALUE,
                         fmt::format("{} of an address inside {}: pass the address that the allocation gave.",
                                     call, inside->allocation->name));
  }
  const bool twice = std::any_of(device.freed.begin(), device.freed.end(),
                                 [&](const FreedBlock& freed) { return freed.begin == address; });
  return device.refuse(CUDA_ERROR_INVALID_VALUE, fmt::format("{} of {}{}.", call, words_for(device, address),
                                                             twice ? ": it is freed twice" : ""));
}

CUresult no_memory(Gpu& device, uint64_t bytes) {
  return device.refuse(CUDA_ERROR_OUT_OF_MEMORY,
                       fmt::format("There is no room for {} bytes: {} of the {} bytes of the {} are in use.",
                                   bytes, device.used_bytes, device.total_bytes(), device.device.name));
}

CUresult allocate(CUdeviceptr* made, size_t bytes) {
  if (made == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    const Block* block = allocate_device(device, context, bytes);
    if (block == nullptr) return no_memory(device, bytes);
    *made = block->allocation->begin;
    return CUDA_SUCCESS;
  });
}

CUresult allocate_host(void** made, size_t bytes, unsigned flags) {
  if (made == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    const Block* block = allocate_pinned(device, context, bytes, flags);
    if (block == nullptr) return no_memory(device, bytes);
    *made = block->host;
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total) {
  if (free_bytes == nullptr || total == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_context(Waits::no, [&](Gpu& device, Context&) {
    *total = device.total_bytes();
    *free_bytes = *total - std::min<uint64_t>(*total, device.used_bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAlloc_v2(CUdeviceptr* made, size_t bytes) { return allocate(made, bytes); }

CUresult cuMemAllocPitch_v2(CUdeviceptr* made, size_t* pitch, size_t width, size_t height, unsigned element) {
  if (pitch == nullptr || width == 0 || height == 0) return CUDA_ERROR_INVALID_VALUE;
  if (element != 4 && element != 8 && element != 16) return CUDA_ERROR_INVALID_VALUE;
  const size_t row = (width + 511) / 512 * 512;
  if (row < width || height > SIZE_MAX / row) return CUDA_ERROR_OUT_OF_MEMORY;
  *pitch = row;
  return allocate(made, row * height);
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  return with_any_context([&](Gpu& device) { return free_block(device, address, "cuMemFree", true); });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  return with_any_context([&](Gpu& device) -> CUresult {
    const Block* block = device.block_of(address);
    if (block == nullptr) return CUDA_ERROR_NOT_FOUND;
    if (base != nullptr) *base = block->allocation->begin;
    if (bytes != nullptr) *bytes = block->bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAllocHost_v2(void** made, size_t bytes) { return allocate_host(made, bytes, 0); }
CUresult cuMemHostAlloc(void** made, size_t bytes, unsigned flags) {
  return allocate_host(made, bytes, flags);
}

CUresult cuMemFreeHost(void* host) {
  return with_any_context([&](Gpu& device) -> CUresult {
    const auto at = device.blocks.find(reinterpret_cast<uintptr_t>(host));
    if (at == device.blocks.end() || at->second.kind != Block::Kind::pinned)
      return device.refuse(CUDA_ERROR_INVALID_VALUE, "cuMemFreeHost of what cuMemHostAlloc did not give.");
    release_block(device, at->first);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* host, unsigned flags) {
  if (address == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return with_any_context([&](Gpu& device) -> CUresult {
    const Block* block = device.block_of(reinterpret_cast<uintptr_t>(host));
    if (block == nullptr || block->host == nullptr)
      return device.refuse(CUDA_ERROR_INVALID_VALUE,
                           "cuMemHostGetDevicePointer of memory that is neither pinned nor registered.");
    *address = reinterpret_cast<uintptr_t>(host);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostGetFlags(unsigned* flags, void* host) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_any_context([&](Gpu& device) -> CUresult {
    const Block* block = device.block_of(reinterpret_cast<uintptr_t>(host));
    if (block == nullptr || block->kind != Block::Kind::pinned) return CUDA_ERROR_INVALID_VALUE;
    *flags = block->flags | CU_MEMHOSTALLOC_DEVICEMAP;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostRegister_v2(void* host, size_t bytes, unsigned flags) {
  if (host == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    const auto address = reinterpret_cast<uintptr_t>(host);
    warplens::exec::Allocation* made =
        device.memory.adopt(address, static_cast<std::byte*>(host), bytes,
                            fmt::format("registered memory {}", device.numbers + 1));
    if (made == nullptr) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    device.blocks.emplace(address, Block{.kind = Block::Kind::registered,
                                         .context = &context,
                                         .number = ++device.numbers,
                                         .bytes = bytes,
                                         .flags = flags,
                                         .host = host,
                                         .allocation = made});
    device.journal.allocate(address, bytes, "registered");
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostUnregister(void* host) {
  return with_any_context([&](Gpu& device) -> CUresult {
    const auto at = device.blocks.find(reinterpret_cast<uintptr_t>(host));
    if (at == device.blocks.end() || at->second.kind != Block::Kind::registered)
      return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    release_block(device, at->first);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAllocManaged(CUdeviceptr* made, size_t bytes, unsigned flags) {
  if (made == nullptr || bytes == 0 || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
    return CUDA_ERROR_INVALID_VALUE;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    const Block* block = allocate_managed(device, context, bytes, flags);
    if (block == nullptr) return no_memory(device, bytes);
    *made = block->allocation->begin;
    return CUDA_SUCCESS;
  });
}

// Pages do not move here: both sides see the same ones.
CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice, CUstream) {
  return with_context(Waits::gives_work, [&](Gpu& device, Context&) -> CUresult {
    return range_at(device, address, bytes, "cuMemPrefetchAsync") == nullptr ? CUDA_ERROR_INVALID_VALUE
                                                                             : CUDA_SUCCESS;
  });
}
CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation, unsigned, CUstream stream) {
  return cuMemPrefetchAsync(address, bytes, 0, stream);
}
CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise, CUdevice) {
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    return range_at(device, address, bytes, "cuMemAdvise") == nullptr ? CUDA_ERROR_INVALID_VALUE
                                                                      : CUDA_SUCCESS;
  });
}
CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation) {
  return cuMemAdvise(address, bytes, advice, 0);
}
CUresult cuStreamAttachMemAsync(CUstream, CUdeviceptr address, size_t, unsigned) {
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    return device.block_of(address) == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* made, size_t bytes, CUmemoryPool handle, CUstream) {
  if (made == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return with_context(Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    Pool* pool = device.pools.find(handle);
    if (pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const Block* block = allocate_device(device, context, bytes);
    if (block == nullptr) return no_memory(device, bytes);
    pool->used += bytes;
    pool->used_high = std::max(pool->used_high, pool->used);
    *made = block->allocation->begin;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAllocAsync(CUdeviceptr* made, size_t bytes, CUstream stream) {
  Gpu* device = gpu();
  if (device == nullptr) return not_started();
  return cuMemAllocFromPoolAsync(made, bytes, reinterpret_cast<CUmemoryPool>(device->current_pool), stream);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream) {
  return with_any_context([&](Gpu& device) -> CUresult {
    const Block* block = device.block_of(address);
    if (block != nullptr) {
      Pool* pool = device.current_pool;
      pool->used -= std::min<uint64_t>(pool->used, block->bytes);
    }
    return free_block(device, address, "cuMemFreeAsync", false);
  });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice ordinal) {
  return with_gpu([&](Gpu& device) -> CUresult {
    if (ordinal != 0) return CUDA_ERROR_INVALID_DEVICE;
    if (pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *pool = reinterpret_cast<CUmemoryPool>(device.default_pool);
    return CUDA_SUCCESS;
  });
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice ordinal) {
  return with_gpu([&](Gpu& device) -> CUresult {
    if (ordinal != 0) return CUDA_ERROR_INVALID_DEVICE;
    if (pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *pool = reinterpret_cast<CUmemoryPool>(device.current_pool);
    return CUDA_SUCCESS;
  });
}
CUresult cuDeviceSetMemPool(CUdevice ordinal, CUmemoryPool handle) {
  return with_gpu([&](Gpu& device) -> CUresult {
    if (ordinal != 0) return CUDA_ERROR_INVALID_DEVICE;
    Pool* pool = device.pools.find(handle);
    if (pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
    device.current_pool = pool;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemPoolCreate(CUmemoryPool* made, const CUmemPoolProps* properties) {
  if (made == nullptr || properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_gpu([&](Gpu& device) -> CUresult {
    if (properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE) return CUDA_ERROR_NOT_SUPPORTED;
    if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE || properties->location.id != 0)
      return CUDA_ERROR_INVALID_VALUE;
    *made = reinterpret_cast<CUmemoryPool>(device.pools.add(std::make_unique<Pool>()));
    return CUDA_SUCCESS;
  });
}
CUresult cuMemPoolDestroy(CUmemoryPool handle) {
  return with_gpu([&](Gpu& device) -> CUresult {
    Pool* pool = device.pools.find(handle);
    if (pool == nullptr || pool == device.default_pool) return CUDA_ERROR_INVALID_VALUE;
    if (device.current_pool == pool) device.current_pool = device.default_pool;
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
    if (which == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) std::memcpy(&pool->release_threshold, value, 8);
    if (which == CU_MEMPOOL_ATTR_USED_MEM_HIGH) pool->used_high = pool->used;
    return CUDA_SUCCESS;
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
        *static_cast<int*>(value) = 1;
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
CUresult cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc*, size_t) {
  return cuMemPoolTrimTo(handle, 0);
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool, CUmemLocation*) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute which, CUdeviceptr address) {
  if (data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_any_context([&](Gpu& device) -> CUresult {
    const Block* block = device.block_of(address);
    if (block == nullptr || block->kind == Block::Kind::module) {
      if (block == nullptr) return CUDA_ERROR_INVALID_VALUE;
    }
    const bool is_host = block->kind == Block::Kind::pinned || block->kind == Block::Kind::registered;
    switch (which) {
      case CU_POINTER_ATTRIBUTE_CONTEXT:
        *static_cast<const void**>(data) = block->context;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *static_cast<unsigned*>(data) = is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *static_cast<CUdeviceptr*>(data) = address;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (block->host == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *static_cast<uint64_t*>(data) = address;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        *static_cast<unsigned char*>(data) = 0;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        *static_cast<unsigned long long*>(data) = block->number;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *static_cast<unsigned char*>(data) = block->kind == Block::Kind::managed ? 1 : 0;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *static_cast<int*>(data) = 0;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
        *static_cast<unsigned char*>(data) = 0;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *static_cast<CUdeviceptr*>(data) = block->allocation->begin;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *static_cast<size_t*>(data) = block->bytes;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_MAPPED:
        *static_cast<unsigned char*>(data) = 1;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        *static_cast<void**>(data) = nullptr;
        return CUDA_SUCCESS;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

// What is not known of an address is null, and no error (cuda.h).
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* which, void** data,
                                CUdeviceptr address) {
  if (count == 0 || which == nullptr || data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    const CUresult got = cuPointerGetAttribute(data[i], which[i], address);
    if (got == CUDA_SUCCESS) continue;
    if (got != CUDA_ERROR_INVALID_VALUE) return got;
    const bool wide =
        which[i] == CU_POINTER_ATTRIBUTE_CONTEXT || which[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
        which[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER || which[i] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR ||
        which[i] == CU_POINTER_ATTRIBUTE_RANGE_SIZE || which[i] == CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
    if (which[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
      *static_cast<int*>(data[i]) = -2;  // CU_DEVICE_INVALID
    } else if (which[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE) {
      *static_cast<unsigned*>(data[i]) = 0;
    } else {
      std::memset(data[i], 0, wide ? 8 : 1);
    }
  }
  return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void*, CUpointer_attribute which, CUdeviceptr address) {
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    const bool fits = which == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && device.block_of(address) != nullptr;
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

}  // extern "C"
