// Memory of the device, pinned and mapped memory of the host, and managed memory.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/capture.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/host_address.h"
#include "cuda/stand_in/driver/calls/ranges.h"
#include "cuda/stand_in/driver/calls/teardown.h"
#include "cuda/stand_in/driver/state/host_guards.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/driver/state/order.h"

using namespace warplens::driver;

namespace {

CUresult free_block(Gpu& device, CUdeviceptr address, const char* call, bool managed_too) {
  if (address == 0) return CUDA_SUCCESS;
  const auto at = device.blocks.find(address);
  const bool fits = at != device.blocks.end() && (at->second.kind == Block::Kind::device ||
                                                  (managed_too && at->second.kind == Block::Kind::managed));
  if (fits) {
    if (managed_too) order_free(device, at->second, "cudaFree");
    release_block(device, address);
    return CUDA_SUCCESS;
  }
  if (const Block* mapped = device.block_of(address);
      mapped != nullptr && mapped->kind == Block::Kind::mapped)
    return device.refuse(CUDA_ERROR_INVALID_VALUE,
                         fmt::format("{} of {}: call cuMemUnmap.", call, mapped->allocation->name));
  if (const Block* inside = device.block_of(address);
      inside != nullptr && address != inside->allocation->begin) {
    return device.refuse(CUDA_ERROR_INVALID_VALUE,
                         fmt::format("{} of an address inside {}: pass the address that the allocation gave.",
                                     call, inside->allocation->name));
  }
  const bool twice = std::any_of(device.freed.begin(), device.freed.end(),
                                 [&](const FreedBlock& freed) { return freed.begin == address; });
  const auto host = host_address(device, address);
  return device.refuse(CUDA_ERROR_INVALID_VALUE,
                       fmt::format("{} of {}{}.{}", call, words_for(device, address),
                                   twice ? ": it is freed twice" : "", host ? " " + host->advice : ""));
}

CUresult capture_free(Gpu& device, Stream& stream, CUdeviceptr address) {
  CUgraphNodeParams asked{};
  asked.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
  asked.free.dptr = address;
  return capture_made(device, stream, asked);
}

CUresult allocate(CUdeviceptr* made, size_t bytes, size_t pitch = 0) {
  if (made == nullptr || bytes == 0) return invalid_argument();
  const HostCall here;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    if (const CUresult error = missed_by_captures(device); error != CUDA_SUCCESS) return error;
    Block* block = allocate_device(device, context, bytes);
    if (block == nullptr) return no_memory(device, *context.on, bytes);
    block->pitch = pitch;
    *made = block->allocation->begin;
    return CUDA_SUCCESS;
  });
}

CUresult allocate_host(void** made, size_t bytes, unsigned flags) {
  if (made == nullptr) return invalid_argument();
  const HostCall here;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    *made = nullptr;
    if (bytes == 0) return CUDA_SUCCESS;
    if (const CUresult error = missed_by_captures(device); error != CUDA_SUCCESS) return error;
    const Block* block = allocate_pinned(device, context, bytes, flags);
    if (block == nullptr) return no_memory(device, *context.on, bytes);
    *made = block->host;
    return CUDA_SUCCESS;
  });
}

constexpr auto last_pointer_attribute = CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE;

// Only managed memory can get advice, be prefetched or be attached.
CUresult managed_range(Gpu& device, uint64_t address, uint64_t bytes, const char* call) {
  const Block* block = device.block_of(address);
  if (block != nullptr && block->kind != Block::Kind::managed)
    return device.refuse(
        CUDA_ERROR_INVALID_VALUE,
        fmt::format("{} of {}: it is for memory of cuMemAllocManaged.", call, words_for(device, address)));
  return range_at(device, address, bytes, call) == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

bool is_place(const Gpu& device, CUdevice place) {
  return place == CU_DEVICE_CPU || device.device_of(place) != nullptr;
}
bool names_a_place(CUmem_advise advice) {
  return advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice == CU_MEM_ADVISE_SET_ACCESSED_BY ||
         advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
}
// The host, in one of its parts or whole, is a place of its own.
CUdevice device_of(const CUmemLocation& place) {
  if (place.type == CU_MEM_LOCATION_TYPE_DEVICE)
    return place.id == CU_DEVICE_CPU ? CU_DEVICE_INVALID : place.id;
  return place.type == CU_MEM_LOCATION_TYPE_INVALID ? CU_DEVICE_INVALID : CU_DEVICE_CPU;
}

}  // namespace

