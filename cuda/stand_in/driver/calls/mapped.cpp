// Reserved addresses and memory that is mapped there. Each mapping that may be accessed is an allocation of
// its own; two that lie side by side do so in the host's memory as well, so that copies go across
// (blocks.cpp).
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/base/figures.h"
#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/teardown.h"
#include "cuda/stand_in/driver/state/host_place.h"

namespace warplens::driver {

PhysicalMemory::~PhysicalMemory() {
  if (file >= 0) close(file);
}

namespace {

using Reservations = std::map<uint64_t, Reservation>;

bool is_whole(uint64_t bytes) { return bytes != 0 && bytes % mapping_granularity == 0; }

// The reservation that holds the address; end(): none does.
Reservations::iterator reservation_at(Gpu& device, uint64_t address) {
  const auto after = device.reservations.upper_bound(address);
  if (after == device.reservations.begin()) return device.reservations.end();
  const auto at = std::prev(after);
  return address - at->first < at->second.bytes ? at : device.reservations.end();
}

bool holds(const Reservations::iterator& reservation, uint64_t address, uint64_t bytes) {
  return bytes <= reservation->second.bytes - (address - reservation->first);
}

// Null if nothing is mapped at the address.
const Mapping* mapping_at(Gpu& device, uint64_t address) {
  const auto reservation = reservation_at(device, address);
  if (reservation == device.reservations.end()) return nullptr;
  const auto after = reservation->second.mapped.upper_bound(address);
  if (after == reservation->second.mapped.begin()) return nullptr;
  const auto& [begin, mapping] = *std::prev(after);
  return address - begin < mapping.memory->bytes ? &mapping : nullptr;
}

// Whether both ends of the range lie between mappings.
bool cuts_a_mapping(const Reservation& reservation, uint64_t address, uint64_t bytes) {
  const auto is_inside = [&](uint64_t border) {
    const auto after = reservation.mapped.lower_bound(border);
    if (after == reservation.mapped.begin()) return false;
    const auto& [begin, mapping] = *std::prev(after);
    return border - begin < mapping.memory->bytes;
  };
  return is_inside(address) || is_inside(address + bytes);
}

std::byte* pages_of(const Reservations::iterator& reservation, uint64_t address) {
  return reservation->second.host + (address - reservation->first);
}

void drop_if_unused(Gpu& device, PhysicalMemory& memory) {
  if (memory.handles != 0 || memory.mappings != 0) return;
  memory.on->used_bytes -= memory.bytes;
  device.physical.take(&memory);
}

PhysicalMemory* memory_of(Gpu& device, CUmemGenericAllocationHandle handle) {
  PhysicalMemory* memory = device.physical.find(reinterpret_cast<const void*>(handle));
  return memory != nullptr && memory->handles != 0 ? memory : nullptr;
}

// Gives a device another access, or takes it from all.
void set_access(Gpu& device, const Reservations::iterator& reservation, uint64_t address, Mapping& mapping,
                std::optional<int> ordinal, CUmemAccess_flags access) {
  const bool was = !mapping.access.empty();
  if (!ordinal) mapping.access.clear();
  if (ordinal && access == CU_MEM_ACCESS_FLAGS_PROT_NONE) mapping.access.erase(*ordinal);
  if (ordinal && access != CU_MEM_ACCESS_FLAGS_PROT_NONE) mapping.access[*ordinal] = access;
  const bool will = !mapping.access.empty();
  if (was && !will) release_block(device, address);
  if (!was && will) {
    const uint64_t bytes = mapping.memory->bytes;
    exec::Allocation* made = device.memory.adopt(address, pages_of(reservation, address), bytes,
                                                 fmt::format("mapped memory {}", mapping.memory->number));
    if (made == nullptr) return;
    device.blocks.emplace(address, Block{.kind = Block::Kind::mapped,
                                         .on = mapping.memory->on,
                                         .number = mapping.memory->number,
                                         .bytes = bytes,
                                         .allocation = made,
                                         .place = host_place()});
    device.journal.allocate(address, bytes, "device", host_place(), mapping.memory->on->ordinal);
    // It keeps its contents, so it does not count as uninitialised.
    if (device.sanitizer) {
      device.sanitizer->allocate_buffer(*made);
      device.sanitizer->copy_to(*made, 0, bytes);
    }
  }
  const auto at = device.blocks.find(address);
  if (!will || at == device.blocks.end()) return;
  at->second.mapped_for = 0;
  bool is_read_only = true;
  for (const auto& [user, its_access] : mapping.access) {
    at->second.mapped_for |= uint32_t{1} << user;
    is_read_only = is_read_only && its_access == CU_MEM_ACCESS_FLAGS_PROT_READ;
  }
  at->second.allocation->read_only = is_read_only;
}

CUresult invalid(Gpu& device, const std::string& sentence) {
  return device.refuse(CUDA_ERROR_INVALID_VALUE, sentence);
}

}  // namespace

}  // namespace warplens::driver

