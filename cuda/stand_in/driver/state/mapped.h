// Reserved addresses, and memory of the device that is mapped there (CUDA driver API, Virtual Memory
// Management).
#pragma once

#include <cstdint>
#include <map>

#include "cuda/stand_in/driver/api.h"

namespace warplens::driver {

// Sizes and addresses are multiples of it, as on NVIDIA's devices.
constexpr uint64_t mapping_granularity = uint64_t{2} << 20;

// Programs name it by a handle; it lives on while it is mapped. A file without a name, so that its pages can
// be mapped in several places.
struct PhysicalMemory {
  PhysicalMemory() = default;
  PhysicalMemory(PhysicalMemory&&) = delete;
  ~PhysicalMemory();

  CUmemAllocationProp properties{};
  DeviceState* on = nullptr;
  uint64_t bytes = 0, number = 0;  // the number: of the allocation in this program
  int file = -1;
  uint32_t handles = 1, mappings = 0;
};

struct Mapping {
  PhysicalMemory* memory = nullptr;
  std::map<int, CUmemAccess_flags> access = {};  // by device; others have none
};

struct Reservation {
  uint64_t bytes = 0;
  std::byte* host = nullptr;           // the pages of the host at the first address
  std::map<uint64_t, Mapping> mapped;  // by address; each is as large as its memory
};

}  // namespace warplens::driver