extern "C" {

CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total) {
  return with_context(Waits::no, [&](Gpu&, Context& context) {
    const DeviceState& on = *context.on;
    if (total != nullptr) *total = on.total_bytes();
    if (free_bytes != nullptr)
      *free_bytes = on.total_bytes() - std::min<uint64_t>(on.total_bytes(), on.used_bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAlloc_v2(CUdeviceptr* made, size_t bytes) { return allocate(made, bytes); }

CUresult cuMemAllocPitch_v2(CUdeviceptr* made, size_t* pitch, size_t width, size_t height, unsigned element) {
  if (pitch == nullptr || width == 0 || height == 0) return invalid_argument();
  if (element != 4 && element != 8 && element != 16) return invalid_argument();
  const size_t row = (width + 511) / 512 * 512;
  if (row < width || height > SIZE_MAX / row) return invalid_argument();
  *pitch = row;
  return allocate(made, row * height, row);
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  perform_all_deferred();
  const HostCall here;
  return with_any_context([&](Gpu& device) -> CUresult {
    if (const CUresult error = missed_by_captures(device); error != CUDA_SUCCESS) return error;
    return free_block(device, address, "cuMemFree", true);
  });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  if (base == nullptr && bytes == nullptr) return CUDA_SUCCESS;
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    const Block* block = device.block_of(address);
    if (block == nullptr) return CUDA_ERROR_NOT_FOUND;
    if (base != nullptr) *base = block->allocation->begin;
    if (bytes != nullptr) *bytes = block->bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAllocHost_v2(void** made, size_t bytes) { return allocate_host(made, bytes, 0); }
CUresult cuMemHostAlloc(void** made, size_t bytes, unsigned flags) {
  constexpr unsigned known =
      CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  if ((flags & ~known) != 0) return invalid_argument();
  return allocate_host(made, bytes, flags);
}

CUresult cuMemFreeHost(void* host) {
  const HostCall here;
  perform_all_deferred();
  return with_any_context([&](Gpu& device) -> CUresult {
    if (host == nullptr) return CUDA_SUCCESS;
    if (const CUresult error = missed_by_captures(device); error != CUDA_SUCCESS) return error;
    const auto at = device.blocks.find(reinterpret_cast<uintptr_t>(host));
    if (at == device.blocks.end() || at->second.kind != Block::Kind::pinned)
      return device.refuse(CUDA_ERROR_INVALID_VALUE,
                           "cuMemFreeHost got a pointer that is not from cuMemHostAlloc.");
    order_free(device, at->second, "cudaFreeHost");
    release_block(device, at->first);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* host, unsigned flags) {
  if (address == nullptr || flags != 0) return invalid_argument();
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
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
  constexpr unsigned known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                             CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY;
  if ((flags & ~known) != 0) return invalid_argument();
  if (host == nullptr || bytes == 0) return invalid_argument();
  const HostCall here;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    if (const CUresult error = missed_by_captures(device); error != CUDA_SUCCESS) return error;
    const auto address = reinterpret_cast<uintptr_t>(host);
    warplens::exec::Allocation* made =
        device.memory.adopt(address, static_cast<std::byte*>(host), bytes,
                            fmt::format("registered memory {}", device.numbers + 1));
    if (made == nullptr) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    device.blocks.emplace(address,
                          Block{.kind = Block::Kind::registered,
                                .context = &context,
                                .on = context.on,
                                .number = ++device.numbers,
                                .bytes = bytes,
                                .flags = flags,
                                .host = host,
                                .never_guarded = device.waits.on && !may_be_guarded(address, address + bytes),
                                .allocation = made,
                                .place = host_place()});
    device.journal.allocate(address, bytes, "registered", host_place());
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostUnregister(void* host) {
  perform_all_deferred();
  return with_any_context([&](Gpu& device) -> CUresult {
    if (host == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto at = device.blocks.find(reinterpret_cast<uintptr_t>(host));
    if (at == device.blocks.end() || at->second.kind != Block::Kind::registered)
      return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    order_free(device, at->second, "cudaHostUnregister");
    release_block(device, at->first);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAllocManaged(CUdeviceptr* made, size_t bytes, unsigned flags) {
  if (made == nullptr || bytes == 0 || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
    return CUDA_ERROR_INVALID_VALUE;
  const HostCall here;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    if (const CUresult error = missed_by_captures(device); error != CUDA_SUCCESS) return error;
    const Block* block = allocate_managed(device, context, bytes, flags);
    if (block == nullptr) return no_memory(device, *context.on, bytes);
    *made = block->allocation->begin;
    return CUDA_SUCCESS;
  });
}

// Pages do not move here: both sides see the same ones. It is counted which ones would.
CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice to, CUstream handle) {
  const HostCall here;
  return with_context(Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    CUresult error = CUDA_SUCCESS;
    Stream* stream = stream_of(device, context, handle, error);
    if (error == CUDA_SUCCESS) error = managed_range(device, address, bytes, "cuMemPrefetchAsync");
    if (error != CUDA_SUCCESS) return error;
    if (!is_place(device, to)) return CUDA_ERROR_INVALID_DEVICE;
    Block* block = device.block_of(address);
    if (block == nullptr) return CUDA_SUCCESS;
    block->placing.last_prefetch = to;
    return in_stream_order(device, context, stream, [=](Gpu& locked) {
      Block* its_block = locked.block_of(address);
      const auto side = to == CU_DEVICE_CPU ? warplens::pages::Side::host : warplens::pages::Side::device;
      if (its_block != nullptr) prefetch_pages(locked, stream, *its_block, address, bytes, side);
      return CUDA_SUCCESS;
    });
  });
}
CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation to, unsigned,
                               CUstream stream) {
  if (bytes == 0 || to.type == CU_MEM_LOCATION_TYPE_INVALID) return CUDA_ERROR_INVALID_VALUE;
  return cuMemPrefetchAsync(address, bytes, device_of(to), stream);
}
CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice place) {
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    if (bytes == 0 || advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = managed_range(device, address, bytes, "cuMemAdvise"); error != CUDA_SUCCESS)
      return error;
    if (names_a_place(advice) && !is_place(device, place)) return CUDA_ERROR_INVALID_DEVICE;
    note_host_pages(device);  // under the advice that holds so far
    if (Block* block = device.block_of(address); block != nullptr) note_advice(*block, advice, place);
    return CUDA_SUCCESS;
  });
}
CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation place) {
  // Unlike the older form, it has one code for a place that is none.
  const Gpu* device = gpu();
  const bool is_none = names_a_place(advice) && device != nullptr && !is_place(*device, device_of(place));
  if (bytes == 0 || is_none) return CUDA_ERROR_INVALID_VALUE;
  return cuMemAdvise(address, bytes, advice, device_of(place));
}
CUresult cuStreamAttachMemAsync(CUstream handle, CUdeviceptr address, size_t, unsigned flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE)
    return invalid_argument();
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    CUresult error = CUDA_SUCCESS;
    stream_of(device, context, handle, error);
    return error != CUDA_SUCCESS ? error : managed_range(device, address, 0, "cuStreamAttachMemAsync");
  });
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream_handle) {
  const HostCall here;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    if (address == 0) return CUDA_SUCCESS;
    CUresult error = CUDA_SUCCESS;
    Stream* stream = stream_of(device, context, stream_handle, error, Waits::gives_node);
    if (error != CUDA_SUCCESS) return error;
    if (is_captured(stream)) return capture_free(device, *stream, address);
    return in_stream_order(device, context, stream, [=](Gpu& locked) -> CUresult {
      const auto at = locked.blocks.find(address);
      const Block block = at != locked.blocks.end() ? at->second : Block{};
      order_free(locked, stream, block);
      const CUresult freed = free_block(locked, address, "cuMemFreeAsync", false);
      if (freed != CUDA_SUCCESS) return freed;
      if (Pool* pool = locked.pools.find(block.pool))
        pool->used -= std::min<uint64_t>(pool->used, block.bytes);
      return CUDA_SUCCESS;
    });
  });
}

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute which, CUdeviceptr address) {
  if (data == nullptr) return invalid_value();
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
        *static_cast<int*>(data) = block->on->ordinal;
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

// Unknown attributes of an address are null, which is no error (cuda.h).
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* which, void** data,
                                CUdeviceptr address) {
  if (count == 0 || which == nullptr || data == nullptr) return invalid_value();
  for (unsigned i = 0; i < count; ++i) {
    if (which[i] < CU_POINTER_ATTRIBUTE_CONTEXT || which[i] > last_pointer_attribute) return invalid_value();
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
  return with_gpu([&](Gpu& device) -> CUresult {
    const bool fits = which == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && device.block_of(address) != nullptr;
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

}  // extern "C"