using namespace warplens::driver;
using warplens::byte_size_text;

extern "C" {

CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags option) {
  const bool is_option =
      option == CU_MEM_ALLOC_GRANULARITY_MINIMUM || option == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED;
  if (bytes == nullptr || properties == nullptr || !is_option) return invalid_value();
  return with_gpu([&](Gpu&) {
    *bytes = mapping_granularity;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAddressReserve(CUdeviceptr* made, size_t bytes, size_t alignment, CUdeviceptr hint,
                             unsigned long long flags) {
  constexpr uint64_t page = 4096;
  if (made == nullptr || flags != 0 || hint % page != 0 || (alignment & (alignment - 1)) != 0)
    return invalid_value();
  return with_gpu([&](Gpu& device) -> CUresult {
    if (!is_whole(bytes))
      return invalid(device, fmt::format("cuMemAddressReserve of {} bytes: the size must be a multiple of {} "
                                         "(cuMemGetAllocationGranularity).",
                                         bytes, byte_size_text(mapping_granularity)));
    const uint64_t step = std::max<uint64_t>(alignment, mapping_granularity);
    if (bytes > SIZE_MAX - step) return CUDA_ERROR_OUT_OF_MEMORY;
    const uint64_t begin = device.memory.reserve(bytes + step);
    if (begin == 0) return CUDA_ERROR_OUT_OF_MEMORY;
    void* host = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
    *made = (begin + step - 1) / step * step;
    device.reservations.emplace(*made, Reservation{bytes, static_cast<std::byte*>(host), {}});
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return with_gpu([&](Gpu& device) -> CUresult {
    const auto at = device.reservations.find(address);
    if (at == device.reservations.end() || at->second.bytes != bytes)
      return invalid(device, fmt::format("cuMemAddressFree of {} at 0x{:x}: pass the address and the size of "
                                         "one cuMemAddressReserve.",
                                         byte_size_text(bytes), address));
    if (!at->second.mapped.empty())
      return invalid(device, "cuMemAddressFree of addresses where memory is mapped: call cuMemUnmap first.");
    munmap(at->second.host, bytes);
    device.reservations.erase(at);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* made, size_t bytes, const CUmemAllocationProp* properties,
                     unsigned long long flags) {
  if (made == nullptr || properties == nullptr || flags != 0) return invalid_value();
  return with_gpu([&](Gpu& device) -> CUresult {
    if (!is_whole(bytes))
      return invalid(device, fmt::format("cuMemCreate of {} bytes: the size must be a multiple of {} "
                                         "(cuMemGetAllocationGranularity).",
                                         bytes, byte_size_text(mapping_granularity)));
    const auto compression = properties->allocFlags.compressionType;
    if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
        (compression != CU_MEM_ALLOCATION_COMP_NONE && compression != CU_MEM_ALLOCATION_COMP_GENERIC))
      return CUDA_ERROR_INVALID_VALUE;
    if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
      return invalid(device, "cuMemCreate: the location must be CU_MEM_LOCATION_TYPE_DEVICE.");
    DeviceState* on = device.device_of(properties->location.id);
    if (on == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
      return device.refuse(CUDA_ERROR_NOT_SUPPORTED,
                           "cuMemCreate of memory that other processes share: leave requestedHandleTypes 0.");
    if (!has_room(*on, bytes)) return no_memory(device, *on, bytes);
    auto memory = std::make_unique<PhysicalMemory>();
    memory->file = memfd_create("warplens", MFD_CLOEXEC);
    if (memory->file < 0 || ftruncate(memory->file, static_cast<off_t>(bytes)) != 0)
      return CUDA_ERROR_OUT_OF_MEMORY;
    memory->properties = *properties;
    memory->on = on;
    memory->bytes = bytes;
    memory->number = ++device.numbers;
    on->used_bytes += bytes;
    *made = reinterpret_cast<CUmemGenericAllocationHandle>(device.physical.add(std::move(memory)));
    return CUDA_SUCCESS;
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return with_gpu([&](Gpu& device) -> CUresult {
    PhysicalMemory* memory = memory_of(device, handle);
    if (memory == nullptr) return CUDA_ERROR_INVALID_VALUE;
    --memory->handles;
    drop_if_unused(device, *memory);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  if (properties == nullptr) return invalid_value();
  return with_gpu([&](Gpu& device) -> CUresult {
    const PhysicalMemory* memory = memory_of(device, handle);
    if (memory == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *properties = memory->properties;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  if (handle == nullptr) return invalid_value();
  return with_gpu([&](Gpu& device) -> CUresult {
    const Mapping* mapping = mapping_at(device, reinterpret_cast<uintptr_t>(address));
    if (mapping == nullptr) return CUDA_ERROR_INVALID_VALUE;
    ++mapping->memory->handles;
    *handle = reinterpret_cast<CUmemGenericAllocationHandle>(mapping->memory);
    return CUDA_SUCCESS;
  });
}

// An offset, or a part of the memory, is refused by NVIDIA's driver as not supported (580.159).
CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  if (flags != 0 || bytes == 0) return invalid_value();
  return with_gpu([&](Gpu& device) -> CUresult {
    PhysicalMemory* memory = memory_of(device, handle);
    if (memory == nullptr) return invalid(device, "cuMemMap got a handle that is not from cuMemCreate.");
    if (offset != 0 || bytes != memory->bytes)
      return device.refuse(CUDA_ERROR_NOT_SUPPORTED,
                           fmt::format("cuMemMap of {} at byte {} of memory of {}: map it whole.",
                                       byte_size_text(bytes), offset, byte_size_text(memory->bytes)));
    const auto at = reservation_at(device, address);
    if (at == device.reservations.end() || !holds(at, address, bytes) || address % mapping_granularity != 0)
      return invalid(device,
                     fmt::format("cuMemMap of {} at 0x{:x}: pass addresses that cuMemAddressReserve "
                                 "gave, in steps of {}.",
                                 byte_size_text(bytes), address, byte_size_text(mapping_granularity)));
    Reservation& reservation = at->second;
    const auto next = reservation.mapped.lower_bound(address);
    if (mapping_at(device, address) != nullptr ||
        (next != reservation.mapped.end() && next->first - address < bytes))
      return invalid(
          device, fmt::format("cuMemMap at 0x{:x}, where memory is mapped: call cuMemUnmap first.", address));
    if (mmap(pages_of(at, address), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
             memory->file, 0) == MAP_FAILED)
      return CUDA_ERROR_OUT_OF_MEMORY;
    reservation.mapped.emplace(address, Mapping{.memory = memory});
    ++memory->mappings;
    return CUDA_SUCCESS;
  });
}

// Addresses of the range where nothing is mapped are not changed.
CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  perform_all_deferred();
  if (!is_whole(bytes)) return invalid_value();
  return with_gpu([&](Gpu& device) -> CUresult {
    const auto at = reservation_at(device, address);
    if (at == device.reservations.end() || !holds(at, address, bytes) ||
        cuts_a_mapping(at->second, address, bytes))
      return invalid(device, fmt::format("cuMemUnmap of {} at 0x{:x}: pass whole mappings of cuMemMap.",
                                         byte_size_text(bytes), address));
    auto& mapped = at->second.mapped;
    for (auto row = mapped.lower_bound(address); row != mapped.end() && row->first - address < bytes;) {
      PhysicalMemory& memory = *row->second.memory;
      set_access(device, at, row->first, row->second, std::nullopt, CU_MEM_ACCESS_FLAGS_PROT_NONE);
      // Where that fails, the pages stay, and no allocation leads to them.
      (void)mmap(pages_of(at, row->first), memory.bytes, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
      --memory.mappings;
      drop_if_unused(device, memory);
      row = mapped.erase(row);
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* descriptions,
                        size_t count) {
  if (descriptions == nullptr || count == 0 || !is_whole(bytes)) return invalid_value();
  const HostCall here;
  return with_gpu([&](Gpu& device) -> CUresult {
    for (size_t i = 0; i < count; ++i) {
      const CUmemAccessDesc& one = descriptions[i];
      const bool fits =
          one.location.type == CU_MEM_LOCATION_TYPE_DEVICE && device.device_of(one.location.id) != nullptr &&
          (one.flags == CU_MEM_ACCESS_FLAGS_PROT_NONE || one.flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
           one.flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
      if (!fits) return CUDA_ERROR_INVALID_VALUE;
    }
    const auto at = reservation_at(device, address);
    uint64_t filled = 0;  // by mappings without a gap
    if (at != device.reservations.end())
      for (auto row = at->second.mapped.find(address);
           filled < bytes && row != at->second.mapped.end() && row->first == address + filled; ++row)
        filled += row->second.memory->bytes;
    if (filled != bytes)
      return invalid(device,
                     fmt::format("cuMemSetAccess of {} at 0x{:x}: pass a range that cuMemMap has filled "
                                 "without a gap.",
                                 byte_size_text(bytes), address));
    auto& mapped = at->second.mapped;
    for (auto row = mapped.find(address); row != mapped.end() && row->first - address < bytes; ++row)
      for (size_t i = 0; i < count; ++i)
        set_access(device, at, row->first, row->second, descriptions[i].location.id, descriptions[i].flags);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* place, CUdeviceptr address) {
  if (flags == nullptr || place == nullptr) return invalid_value();
  return with_gpu([&](Gpu& device) -> CUresult {
    if (place->type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
    if (device.device_of(place->id) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (reservation_at(device, address) == device.reservations.end()) return CUDA_ERROR_INVALID_VALUE;
    const Mapping* mapping = mapping_at(device, address);
    *flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    if (mapping == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const auto access = mapping->access.find(place->id); access != mapping->access.end())
      *flags = access->second;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
